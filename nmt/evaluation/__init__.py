"""Evaluation of translations. Only ``evaluate`` and ``stress`` run a model; the rest needs no torch."""
