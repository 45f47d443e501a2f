"""Inference with a trained model: text in, records out. ``nmt.load`` returns a ``Translator``."""
