"""Known parallel corpora: where they are, how they are fetched, and how train, dev and test are made of them."""
