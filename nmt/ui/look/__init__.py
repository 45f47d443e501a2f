"""The place Look: a sentence or a text translated, and where the models looked."""
