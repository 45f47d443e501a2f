"""Architecture and sizes of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nmt.config.bounds import BelowOne, Units, require
from nmt.records import check_fields


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Architecture and sizes. Letters as in the paper: m, n, n', l. Paper: A.2.3.

    Attributes:
        architecture: "rnnsearch" (bidirectional encoder, attention) or "rnnencdec" (one fixed vector).
        embedding: m, units of a word embedding.
        hidden: n, units of each encoder direction and of the decoder.
        alignment: n', units of the alignment model; not used by rnnencdec.
        maxout: l, units of the maxout layer.
        state_order: "printed": s_i = f(s_{i-1}, y_{i-1}, c_i), as A.2.2 has it; "program": the state is updated
            with the word just chosen, s_i = f(s_{i-1}, y_i, c_i), as the authors' program does.
        dropout: share of the embeddings and of the maxout layer set to zero in training; the paper has none.
        word_dropout: share of the words, source and target, whose whole embedding is set to zero in training; the paper
            has none.
        unit: the hidden unit of encoder and decoder: "gated" (A.1.1), "reset_after" (the gate of cuDNN and
            torch.nn.GRU, which acts after U) or "lstm".
        score: the energy from which alpha is computed: "additive", v_a^T tanh(W_a s + U_a h_j) (A.1.2); "concat",
            v_a^T tanh(W_a [s ; h_j]); "general", s^T W_a h_j; "dot", [s ; s]^T h_j. The last two do not use
            ``alignment``. Luong et al. compute them from a state that has seen y_{i-1}: ``state_order`` "program".
    """

    architecture: Literal["rnnsearch", "rnnencdec"] = "rnnsearch"
    embedding: Units = 620
    hidden: Units = 1000
    alignment: Units = 1000
    maxout: Units = 500
    state_order: Literal["printed", "program"] = "printed"
    dropout: BelowOne = 0.0
    word_dropout: BelowOne = 0.0
    unit: Literal["gated", "reset_after", "lstm"] = "gated"
    score: Literal["additive", "concat", "general", "dot"] = "additive"

    def __post_init__(self) -> None:
        check_fields(self, "model.")
        if self.architecture == "rnnencdec":
            require(
                self.score == "additive", f"model.score={self.score} needs attention, which rnnencdec does not have"
            )
