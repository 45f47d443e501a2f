"""Corpora that only maintainers and those who reproduce the paper build."""
