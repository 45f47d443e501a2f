"""Vocabularies of words or subwords: the protocol, the shortlist, SentencePiece, files."""
