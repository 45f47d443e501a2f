"""Texts in which records and alignments describe themselves: each is used, and filled with its fields."""

from pathlib import Path

import pytest

from tests.string_tables import ROOT, unused_texts, wrong_fields


@pytest.mark.parametrize("package", ["results", "alignments"])
def test_every_text_is_used_and_filled_with_its_fields(package: str) -> None:
    modules: list[Path] = sorted((ROOT / "nmt" / package).rglob("*.py"))
    assert not unused_texts(f"nmt.{package}", modules)
    for path in modules:
        assert not wrong_fields(path), path.name
