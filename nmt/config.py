"""Settings of a run: frozen, validated, and stored as config.json in the run folder.

An unknown key is an error that names the most similar known key.
"""

from __future__ import annotations

import dataclasses
import platform
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, Unpack

from pydantic import Field

from nmt import native
from nmt.errors import InputError
from nmt.records import as_record, check_fields, check_key, field_type, from_text
from nmt.texts import say

MOST_UNITS = 100_000
"""Largest layer. A matrix of so many rows and columns takes 40 GB."""

ONLY_IN_TRAINING = ("dropout", "word_dropout")
"""Settings of a model that affect neither the shapes of its weights nor its translations."""

Units = Annotated[int, Field(ge=1, le=MOST_UNITS)]
AtLeastOne = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
BelowOne = Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]
UpToOne = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
Replacement = Literal["copy", "dictionary", "auto"]


def require(condition: bool, message: str) -> None:
    """Raise InputError with ``message`` unless ``condition`` is true."""
    if not condition:
        raise InputError(message)


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Architecture and sizes. Letters as in the paper: m, n, n', l. Paper: A.2.3.

    Attributes:
        architecture: "rnnsearch" (bidirectional encoder, attention) or "rnnencdec" (one fixed vector).
        embedding: m, units of a word embedding.
        hidden: n, units of each encoder direction and of the decoder.
        alignment: n', units of the alignment model. rnnencdec does not use it.
        maxout: l, units of the maxout layer.
        state_order: "printed" (A.2.2): s_i = f(s_{i-1}, y_{i-1}, c_i), and y_i is predicted from s_{i-1}. "program"
            (the authors' program): y_i is predicted as in "printed", and then s_i = f(s_{i-1}, y_i, c_i). "equation"
            (eq. 4): s_i as in "printed", and y_i is predicted from s_i.
        dropout: share of the embeddings and of the maxout layer set to zero in training. The paper has none.
        word_dropout: share of the words whose whole embedding is set to zero in training. The paper has none.
        encoder: encoder of rnnsearch: "bidirectional" (3.2), or "forward", where h_j is the forward state alone.
            rnnencdec reads forwards.
        unit: the hidden unit of encoder and decoder: "gated" (A.1.1), "reset_after" (the gate of cuDNN and
            torch.nn.GRU, which acts after U) or "lstm".
        score: the energy from which alpha is computed. "additive" (A.1.2): v_a^T tanh(W_a s + U_a h_j). "concat": v_a^T
            tanh(W_a [s, h_j]). "general": s^T W_a h_j. "dot": [s, s]^T h_j. "gaussian": a mixture of Gaussians that
            only moves forward (Graves 2013). The last three do not use ``alignment``. Luong et al. have "concat",
            "general" and "dot", computed from a state that has seen y_{i-1}, as with ``state_order`` "program".
        readout: prediction of y_i: "maxout" (A.2.2), or "linear", softmax(W_o s_i + b_o), from lecture slides on the
            paper. "linear" does not use ``maxout``.
        start: the states from which s_0 is computed. "backward" (A.2.2): the backward state of the first word. "both":
            this state and the forward state of the last word.
    """

    architecture: Literal["rnnsearch", "rnnencdec"] = "rnnsearch"
    embedding: Units = 620
    hidden: Units = 1000
    alignment: Units = 1000
    maxout: Units = 500
    state_order: Literal["printed", "program", "equation"] = "printed"
    dropout: BelowOne = 0.0
    word_dropout: BelowOne = 0.0
    unit: Literal["gated", "reset_after", "lstm"] = "gated"
    score: Literal["additive", "concat", "general", "dot", "gaussian"] = "additive"
    encoder: Literal["bidirectional", "forward"] = "bidirectional"
    readout: Literal["maxout", "linear"] = "maxout"
    start: Literal["backward", "both"] = "backward"

    def __post_init__(self) -> None:
        check_fields(self, "model.")
        if self.architecture == "rnnencdec":
            require(self.score == "additive", say("errors.needs_attention", score=self.score))
            require(self.encoder == "bidirectional", say("errors.encoder_of_rnnsearch"))
        if self.start == "both":
            both = self.architecture == "rnnsearch" and self.encoder == "bidirectional"
            require(both, say("errors.both_needs_directions"))
        if self.readout == "linear":
            require(self.state_order == "equation", say("errors.linear_needs_equation"))
        if self.state_order == "equation":
            require(self.unit != "lstm", say("errors.equation_needs_no_cell"))


MOST_BEAM = 1_000
"""Widest beam. Wider beams take excessive memory and time."""


LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.01, 100
"""Bounds of the temperature at which translations are drawn."""

MOST_PENALTY = 10
"""Largest length penalty. Larger penalties overflow floating-point numbers."""


class SearchChanges(TypedDict, total=False):
    """Changes to ``SearchSettings``. None changes nothing. ``replace_unk``: True means "auto", False keeps [UNK]."""

    beam: int | None
    n_best: int | None
    length_penalty: float | None
    no_unk: bool | None
    replace_unk: bool | Replacement | None
    hard_attention: bool | None


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Search settings. A run has them in the section "search" of its config.json, as defaults of its translations.

    Attributes:
        beam: number of hypotheses per step. 1 is greedy search.
        n_best: number of hypotheses returned, at most ``beam``.
        length_penalty: A in score = log_probability / T_y^A. T_y includes the end-of-sentence token.
        no_unk: whether the model may not write [UNK]. Paper: 4.2 (column "No UNK").
        replace_unk: replacement for each [UNK]. None = keep [UNK]. "copy": the most attended source word. "dictionary":
            the entry of that source word in the run's dictionary or, without an entry, that source word. "auto":
            "dictionary" if the run has a dictionary, else "copy".
        hard_attention: whether each step reads only the word with the largest alpha_ij, not the mean of all words.
    """

    beam: Annotated[int, Field(ge=1, le=MOST_BEAM)] = 12
    n_best: AtLeastOne = 1
    length_penalty: Annotated[float, Field(ge=0, le=MOST_PENALTY, allow_inf_nan=False)] = 0.0
    no_unk: bool = False
    replace_unk: Replacement | None = None
    hard_attention: bool = False

    def __post_init__(self) -> None:
        check_fields(self, "search.")
        require(self.n_best <= self.beam, say("errors.n_best_above_beam"))

    def changed(self, **changes: Unpack[SearchChanges]) -> SearchSettings:
        """Return a copy with the changes that are not None. Raises InputError for an invalid or unknown setting."""
        for name in changes:
            check_key(SearchSettings, name, "search.")
        stated: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        if isinstance(replace_unk := stated.get("replace_unk"), bool):
            stated["replace_unk"] = "auto" if replace_unk else None
        return replace(self, **stated)

    def resolved(self, *, dictionary: bool) -> SearchSettings:
        """Replace "auto" by "dictionary" if the run has a dictionary, else by "copy"."""
        if self.replace_unk != "auto":
            return self
        return replace(self, replace_unk="dictionary" if dictionary else "copy")


@cache
def multiplies_integers() -> bool:
    """True if the native engine, or else torch, multiplies 8-bit integers fast and exactly (nmt/model/kernels.py). For
    torch the processor's flags decide, without an import of torch."""
    if native.library() is not None:
        return True
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
    fast = "avx512_vnni" in flags or "avx_vnni" in flags
    return fast and platform.machine().lower() in ("x86_64", "amd64")


def search_precision(asked: str | None = None, device: str = "cpu") -> str:
    """Return the precision of a search's matrix products: ``asked``, by default int8, but fp32 where int8 is not
    available. The precision is no setting of a run, so each result names its precision."""
    integers = device == "cpu" and multiplies_integers()
    return "fp32" if (asked or "int8") == "int8" and not integers else asked or "int8"


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """Training settings. Defaults are the paper's. Paper: 4.2, B.2.

    Attributes:
        optimizer: "adadelta" or "adam".
        learning_rate: factor on the optimizer's step, 1 for Adadelta as in the paper.
        rho, epsilon: parameters of Adadelta. Adam also uses ``epsilon``.
        beta1, beta2: parameters of Adam.
        clip_norm: maximum L2 norm of the gradient. Larger gradients are scaled down to it.
        schedule: the learning rate after the warm-up: "constant", or "cosine", to zero at ``max_updates``.
        warmup: updates over which the learning rate rises linearly.
        hold: share of the updates after the warm-up during which "cosine" stays at the peak.
        batch_size: sentences per minibatch.
        batch_tokens: limit that replaces ``batch_size``. A minibatch has as many sentences as possible. The number of
            sentences times the length of the longest, in tokens on either side, is at most this limit.
        pool_batches: number of minibatches whose pairs are read at once, sorted by length, and cut into minibatches.
        max_length: longest sentence used, in words on either side, without the end-of-sentence token. None = all
            prepared.
        concatenate: probability that a training example is several random pairs of one corpus, concatenated, of at most
            ``max_length`` words per side. Each epoch draws anew. The paper has none.
        concatenate_most: the largest number of pairs in such an example. Every number from 2 up is equally likely.
        label_smoothing: share of the target distribution spread evenly over the vocabulary.
        guided: weight, in the loss, of the attention's cross-entropy against word links of the prepared data. 0 as in
            the paper, where only the translation loss trains alpha.
        loss_per: unit over which the loss of a minibatch is averaged: "sentence" as in the paper, or "word".
        precision: "fp32", or "bf16" for the matrix products (weights, states and sums stay fp32).
        max_updates, max_epochs, max_minutes: stopping limits. None = no such limit. Minutes are for trials, because a
            training limited by the clock is not reproducible.
        log_every, validate_every, save_every: intervals in updates.
        keep: updates after which the weights are saved as snapshots in the run folder. 0 = before the first update.
        validate_bleu: whether BLEU (greedy search) is measured at each validation.
        weights: which validated weights the run has: "best" by NLL as in the paper, or "last" where few pairs validate.
        patience: validations without improvement before stopping. None = never stop early.
        seed: random seed of initialisation, data order and dropout.
    """

    optimizer: Literal["adadelta", "adam"] = "adadelta"
    learning_rate: Positive = 1.0
    rho: BelowOne = 0.95
    epsilon: Positive = 1e-6
    beta1: BelowOne = 0.9
    beta2: BelowOne = 0.999
    clip_norm: Positive = 1.0
    schedule: Literal["constant", "cosine"] = "constant"
    warmup: NotNegative = 0
    hold: BelowOne = 0.0
    batch_size: AtLeastOne = 80
    batch_tokens: AtLeastOne | None = None
    pool_batches: AtLeastOne = 20
    max_length: AtLeastOne | None = 50
    concatenate: BelowOne = 0.0
    concatenate_most: Annotated[int, Field(ge=2, le=100)] = 3
    label_smoothing: BelowOne = 0.0
    guided: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    loss_per: Literal["sentence", "word"] = "sentence"
    precision: Literal["fp32", "bf16"] = "fp32"
    max_updates: AtLeastOne | None = None
    max_epochs: Positive | None = None
    max_minutes: Positive | None = None
    log_every: AtLeastOne = 50
    validate_every: AtLeastOne = 1000
    save_every: AtLeastOne = 1000
    keep: tuple[NotNegative, ...] = ()
    validate_bleu: bool = False
    weights: Literal["best", "last"] = "best"
    patience: AtLeastOne | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1

    def __post_init__(self) -> None:
        check_fields(self, "training.")
        require(list(self.keep) == sorted(set(self.keep)), say("errors.keep_ascends"))
        if self.schedule == "cosine":
            require(self.max_updates is not None, say("errors.schedule_needs_updates", schedule=self.schedule))


_GONE = {"accumulation": 1, "r_drop": 0, "guided_until": None, "early_stopping": "nll", "decay_patience": None}
"""Training settings that only older runs have. Each may only have the value here, which has no effect."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """Everything that defines a run except the data: recipe name, model, training and default search settings."""

    recipe: str = "custom"
    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    search: SearchSettings = field(default_factory=SearchSettings)

    def __post_init__(self) -> None:
        check_fields(self)
        if self.training.guided and self.model.architecture != "rnnsearch":
            raise InputError("training.guided must be 0 for a model without attention")

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any], name: str = "") -> Config:
        """Build from nested dicts. ``name``: source of the data, for the message of an error. Raises InputError for an
        unknown key, a value of the wrong type, and a setting of older runs with an effect."""
        training = data.get("training")
        if isinstance(training, dict):
            gone = _GONE | {"decay_factor": training.get("decay_factor")}
            stated = {key: value for key, value in training.items() if key not in gone or value != gone[key]}
            data = data | {"training": stated}
        return as_record(cls, data, name)

    def override(self, assignments: list[str]) -> Config:
        """Return a copy with ``section.key=value`` assignments applied, e.g. ``training.batch_size=32``.

        Raises InputError for an unknown key, a missing "=" or a value of the wrong type.

        >>> Config().override(["training.batch_size=32", "model.dropout=.1"]).training.batch_size
        32
        """
        data = self.to_dict()
        for assignment in assignments:
            path, equals, text = assignment.partition("=")
            section, dot, key = path.strip().partition(".")
            if not equals or not dot:
                raise InputError(say("errors.not_assignment", text=assignment))
            sections = {"model": ModelConfig, "training": TrainingConfig, "search": SearchSettings}
            if section not in sections:
                raise InputError(say("errors.no_section", section=section, place=path, sections=", ".join(sections)))
            check_key(sections[section], key, f"{section}.")
            data[section][key] = from_text(field_type(sections[section], key), text.strip(), path.strip())
        return Config.from_dict(data)
