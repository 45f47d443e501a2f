"""Translation direction: source and target language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Languages:
    """Two language codes, such as "en" and "ja"; "" if unknown.

    >>> str(Languages("en", "ja"))
    'en to ja'
    """

    source: str = ""
    target: str = ""

    @property
    def known(self) -> bool:
        return bool(self.source and self.target)

    def fit(self, other: Languages) -> bool:
        """Tell whether two directions agree, as far as both are known."""
        return not self.known or not other.known or self == other

    def __str__(self) -> str:
        return f"{self.source or '?'} to {self.target or '?'}"


UNKNOWN_LANGUAGES = Languages()
