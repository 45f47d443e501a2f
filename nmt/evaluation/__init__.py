"""Scores of translations against references. Only ``evaluate`` and ``stress`` run a model; all else is free of torch."""
