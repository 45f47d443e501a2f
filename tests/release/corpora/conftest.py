"""Fixtures of other folders."""

from tests.data.corpora.conftest import make, site

__all__ = ["make", "site"]
