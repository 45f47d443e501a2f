"""From raw parallel text to memory-mapped ids: reading, Moses words, vocabularies, the prepared folder.

Knows neither a model nor torch.
"""
