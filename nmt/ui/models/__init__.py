"""The page Checkpoints: all runs and systems, one by one, against each other, and those that are brought along."""
