"""From raw parallel text to memory-mapped ids: reading, Moses words, vocabularies, the prepared folder.

Independent of models and of torch.
"""
