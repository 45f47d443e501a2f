"""Requests to the service and its answers; docs/formats.md defines the fields that commands print, too."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from nmt.config import MOST_PENALTY, AtLeastOne, UpToOne
from nmt.records import FORMAT_VERSION
from nmt.results.record import SentenceRecord

MapName = Literal["attention", "posterior"]


@dataclass(frozen=True, kw_only=True)
class TranslateRequest:
    """Sentences to translate. Missing or null settings default to the model's own search settings.

    Attributes:
        sentences: source sentences, untokenised.
        model: name of a run; may be missing if the service has only one model.
        beam, n_best, length_penalty, no_unk, hard_attention: as in ``SearchSettings``.
        replace_unk: true, false, or the kind of replacement.
        alpha: include the alignment weights of every hypothesis.
    """

    sentences: list[str]
    model: str | None = None
    beam: AtLeastOne | None = None
    n_best: AtLeastOne | None = None
    length_penalty: Annotated[float, Field(ge=0, le=MOST_PENALTY)] | None = None
    no_unk: bool | None = None
    replace_unk: bool | Literal["copy", "dictionary"] | None = None
    hard_attention: bool | None = None
    alpha: bool = False


@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """Pairs whose log p(target | source) is computed by forced decoding.

    Attributes:
        sources, targets: as many of each.
        model: name of a run; may be missing if the service has only one model.
        alpha: include the alignment weights.
    """

    sources: list[str]
    targets: list[str]
    model: str | None = None
    alpha: bool = False


@dataclass(frozen=True, kw_only=True)
class AlignRequest:
    """Pairs whose words are linked.

    Attributes:
        sources, targets: as many of each.
        model: name of a run or an aligner; may be missing if the service has only one model.
        map: the weights; of a run attention (default) or its posterior, of an aligner posterior.
        rule: rule by which links are extracted; the default is the aligner's own, or argmax.
        threshold: smallest weight of a link, for the rule of that name.
        pretokenised: the lines are already tokenised.
    """

    sources: list[str]
    targets: list[str]
    model: str | None = None
    map: MapName | None = None
    rule: str | None = None
    threshold: UpToOne | None = None
    pretokenised: bool = False


class _Answer(BaseModel):
    """A JSON object without other keys than these."""

    model_config = ConfigDict(extra="forbid")


class AlignmentAnswer(_Answer):
    """Alignment weights: a row for each target token, a column for each source token."""

    source: list[str]
    target: list[str]
    weights: list[list[float]]
    source_words: list[int]
    target_words: list[int]


class SearchAnswer(_Answer):
    """Search settings."""

    beam: int
    n_best: int
    length_penalty: float
    no_unk: bool
    replace_unk: str | None
    hard_attention: bool
    precision: str
    engine: str


class TranslateAnswer(_Answer):
    """Answer of /translate: one record per sentence, in order."""

    format: int = FORMAT_VERSION
    model: str
    search: SearchAnswer
    translations: list[SentenceRecord]


class ScoreAnswer(_Answer):
    """Answer of /score: one record per pair, in order."""

    format: int = FORMAT_VERSION
    model: str
    scores: list[SentenceRecord]


class LinksAnswer(_Answer):
    """Links of a pair, [source word, target word] from 0, and the weights over whole words that they come from."""

    source_words: list[str]
    target_words: list[str]
    links: list[tuple[int, int]]
    rule: str
    map: str
    alignment: AlignmentAnswer


class AlignAnswer(_Answer):
    """Answer of /align: one object per pair, in order."""

    format: int = FORMAT_VERSION
    model: str
    pairs: list[LinksAnswer]


class WeightsAnswer(_Answer):
    """A run whose weights a model uses, and the SHA-256 of their file."""

    run: str
    sha256: str


class ModelAnswer(_Answer):
    """A model that the service has; ``search`` is null for an aligner, which does not translate."""

    name: str
    kind: Literal["run", "aligner"]
    architecture: str
    source_language: str
    target_language: str
    weights: list[WeightsAnswer]
    search: SearchAnswer | None


class ModelsAnswer(_Answer):
    """Answer of /models."""

    format: int = FORMAT_VERSION
    models: list[ModelAnswer]


class HealthAnswer(_Answer):
    """Answer of /health."""

    format: int = FORMAT_VERSION
    status: Literal["ok", "stopping"]


class ErrorAnswer(_Answer):
    """Answer to every request that cannot be fulfilled: one sentence."""

    format: int = FORMAT_VERSION
    error: str
