"""Texts of the place Length that its two views share; each view has its own beside it."""

from __future__ import annotations

PLACE = "Length"
VIEW = "View"
VIEWS = {"curve": "BLEU against length", "together": "Concatenate sentences"}
