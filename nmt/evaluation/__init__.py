"""Evaluation of translations. Only ``evaluate`` runs a model. The other modules need no torch."""
