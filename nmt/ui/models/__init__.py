"""The place Models: cards, comparisons and scores of all runs and systems, and uploads."""
