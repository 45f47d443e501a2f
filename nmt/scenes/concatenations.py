"""Several sentences, and how each run translates the first k of them as one: where a vector of fixed size is too small.

Paper: 2.1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.data.line_words import UNSPACED
from nmt.errors import InputError
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record
from nmt.runs.fingerprint import Fingerprint

STORED = Path(__file__).parent / "stored" / "concatenations"
SENTENCES: dict[str, tuple[str, ...]] = {
    "en": (
        "She has never seen the sea.",
        "Two men are sitting on a bench.",
        "He lost the key of his house.",
        "The children play in the garden.",
        "It rained all night.",
        "My brother works in a bank.",
    ),
    "fr": (
        "Elle n'a jamais vu la mer.",
        "Deux hommes sont assis sur un banc.",
        "Il a perdu la clé de sa maison.",
        "Les enfants jouent dans le jardin.",
        "Il a plu toute la nuit.",
        "Mon frère travaille dans une banque.",
    ),
}
"""Sentences by language. The longest concatenation has 36 words, fewer than the longest sentences that the runs were
trained on."""


@dataclass(frozen=True, kw_only=True)
class ConcatenationsOfRun:
    """Translations of the sentences by one run, alone and concatenated.

    Attributes:
        run: name of the run.
        weights_sha256, text_pipeline_sha256, dictionary_sha256: checksums of its files, as in its fingerprint.
        search: settings of the search, "auto" resolved; ``n_best`` is 1.
        alone: translation of each sentence on its own.
        together: translation of the first k sentences as one, for each k from 1.
    """

    run: str
    weights_sha256: str
    text_pipeline_sha256: str
    dictionary_sha256: str
    search: SearchSettings
    alone: tuple[str, ...]
    together: tuple[str, ...]

    @property
    def fingerprint(self) -> Fingerprint:
        """Checksums of the run that it was made with."""
        return Fingerprint(self.weights_sha256, self.text_pipeline_sha256, self.dictionary_sha256)


@dataclass(frozen=True, kw_only=True)
class Concatenations:
    """The stored result of one language.

    Attributes:
        source_language: code of the language of the sentences.
        sentences: the sources.
        versions: of the programs that computed it.
        systems: one per run that reads the language.
    """

    source_language: str
    sentences: tuple[str, ...]
    versions: Mapping[str, str]
    systems: tuple[ConcatenationsOfRun, ...]


def beginnings(sentences: Iterable[str], language: str) -> list[str]:
    """Concatenate the first k sentences, for each k from 1.

    >>> beginnings(("A.", "B?"), "en"), beginnings(("雨だ。", "寒い。"), "ja")
    (['A.', 'A. B?'], ['雨だ。', '雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    texts = list(sentences)
    return [space.join(texts[:k]) for k in range(1, len(texts) + 1)]


def write_concatenations(folder: Path, concatenations: Concatenations) -> Path:
    """Save in a folder, under the code of the language; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{concatenations.source_language}.json"
    write_json(file, {"format": FORMAT_VERSION} | asdict(concatenations))
    return file


def read_concatenations(folder: Path = STORED) -> list[Concatenations]:
    """Read all of a folder, by language; loads no model. InputError for a broken file."""
    return [as_record(Concatenations, read_versioned_json(file), str(file)) for file in sorted(folder.glob("*.json"))]


class StoredConcatenations:
    """Stored translations, looked up by run, settings and source, so that no model need be loaded.

    Args:
        concatenations: the results that they are taken from.
    """

    def __init__(self, concatenations: Iterable[Concatenations]) -> None:
        self._texts: dict[tuple[Fingerprint, SearchSettings, str], str] = {}
        for each in concatenations:
            sources = [*each.sentences, *beginnings(each.sentences, each.source_language)]
            for one in each.systems:
                for source, text in zip(sources, [*one.alone, *one.together], strict=True):
                    self._texts[one.fingerprint, replace(one.search, n_best=1), source] = text

    @classmethod
    def shipped(cls) -> StoredConcatenations:
        """Load those that are part of the program; none if a file cannot be read: they only save time."""
        try:
            return cls(read_concatenations())
        except (InputError, OSError):
            return cls(())

    def text(self, run: Fingerprint, search: SearchSettings, source: str) -> str | None:
        """Look up a translation; None if it is not there."""
        return self._texts.get((run, replace(search, n_best=1), source))
