"""The released runs, and the way from the corpora to them."""
