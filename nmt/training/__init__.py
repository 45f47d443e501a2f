"""Training: the loop, and what it takes to go on with one that was killed."""
