"""Corpora from the files that the fixture ``write_corpus`` writes, and how they are prepared."""

from pathlib import Path
from typing import Any

from nmt.data.prepare import PrepareSettings, VocabularySettings
from nmt.data.tokenised import Corpus


def settings(vocabulary: VocabularySettings, **others: Any) -> PrepareSettings:
    """Preparation from English to French with equal vocabularies, unless ``others`` say otherwise."""
    usual = {"source_language": "en", "target_language": "fr", "max_length": 50}
    return PrepareSettings(**usual | {f"{side}_vocabulary": vocabulary for side in ("source", "target")} | others)


def corpus(files: tuple[Path, Path], repeat: int = 1, links: Path | None = None) -> Corpus:
    """Return a corpus with these two files as its sides."""
    return Corpus(source=files[0], target=files[1], repeat=repeat, links=links)
