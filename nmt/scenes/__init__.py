"""Scenes: sentences that the app shows without loading a model, with the stored results of the released runs."""
