"""Whole texts and files: split into sentences, translated in the background, put together again."""
