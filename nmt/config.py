"""Settings of a run: frozen, validated, and stored as config.json in the run folder.

An unknown key is an error that names the most similar known key.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
import typing
from dataclasses import dataclass, field
from typing import Any, Literal

from nmt.errors import InputError

FORMAT_VERSION = 1
"""Version of the layout of run folders and prepared folders, and of every JSON output (docs/formats.md)."""

MOST_BEAM = 1_000
"""Widest beam allowed; wider ones take excessive memory and time."""

MOST_PENALTY = 10
"""Largest length penalty allowed; larger ones overflow floating-point numbers."""


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Architecture and sizes. Letters as in PAPER: m, n, n', l. Paper: A.2.3.

    Attributes:
        architecture: "rnnsearch" (bidirectional encoder, attention) or "rnnencdec" (one fixed vector).
        embedding: m, units of a word embedding.
        hidden: n, units of each encoder direction and of the decoder.
        alignment: n', units of the alignment model; not used by rnnencdec.
        maxout: l, units of the maxout layer.
        state_order: "printed": s_i = f(s_{i-1}, y_{i-1}, c_i), as A.2.2 has it; "program": the state is updated
            with the word just chosen, s_i = f(s_{i-1}, y_i, c_i), as the authors' program does.
        dropout: share of the embeddings and of the maxout layer set to zero in training; the paper has none.
        unit: the hidden unit of encoder and decoder: "gated" (A.1.1), "reset_after" (the gate of cuDNN and
            torch.nn.GRU, which acts after U) or "lstm".
        score: the energy from which alpha is computed: "additive", v_a^T tanh(W_a s + U_a h_j) (A.1.2); "concat",
            v_a^T tanh(W_a [s ; h_j]); "general", s^T W_a h_j; "dot", [s ; s]^T h_j. The last two do not use
            ``alignment``. From Luong's state, which has seen y_{i-1}, with ``state_order`` "program".
    """

    architecture: Literal["rnnsearch", "rnnencdec"] = "rnnsearch"
    embedding: int = 620
    hidden: int = 1000
    alignment: int = 1000
    maxout: int = 500
    state_order: Literal["printed", "program"] = "printed"
    dropout: float = 0.0
    unit: Literal["gated", "reset_after", "lstm"] = "gated"
    score: Literal["additive", "concat", "general", "dot"] = "additive"

    def __post_init__(self) -> None:
        _check_types(self)
        for name in ("embedding", "hidden", "alignment", "maxout"):
            _require(getattr(self, name) >= 1, f"model.{name} must be at least 1")
        _require(0 <= self.dropout < 1, "model.dropout must be at least 0 and less than 1")
        if self.architecture == "rnnencdec":
            _require(
                self.score == "additive", f"model.score={self.score} needs attention, which rnnencdec does not have"
            )


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """Training settings. Defaults are the paper's. Paper: 4.2, B.2.

    Attributes:
        optimizer: "adadelta" or "adam".
        learning_rate: factor on the optimizer's step; 1 for Adadelta as in the paper.
        rho, epsilon: parameters of Adadelta; Adam uses ``epsilon`` too.
        beta1, beta2: parameters of Adam.
        clip_norm: maximum L2 norm of the gradient; larger gradients are scaled down to it.
        schedule: the learning rate after the warm-up: "constant", "cosine" (to zero at ``max_updates``),
            "linear" (likewise) or "inverse_sqrt".
        warmup: updates over which the learning rate rises linearly.
        hold: share of the updates after the warm-up during which "cosine" and "linear" stay at the peak.
        batch_size: sentences per minibatch.
        batch_tokens: instead of ``batch_size``, the largest product of number of sentences and longest sentence (of
            either side, in tokens) in a minibatch; None = use ``batch_size``.
        pool_batches: number of minibatches read at once, sorted by length and split.
        accumulation: number of minibatches whose gradients are accumulated into one update, as if they were one.
        max_length: longest sentence used, in words on either side, without the end-of-sentence token; None = all
            prepared.
        concatenate: probability that a training example is several random pairs of one corpus, concatenated, of at
            most ``max_length`` words per side; redrawn in each epoch. The paper has none.
        concatenate_most: the largest number of pairs in such an example; every number from 2 up is equally likely.
        label_smoothing: share of the target distribution spread evenly over the vocabulary.
        guided: weight, in the loss, of the attention's cross-entropy against the word links of the prepared data; 0 as
            in the paper, where only the translation loss trains alpha.
        guided_until: share of ``max_updates`` at which that weight reaches 0, decreasing linearly from the first
            update; null = constant.
        loss_per: unit over which the loss of a minibatch is averaged: "sentence" as in the paper, or "word".
        precision: "fp32", or "bf16" for the matrix products (weights, states and sums stay fp32).
        max_updates, max_epochs, max_minutes: stopping limits; None = no such limit (minutes are for trials: a
            schedule by the clock is not reproducible).
        log_every, validate_every, save_every: intervals in updates.
        keep: updates after which the weights are saved in the run folder as snapshots; 0 = before the first update.
        validate_bleu: measure BLEU (greedy search) at each validation.
        early_stopping: criterion, "nll" or "bleu", for the best weights and for stopping.
        patience: validations without improvement before stopping; None = never stop early.
        decay_patience: validations without improvement after which the learning rate is multiplied by
            ``decay_factor``; None = never.
        seed: random seed of initialisation, data order and dropout.
    """

    optimizer: Literal["adadelta", "adam"] = "adadelta"
    learning_rate: float = 1.0
    rho: float = 0.95
    epsilon: float = 1e-6
    beta1: float = 0.9
    beta2: float = 0.999
    clip_norm: float = 1.0
    schedule: Literal["constant", "cosine", "linear", "inverse_sqrt"] = "constant"
    warmup: int = 0
    hold: float = 0.0
    batch_size: int = 80
    batch_tokens: int | None = None
    pool_batches: int = 20
    accumulation: int = 1
    max_length: int | None = 50
    concatenate: float = 0.0
    concatenate_most: int = 3
    label_smoothing: float = 0.0
    guided: float = 0.0
    guided_until: float | None = None
    loss_per: Literal["sentence", "word"] = "sentence"
    precision: Literal["fp32", "bf16"] = "fp32"
    max_updates: int | None = None
    max_epochs: float | None = None
    max_minutes: float | None = None
    log_every: int = 50
    validate_every: int = 1000
    save_every: int = 1000
    keep: tuple[int, ...] = ()
    validate_bleu: bool = False
    early_stopping: Literal["nll", "bleu"] = "nll"
    patience: int | None = None
    decay_patience: int | None = None
    decay_factor: float = 0.5
    seed: int = 1

    def __post_init__(self) -> None:
        _check_types(self)
        for name in ("learning_rate", "epsilon", "clip_norm"):
            _require(getattr(self, name) > 0, f"training.{name} must be greater than 0")
        for name in ("batch_size", "pool_batches", "accumulation", "log_every", "validate_every", "save_every"):
            _require(getattr(self, name) >= 1, f"training.{name} must be at least 1")
        for name in ("batch_tokens", "max_length", "max_updates", "patience", "decay_patience"):
            value = getattr(self, name)
            _require(value is None or value >= 1, f"training.{name} must be at least 1, or null")
        for name in ("max_epochs", "max_minutes"):
            value = getattr(self, name)
            _require(value is None or value > 0, f"training.{name} must be greater than 0, or null")
        for name in ("rho", "beta1", "beta2", "concatenate", "label_smoothing", "hold"):
            _require(0 <= getattr(self, name) < 1, f"training.{name} must be at least 0 and less than 1")
        _require(list(self.keep) == sorted(set(self.keep)), "training.keep must list updates in ascending order")
        _require(all(update >= 0 for update in self.keep), "training.keep must not contain negative numbers")
        _require(self.concatenate_most >= 2, "training.concatenate_most must be at least 2")
        _require(0 < self.decay_factor <= 1, "training.decay_factor must be greater than 0 and at most 1")
        _require(self.guided >= 0, "training.guided must not be negative")
        if self.guided_until is not None:
            _require(0 < self.guided_until <= 1, "training.guided_until must be greater than 0 and at most 1, or null")
            _require(self.max_updates is not None, "training.guided_until needs training.max_updates")
        _require(self.warmup >= 0, "training.warmup must not be negative")
        _require(0 <= self.seed < 2**63, "training.seed must be at least 0 and less than 2^63")
        if self.schedule in ("cosine", "linear"):
            _require(self.max_updates is not None, f"training.schedule={self.schedule} needs training.max_updates")
        if self.schedule == "inverse_sqrt":
            _require(self.warmup >= 1, "training.schedule=inverse_sqrt needs training.warmup of at least 1")
        if self.early_stopping == "bleu":
            _require(self.validate_bleu, "training.early_stopping=bleu needs training.validate_bleu=true")


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Search settings. A run stores its recommended settings (section "search" of its config.json), which are the
    defaults wherever the run is used to translate.

    Attributes:
        beam: number of hypotheses kept at each step; 1 is greedy search.
        n_best: number of hypotheses returned, at most ``beam``.
        length_penalty: A in score = log_probability / T_y^A; T_y counts the end-of-sentence token.
        no_unk: forbid the model to write [UNK]. Paper: 4.2 (column "No UNK").
        replace_unk: replacement for each [UNK]: the most attended source word ("copy"); that word's entry in the run's
            dictionary, or the word itself if it has no entry ("dictionary"); "dictionary" if the run has one, else
            "copy" ("auto"); None = keep [UNK].
    """

    beam: int = 12
    n_best: int = 1
    length_penalty: float = 0.0
    no_unk: bool = False
    replace_unk: Literal["copy", "dictionary", "auto"] | None = None

    def __post_init__(self) -> None:
        _check_types(self)
        _require(1 <= self.beam <= MOST_BEAM, f"search.beam must be at least 1 and at most {MOST_BEAM}")
        _require(1 <= self.n_best <= self.beam, "search.n_best must be at least 1 and at most search.beam")
        penalty = f"search.length_penalty must be at least 0 and at most {MOST_PENALTY}"
        _require(0 <= self.length_penalty <= MOST_PENALTY, penalty)

    def changed(
        self,
        *,
        beam: int | None = None,
        n_best: int | None = None,
        length_penalty: float | None = None,
        no_unk: bool | None = None,
        replace_unk: bool | Literal["copy", "dictionary", "auto"] | None = None,
    ) -> SearchSettings:
        """Return a copy in which the arguments that are not None replace settings. ``replace_unk``: True means "auto",
        False keeps [UNK]."""
        if replace_unk is None:
            replacement = self.replace_unk
        elif isinstance(replace_unk, bool):
            replacement = "auto" if replace_unk else None
        else:
            replacement = replace_unk
        given = {"beam": beam, "n_best": n_best, "length_penalty": length_penalty, "no_unk": no_unk}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return dataclasses.replace(self, **changes, replace_unk=replacement)


@dataclass(frozen=True, kw_only=True)
class Config:
    """Everything that defines a run except the data: recipe name, model, training and default search settings."""

    recipe: str = "custom"
    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    search: SearchSettings = field(default_factory=SearchSettings)

    def __post_init__(self) -> None:
        _check_types(self)
        if self.training.guided and self.model.architecture != "rnnsearch":
            raise InputError("training.guided must be 0 for a model without attention")

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Config:
        """Build from nested dicts; InputError for an unknown key or a value of the wrong type."""
        _check_keys(cls, data, "")
        _check_keys(ModelConfig, data.get("model", {}), "model.")
        _check_keys(TrainingConfig, data.get("training", {}), "training.")
        _check_keys(SearchSettings, data.get("search", {}), "search.")
        return cls(
            recipe=data.get("recipe", "custom"),
            model=ModelConfig(**data.get("model", {})),
            training=TrainingConfig(**_with_tuples(data.get("training", {}))),
            search=SearchSettings(**data.get("search", {})),
        )

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
                raise InputError(f"{assignment!r} is not of the form section.key=value")
            sections = {"model": ModelConfig, "training": TrainingConfig, "search": SearchSettings}
            if section not in sections:
                raise InputError(f"there is no section {section!r} in {path!r}; the sections are {', '.join(sections)}")
            _check_keys(sections[section], {key: text}, f"{section}.")
            data[section][key] = _parse(sections[section], section, key, text.strip())
        return Config.from_dict(data)


def _with_tuples(data: dict[str, Any]) -> dict[str, Any]:
    """Convert lists, the only sequences of JSON, to tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InputError(message)


