"""Trials that take the whole program, not a function: each is a command that prints what it tried and what it found."""
