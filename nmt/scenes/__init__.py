"""Scenes: sentences that the app shows without loading a model, with what the released runs make of them."""
