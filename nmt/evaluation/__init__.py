"""Scores of translations against references: strings in, records out; no model is asked."""
