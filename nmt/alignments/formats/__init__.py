"""Alignments as files, one module a format; ``registry`` knows them all. Text in, records out, and back: where files
are is the caller's business."""
