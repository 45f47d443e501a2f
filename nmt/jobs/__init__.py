"""Trainings that outlive the process that added them: job (a file per run), runner (one job at a time), probe."""
