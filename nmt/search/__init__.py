"""Searches over any model that predicts one token at a time (``Stepwise``). They see ids, no strings."""
