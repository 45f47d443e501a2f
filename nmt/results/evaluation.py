"""Evaluation of a system on a test set, the content of ``evaluation/NAME.json``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from nmt.config import SearchSettings
from nmt.records import to_data
from nmt.results.scores import Score, Scores
from nmt.results.statistics import TOKENISER, HypothesisStatistics, PairStatistics, SentenceStatistics


@dataclass(frozen=True)
class Languages:
    """Translation direction: two language codes, such as "en" and "ja". "" if unknown.

    >>> str(Languages("en", "ja"))
    'en to ja'
    """

    source: str = ""
    target: str = ""

    @property
    def known(self) -> bool:
        return bool(self.source and self.target)

    @property
    def reversed(self) -> Languages:
        return Languages(self.target, self.source)

    def fit(self, other: Languages) -> bool:
        """True if both directions are equal, or if at least one of them is not known."""
        return not self.known or not other.known or self == other

    def __str__(self) -> str:
        return f"{self.source or '?'} to {self.target or '?'}"


UNKNOWN_LANGUAGES = Languages()

ALL_SETS = "all test sets"
"""Name of all test sets combined. No single test set has this name, since its name has no spaces."""

SHORT_FOR_ALL_SETS = "all"
"""Short name for ALL_SETS in options. No test set may have this name."""

CONCATENATED = "-concatenated"
"""End of the name of a concatenated test set."""


@dataclass(frozen=True, kw_only=True)
class Condition(Scores):
    """A column of Table 1, "All" or "No UNK": scores over the sentences of the column.

    Attributes:
        more: scores that cannot be recomputed from ``hypotheses``, such as BLEU over MeCab's words.
        search: settings of the search, or None for an external system.
        precision: precision of the search: "fp32", "bf16" or "int8". "" for an external system.
    """

    hypotheses: HypothesisStatistics
    more: tuple[Score, ...] = ()
    search: SearchSettings | None = None
    precision: str = ""

    @property
    def tokeniser(self) -> str:
        """sacreBLEU's name of BLEU's tokeniser, from the signature."""
        return self._signed("tok", TOKENISER)

    @property
    def references(self) -> str:
        """Number of references of each sentence, from the signature."""
        return self._signed("nrefs", "1")

    def _signed(self, key: str, usual: str) -> str:
        return dict(field.partition(":")[::2] for field in self.signature.split("|")).get(key, usual)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Evaluation of a system on a test set, without any of its sentences.

    Attributes:
        system: name of the run, or of the system whose output was scored.
        everything: the column "All", or None if not measured.
        no_unk: the column "No UNK", with [UNK] forbidden, over the pairs without an unknown word. None if not measured.
        source_sha256, reference_sha256: checksums of the lines, each with a newline after it, or "" if unknown.
        weights_sha256: checksum of the weights that translated, or "" for an external system.

    Raises ValueError if the numbers of sentences in ``pairs`` and in the columns do not fit each other.

    Paper: Table 1
    """

    system: Annotated[str, Field(alias="run")]
    test_set: str | None
    sentences_given: int
    languages: Languages = UNKNOWN_LANGUAGES
    everything: Annotated[Condition | None, Field(alias="all")] = None
    no_unk: Condition | None = None
    source_sha256: str = ""
    reference_sha256: str = ""
    weights_sha256: str = ""
    pairs: PairStatistics

    def __post_init__(self) -> None:
        if len(self.pairs) != self.sentences_given:
            raise ValueError(f"{self.sentences_given} sentences were given, but {len(self.pairs)} have statistics")
        self.statistics()
        self.statistics(no_unk=True)

    def statistics(self, *, no_unk: bool = False) -> SentenceStatistics | None:
        """Statistics of the column "All" or "No UNK". None if not measured."""
        condition, pairs = self.no_unk if no_unk else self.everything, self.pairs
        if condition is None:
            return None
        if no_unk:
            rows = pairs.without_unknown()
            if rows is None:
                raise ValueError('"No UNK" was measured, but unknown words were not counted')
            pairs = pairs.take(rows)
        return SentenceStatistics(pairs, condition.hypotheses, condition.tokeniser, references=condition.references)

    def to_dict(self, *, statistics: bool = True) -> dict[str, Any]:
        """Convert to JSON types (docs/formats.md). ``statistics``: include what ``as_record`` needs."""
        data = to_data(self)
        if not statistics:
            del data["pairs"]
            for column in (data["all"], data["no_unk"]):
                if column is not None:
                    del column["hypotheses"]
        return data
