"""Alignment files, one module per format; ``registry`` lists them all. The functions convert between text and records;
the caller reads and writes the files."""
