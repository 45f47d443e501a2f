"""The place Models: all runs and systems, one by one and against each other, their scores, and uploads."""
