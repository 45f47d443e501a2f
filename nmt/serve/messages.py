"""Requests, answers and their OpenAPI description. Limits keep a client from exhausting the service."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from nmt.config import MOST_BEAM, MOST_PENALTY, AtLeastOne, Replacement, SearchSettings, UpToOne, require
from nmt.data.text_files import refuse_other_kinds
from nmt.errors import InputError
from nmt.records import FORMAT_VERSION, check_fields
from nmt.results.links import MapName
from nmt.results.record import SentenceRecord

WEIGHTS = 4_000_000
"""Largest number of alignment weights in one answer, about 40 MB of JSON."""
COST = 1_000_000
"""Largest cost of all pairs of a request, in softmaxes (``nmt.aligners.pairs.check_cost``)."""
READING = 10
"""Largest number of seconds until a request is complete."""


class Refusal(Exception):  # noqa: N818  the service works, so this is no error
    """An answer with an error status. ``retry_after``: seconds until another try makes sense, or None."""

    def __init__(self, status: int, sentence: str, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.retry_after = status, sentence, retry_after


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of the service. Each is an option of ``serve``. A pair counts as one sentence. The beam in the settings of
    a run is allowed even if it is wider than ``widest_beam``."""

    characters: Annotated[int, Field(ge=1, le=10_000, description="most characters of a sentence")] = 1_000
    sentences: Annotated[int, Field(ge=1, le=10_000, description="most sentences of a request")] = 64
    body: Annotated[int, Field(ge=1, le=2**30, description="largest body of a request in bytes")] = 2**20
    widest_beam: Annotated[int, Field(ge=1, le=MOST_BEAM, description="largest beam width of a request")] = 24
    waiting: Annotated[int, Field(ge=1, le=100_000, description="most sentences that wait for the same model")] = 256
    together: Annotated[int, Field(ge=1, le=1_000, description="most sentences in one search")] = 32

    def __post_init__(self) -> None:
        check_fields(self)
        require(self.sentences <= self.waiting, "a request must not have more sentences than may wait for a model")

    def check_texts(self, key: str, texts: Sequence[str]) -> None:
        """Raise InputError for no texts or too many, for a text that is too long, and for texts that are no plain
        sentences. ``key``: key of the texts in the request."""
        require(bool(texts), f"{key} is empty; give at least one sentence")
        require(len(texts) <= self.sentences, f"{key} has {len(texts):,} sentences; the limit is {self.sentences:,}")
        for number, length in enumerate(map(len, texts)):
            if length > self.characters:
                raise InputError(f"{key}[{number}] has {length:,} characters; the limit is {self.characters:,}")
        refuse_other_kinds(texts, key)


@dataclass(frozen=True, kw_only=True)
class _Request:
    """A request. ``model``: name of a run or an aligner. None means the only model of the service."""

    model: str | None = None


@dataclass(frozen=True, kw_only=True)
class TranslateRequest(_Request):
    """Untokenised sentences to translate, and search settings. A missing setting has the run's value. ``replace_unk``:
    true means "auto", false keeps [UNK]. ``alpha``: whether the answer has alignment weights for each hypothesis."""

    sentences: list[str]
    beam: AtLeastOne | None = None
    n_best: AtLeastOne | None = None
    length_penalty: Annotated[float, Field(ge=0, le=MOST_PENALTY)] | None = None
    no_unk: bool | None = None
    replace_unk: bool | Replacement | None = None
    hard_attention: bool | None = None
    alpha: bool = False


@dataclass(frozen=True, kw_only=True)
class PairsRequest(_Request):
    """Pairs of sentences: as many sources as targets."""

    sources: list[str]
    targets: list[str]


@dataclass(frozen=True, kw_only=True)
class ScoreRequest(PairsRequest):
    """Pairs to score: log p(target | source) by forced decoding. ``alpha``: whether to return alignment weights."""

    alpha: bool = False


@dataclass(frozen=True, kw_only=True)
class AlignRequest(PairsRequest):
    """Pairs whose words are linked.

    Attributes:
        map: kind of the weights. A run has "attention" (default), "posterior" and "leave-one-out". An aligner has only
            its posterior, and "attention" is an error.
        rule: rule that extracts links. None = the default: argmax for a run, its own default for an aligner.
        threshold: smallest weight of a link, for the rule "threshold". None = the default, THRESHOLD.
        pretokenised: whether the lines are already tokenised.
    """

    map: MapName | None = None
    rule: str | None = None
    threshold: UpToOne | None = None
    pretokenised: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchAnswer(SearchSettings):
    """Settings of a search, and what computes it."""

    precision: str
    engine: str


