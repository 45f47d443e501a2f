"""Corpora from the files that the fixture ``write_corpus`` writes."""

from pathlib import Path

from nmt.data.tokenised import Corpus


def corpus(files: tuple[Path, Path], repeat: int = 1, links: Path | None = None) -> Corpus:
    """Return a corpus with these two files as its sides."""
    return Corpus(source=files[0], target=files[1], repeat=repeat, links=links)
