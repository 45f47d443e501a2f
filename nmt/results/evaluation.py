"""Translation direction: source and target language."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.records import as_record
from nmt.results.scores import LengthBucket, Score, Scores
from nmt.results.statistics import TOKENISER, HypothesisStatistics, PairStatistics, SentenceStatistics


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


ALL_SETS = "all test sets"
"""Name of all test sets as one. No test set has this name, as names have no spaces."""

SHORT_FOR_ALL_SETS = ("all", "joined")
"""Short for it in options, so no test set may have these names; the second is from before version 0.2."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A column of Table 1.

    Attributes:
        scores: over all sentences that count in it.
        search: settings of the search; None for an external system, and in files
            older than this field.
        precision: of that search, "fp32", "bf16" or "int8"; "" for an external system, and in older files.
        hypotheses: statistics that the scores are computed from; None in files older than this field.
        more: scores that cannot be recomputed from these, such as BLEU over MeCab's words.
    """

    scores: Scores
    hypotheses: HypothesisStatistics | None = None
    more: tuple[Score, ...] = ()
    search: SearchSettings | None = None
    precision: str = ""

    @property
    def tokeniser(self) -> str:
        """sacreBLEU's name of BLEU's tokeniser, from the signature."""
        fields = dict(field.partition(":")[::2] for field in self.scores.bleu.signature.split("|"))
        return fields.get("tok", TOKENISER)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Evaluation of a system on a test set, without any of its sentences.

    Attributes:
        system: name of the run, or of the system whose output was scored.
        test_set: name of the test set; None if it has none.
        sentences_given: sentence pairs of the test set.
        everything: the column "All"; None if not measured.
        no_unk: the column "No UNK": [UNK] forbidden, and only pairs without an unknown word; None if not measured.
        pairs: statistics of all pairs; None in files older than this field.
        source_sha256, reference_sha256: checksums of the lines, each with a newline after it; "" in files older than
            this field.
        weights_sha256: checksum of the weights that translated; "" for an external system.
        languages: of the test set; unknown in files older than this field.

    Raises ValueError if columns contradict each other.

    Paper: Table 1
    """

    system: str
    test_set: str | None
    sentences_given: int
    everything: Condition | None = None
    no_unk: Condition | None = None
    pairs: PairStatistics | None = None
    source_sha256: str = ""
    reference_sha256: str = ""
    weights_sha256: str = ""
    languages: Languages = UNKNOWN_LANGUAGES

    def __post_init__(self) -> None:
        if self.pairs is not None and len(self.pairs) != self.sentences_given:
            raise ValueError(f"{self.sentences_given} sentences were given, but {len(self.pairs)} have statistics")
        self.statistics()
        self.statistics(no_unk=True)

    def statistics(self, *, no_unk: bool = False) -> SentenceStatistics | None:
        """Statistics of the column "All" or "No UNK"; None if not measured, or in an old file."""
        condition, pairs = self.no_unk if no_unk else self.everything, self.pairs
        if condition is None or condition.hypotheses is None or pairs is None:
            return None
        if no_unk:
            rows = pairs.without_unknown()
            if rows is None:
                raise ValueError('"No UNK" was measured, but unknown words were not counted')
            pairs = pairs.take(rows)
        return SentenceStatistics(pairs, condition.hypotheses, condition.tokeniser)

    def to_dict(self, *, statistics: bool = True) -> dict[str, Any]:
        """Convert to JSON types (docs/formats.md), without unknown values, and optionally without the statistics."""
        data: dict[str, Any] = {"run": self.system, "test_set": self.test_set}
        if self.languages.known:
            data |= {"source_language": self.languages.source, "target_language": self.languages.target}
        if self.everything is not None:
            data |= _flat(self.everything)
        data["sentences_given"] = self.sentences_given
        if self.no_unk is not None:
            data["no_unk"] = _flat(self.no_unk)
        data |= {name: getattr(self, name) for name in _SUMS if getattr(self, name)}
        if statistics and self.pairs is not None:
            data["statistics"] = {"pairs": self.pairs.to_dict()} | {
                key: condition.hypotheses.to_dict()
                for key, condition in (("all", self.everything), ("no_unk", self.no_unk))
                if condition is not None and condition.hypotheses is not None
            }
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Evaluation:
        """Invert ``to_dict``; also reads old files. InputError for a missing key and for what does not fit."""
        about = as_record(_About, {name: data[name] for name in _ABOUT if name in data})
        columns = data.get("statistics", {})
        if not isinstance(columns, dict) or not all(isinstance(column, dict) for column in columns.values()):
            raise InputError("statistics must be a JSON object of JSON objects")
        column_data = {"all": data if "bleu" in data else None, "no_unk": about.no_unk}
        conditions: dict[str, Condition | None] = {}
        for key, flat in column_data.items():
            hypotheses = HypothesisStatistics.from_dict(columns[key]) if key in columns else None
            conditions[key] = None if flat is None else as_record(_Column, flat, unknown="ignore").condition(hypotheses)
        old = conditions["all"]
        if old is not None and "|unk:no|" in old.scores.bleu.signature:  # the only column there was room for
            conditions = {"all": None, "no_unk": old}
        return cls(
            system=about.run,
            test_set=about.test_set,
            sentences_given=about.sentences_given,
            everything=conditions["all"],
            no_unk=conditions["no_unk"],
            pairs=PairStatistics.from_dict(columns.get("pairs", {})) if columns else None,
            source_sha256=about.source_sha256,
            reference_sha256=about.reference_sha256,
            weights_sha256=about.weights_sha256,
            languages=Languages(about.source_language, about.target_language),
        )