@dataclass(frozen=True, kw_only=True)
class WeightsAnswer:
    """A run whose weights a model uses, and the SHA-256 of their file."""

    run: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
    """A model of the service. ``search``: None for an aligner, which does not translate."""

    name: str
    kind: Literal["run", "aligner"]
    architecture: str
    source_language: str
    target_language: str
    weights: tuple[WeightsAnswer, ...]
    search: SearchAnswer | None


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """An answer. ``format``: version of the layout."""

    format: int = FORMAT_VERSION


@dataclass(frozen=True, kw_only=True)
class TranslateAnswer(_Answer):
    """Answer of /translate: one record per sentence, in order."""

    model: str
    search: SearchAnswer
    translations: tuple[SentenceRecord, ...]


@dataclass(frozen=True, kw_only=True)
class ScoreAnswer(_Answer):
    """Answer of /score: one record per pair, in order."""

    model: str
    scores: tuple[SentenceRecord, ...]


@dataclass(frozen=True, kw_only=True)
class AlignAnswer(_Answer):
    """Answer of /align: one record per pair, in order."""

    model: str
    pairs: tuple[SentenceRecord, ...]


@dataclass(frozen=True, kw_only=True)
class ModelsAnswer(_Answer):
    """Answer of /models."""

    models: tuple[ModelAnswer, ...]


@dataclass(frozen=True, kw_only=True)
class HealthAnswer(_Answer):
    """Answer of /health."""

    status: Literal["ok", "stopping"]


@dataclass(frozen=True, kw_only=True)
class ErrorAnswer(_Answer):
    """Answer to a request that fails: one sentence."""

    error: str


_POSTS = {
    "translate": (TranslateRequest, TranslateAnswer, "Translate sentences by beam search."),
    "score": (ScoreRequest, ScoreAnswer, "Compute log p(target | source) of given pairs by forced decoding."),
    "align": (AlignRequest, AlignAnswer, "Link the words of given pairs."),
}


def description() -> dict[str, Any]:
    """An OpenAPI document that describes the paths, requests and answers of the service."""
    refusals = dict.fromkeys((400, 404, 408, 413, 415, 421, 422, 429, 500, 503), ErrorAnswer)
    paths = {}
    for name, (request, answer, purpose) in _POSTS.items():
        body = {"requestBody": {"required": True, **_content(request)}}
        paths[f"/{name}"] = {"post": {**_operation(name, purpose, {200: answer, **refusals}), **body}}
    paths["/models"] = {"get": _operation("models", "List the models of this service.", {200: ModelsAnswer})}
    health = "Tell if the service answers requests: 200, or 503 while it stops."
    paths["/health"] = {"get": _operation("health", health, {200: HealthAnswer, 503: HealthAnswer})}
    messages = (*(record for post in _POSTS.values() for record in post[:2]), ModelsAnswer, HealthAnswer, ErrorAnswer)
    adapters: list[tuple[str, Literal["serialization"], TypeAdapter[Any]]]
    adapters = [(record.__name__, "serialization", TypeAdapter(record)) for record in messages]
    _, schemas = TypeAdapter.json_schemas(adapters, ref_template="#/components/schemas/{model}")
    about = "Translations, scores and word links of RNNsearch and RNNencdec."
    info = {"title": "Jointly", "summary": about, "version": str(FORMAT_VERSION)}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas["$defs"]}}


def _operation(name: str, purpose: str, bodies: dict[int, type[_Answer]]) -> dict[str, Any]:
    """An operation. ``bodies``: the answer for each status."""
    responses = {str(code): {"description": HTTPStatus(code).phrase, **_content(body)} for code, body in bodies.items()}
    return {"operationId": name, "description": purpose, "responses": responses}


def _content(record: type[Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{record.__name__}"}}}}


def check_weights(sizes: Iterable[tuple[int, int]]) -> None:
    """Raise InputError if the alignments of an answer may have more than WEIGHTS weights.

    ``sizes``: for each alignment, the largest number of target tokens and of source tokens.
    """
    weights = sum(rows * columns for rows, columns in sizes)
    told = f"the answer may hold up to {weights:,} alignment weights; the limit is {WEIGHTS:,}"
    require(weights <= WEIGHTS, f"{told}: ask for fewer or shorter sentences")
