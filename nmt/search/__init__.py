"""Searches over any model that can be asked one token at a time (``Stepwise``). They see ids, no strings."""
