"""Six sentences and what two models make of the first k of them as one: the bottleneck, stored.

Paper: 2.1
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.data.line_words import UNSPACED
from nmt.files import read_versioned_json
from nmt.records import as_record

STORED = Path(__file__).parent / "stored" / "concatenations.json"
RUNS = ("rnnsearch-50", "rnnencdec-50")
SENTENCES = (
    "She has never seen the sea.",
    "Two men are sitting on a bench.",
    "He lost the key of his house.",
    "The children play in the garden.",
    "It rained all night.",
    "My brother works in a bank.",
)


@dataclass(frozen=True, kw_only=True)
class ConcatenationsOf:
    """What one model makes of the sentences.

    Attributes:
        name: name of the run.
        architecture: "rnnsearch" or "rnnencdec".
        weights_sha256: checksum of its weights.
        search: settings of the search.
        alone: translation of each sentence on its own.
        together: translation of the first k sentences as one, for each k from 1.
    """

    name: str
    architecture: str
    weights_sha256: str
    search: SearchSettings
    alone: tuple[str, ...]
    together: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Concatenations:
    """The stored result.

    Attributes:
        source_language, target_language: language codes.
        sentences: the sources.
        systems: what each model makes of them.
        torch: version of PyTorch that computed it.
    """

    source_language: str
    target_language: str
    sentences: tuple[str, ...]
    systems: tuple[ConcatenationsOf, ...]
    torch: str


def make_concatenations(checkpoints: Path) -> dict[str, Any]:
    """Translate the sentences with the runs in a folder of run folders; returns what is stored, ready for JSON.
    InputError for a run that cannot be loaded."""
    import torch

    from nmt.inference.loading import load

    systems = []
    models = [load(checkpoints / name) for name in RUNS]
    first = models[0]
    for model in models:
        assert model.fingerprint is not None
        wanted = [*SENTENCES, *joined_beginnings(SENTENCES, model.source_language)]
        texts = [model.translate(source).text for source in wanted]
        systems.append(
            ConcatenationsOf(
                name=model.name,
                architecture=model.config.model.architecture,
                weights_sha256=model.fingerprint.weights,
                search=model.resolved(model.search_settings),
                alone=tuple(texts[: len(SENTENCES)]),
                together=tuple(texts[len(SENTENCES) :]),
            )
        )
    found = Concatenations(
        source_language=first.source_language,
        target_language=first.target_language,
        sentences=SENTENCES,
        systems=tuple(systems),
        torch=torch.__version__,
    )
    return {"format": FORMAT_VERSION} | asdict(found)


def joined_beginnings(sentences: tuple[str, ...], language: str) -> list[str]:
    """The first k sentences as one, for each k from 1.

    >>> joined_beginnings(("A.", "B?"), "en"), joined_beginnings(("雨だ。", "寒い。"), "ja")
    (['A.', 'A. B?'], ['雨だ。', '雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    return [space.join(sentences[:k]) for k in range(1, len(sentences) + 1)]


@cache
def read_concatenations() -> Concatenations:
    """Read the stored result; loads no model. InputError if the file is missing or broken."""
    return as_record(Concatenations, read_versioned_json(STORED), str(STORED))
