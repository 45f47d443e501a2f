"""Requests to the service; docs/service.md and docs/formats.md define the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from nmt.config import MOST_PENALTY
from nmt.config.sections import AtLeastOne, UpToOne

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
