"""A trained model at work: weights in, text in, records out. ``nmt.load`` gives a ``Translator``."""