@dataclass(frozen=True, kw_only=True)
class _About:
    """The entries of an *evaluation* (docs/formats.md) that are not those of the column "All"."""

    run: str
    test_set: str | None
    sentences_given: int
    source_sha256: str = ""
    reference_sha256: str = ""
    weights_sha256: str = ""
    source_language: str = ""
    target_language: str = ""
    no_unk: dict[str, Any] | None = None


_ABOUT = [entry.name for entry in fields(_About)]


@dataclass(frozen=True, kw_only=True)
class _Column:
    """The entries of a column, as they are stored."""

    bleu: float
    signature: str
    chrf: float
    chrf_signature: str
    ter: float
    ter_signature: str
    sentences: int
    by_length: tuple[LengthBucket, ...] = ()
    more: tuple[Score, ...] = ()
    search: dict[str, Any] | None = None

    def condition(self, hypotheses: HypothesisStatistics | None) -> Condition:
        search = dict(self.search or {})
        precision = search.pop("precision", "")
        if not isinstance(precision, str):
            raise InputError(f"search.precision must be text, not {precision!r}")
        return Condition(
            scores=Scores(
                bleu=Score("BLEU", self.bleu, self.signature),
                chrf=Score("chrF", self.chrf, self.chrf_signature),
                ter=Score("TER", self.ter, self.ter_signature),
                sentences=self.sentences,
                by_length=self.by_length,
            ),
            hypotheses=hypotheses,
            more=self.more,
            search=as_record(SearchSettings, search) if search else None,
            precision=precision,
        )


_SUMS = ("source_sha256", "reference_sha256", "weights_sha256")
_KEYS = {"BLEU": ("bleu", "signature"), "chrF": ("chrf", "chrf_signature"), "TER": ("ter", "ter_signature")}


def _flat(condition: Condition) -> dict[str, Any]:
    scores, data = condition.scores, dict[str, Any]()
    for score in (scores.bleu, scores.chrf, scores.ter):
        value, signature = _KEYS[score.metric]
        data |= {value: score.value, signature: score.signature}
    if condition.search is not None:
        data["search"] = asdict(condition.search) | {"precision": condition.precision}
    if condition.more:
        data["more"] = [score.to_dict() for score in condition.more]
    return data | {"sentences": scores.sentences, "by_length": [bucket.to_dict() for bucket in scores.by_length]}
