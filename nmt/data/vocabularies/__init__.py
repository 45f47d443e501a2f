"""Words or subwords to ids and back: the protocol, the shortlist, SentencePiece, files."""
