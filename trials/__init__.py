"""Trials of the whole program rather than of single functions; ``python -m trials`` runs them and records what they
find."""
