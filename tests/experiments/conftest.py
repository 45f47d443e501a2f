"""Fixtures of other folders."""

from tests.data.conftest import write_corpus

__all__ = ["write_corpus"]
