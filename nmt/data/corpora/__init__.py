"""Known parallel corpora: their addresses, downloads, and construction of train, dev and test."""
