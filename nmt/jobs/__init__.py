"""Trainings that run without the one who asked for them: job (a file per run), runner (one at a time), probe."""
