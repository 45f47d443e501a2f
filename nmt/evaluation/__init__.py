"""Scores of translations against references. Only ``evaluate`` and ``stress`` run a model; the rest needs no torch."""
