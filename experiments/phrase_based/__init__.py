"""A phrase-based system, the kind of system that the paper compares with."""