def _check_keys(cls: type[Any], data: Any, prefix: str) -> None:
    if not isinstance(data, dict):
        raise InputError(f"{prefix.rstrip('.') or 'the configuration'} must be a JSON object with settings")
    known = [f.name for f in dataclasses.fields(cls)]
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"; did you mean {prefix}{near[0]}?" if near else f"; the settings are {', '.join(known)}"
            raise InputError(f"there is no setting {prefix}{key}{hint}")


def _options(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the annotation alone."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def _fits(value: Any, annotation: Any) -> bool:
    for option in _options(annotation):
        if typing.get_origin(option) is Literal:
            if value in typing.get_args(option):
                return True
        elif option is type(None):
            if value is None:
                return True
        elif option is float:
            if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
                return True
        elif option is int:
            if isinstance(value, int) and not isinstance(value, bool):
                return True
        elif typing.get_origin(option) is tuple:
            if isinstance(value, tuple) and all(_fits(item, typing.get_args(option)[0]) for item in value):
                return True
        elif isinstance(value, option):
            return True
    return False


def _describe(annotation: Any) -> str:
    names = {int: "a whole number", float: "a finite number", bool: "true or false", type(None): "null", str: "text"}
    words = []
    for option in _options(annotation):
        if typing.get_origin(option) is Literal:
            words.append("one of " + ", ".join(str(value) for value in typing.get_args(option)))
        elif typing.get_origin(option) is tuple:
            words.append("whole numbers separated by commas")
        else:
            words.append(names.get(option, str(option)))
    return " or ".join(words)


def _check_types(config: Any) -> None:
    hints = typing.get_type_hints(type(config))
    section = {"ModelConfig": "model.", "TrainingConfig": "training.", "SearchSettings": "search."}.get(
        type(config).__name__, ""
    )
    for name, annotation in hints.items():
        value = getattr(config, name)
        if not _fits(value, annotation):
            raise InputError(f"{section}{name} must be {_describe(annotation)}, not {value!r}")


def _parse(cls: type[Any], section: str, key: str, text: str) -> Any:
    annotation = typing.get_type_hints(cls)[key]
    if text.lower() in ("null", "none"):
        value: Any = None
    elif text.lower() in ("true", "false"):
        value = text.lower() == "true"
    elif typing.get_origin(annotation) is tuple:
        value = tuple(_number(part) for part in text.split(",")) if text else ()
    else:
        value = _number(text)
    if not _fits(value, annotation):
        raise InputError(f"{section}.{key} must be {_describe(annotation)}, not {text!r}")
    return value


def _number(text: str) -> int | float | str:
    """Parse a text as a number; return the text itself if it is not one."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
