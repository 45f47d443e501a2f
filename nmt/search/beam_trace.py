"""The tree of hypotheses that a beam search builds for one sentence, recorded while it runs."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.search.beam import BeamChoice, BeamSettings, beam_search
from nmt.search.history import Candidate
from nmt.search.stepwise import START, State, Stepwise

Fate = Literal["continued", "finished", "pruned", "open"]
"""Fate of a hypothesis. Continued: a hypothesis of the next step continues it. Finished: it has the end-of-sentence
token. Pruned: others were more probable. Open: it was alive when the search stopped, but could not win any more."""


@dataclass(frozen=True)
class RankedToken:
    """A token that may come next, and its log-probability in nats."""

    id: int
    log_probability: float


@dataclass(frozen=True, eq=False, kw_only=True)
class TraceNode:
    """A hypothesis: the tokens of its parent, and one more token.

    Attributes:
        parent: number of the hypothesis without this token, or None for the empty hypothesis, number 0.
        length: number of tokens of the hypothesis.
        id: the token, or ``START`` for the empty hypothesis.
        token_log_probability, log_probability: of the token and of the whole hypothesis, nats.
        following: the most probable next tokens, most probable first. () if the search did not compute them.
        alpha: alpha of the step that wrote the token, float32 [T_x]. None for the empty hypothesis, without attention,
            or if the search does not return alpha.
    """

    parent: int | None
    length: int
    id: int
    token_log_probability: float
    log_probability: float
    fate: Fate
    following: tuple[RankedToken, ...] = ()
    alpha: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class BeamTrace:
    """Record of a beam search. nodes: all hypotheses that were ever among the best ``beam``, parents before children,
    the empty hypothesis first. outputs: result of the search, best first."""

    nodes: tuple[TraceNode, ...]
    outputs: tuple[Candidate, ...]

    def ids(self, number: int) -> tuple[int, ...]:
        """The ids of the tokens of hypothesis ``number``."""
        reversed_ids = []
        node = self.nodes[number]
        while node.parent is not None:
            reversed_ids.append(node.id)
            node = self.nodes[node.parent]
        return tuple(reversed(reversed_ids))


def trace_beam(model: Stepwise[State], source: Tensor, mask: Tensor, settings: BeamSettings, *, top: int) -> BeamTrace:
    """Search for one sentence with ``beam_search``, and record every hypothesis with its ``top`` most probable next
    tokens. The other arguments and the errors are those of ``beam_search``."""
    recorder = _Recorder(top)
    (outputs,) = beam_search(model, source, mask, settings, on_choice=recorder.record)
    return BeamTrace(tuple(recorder.nodes), tuple(outputs))


class _Recorder:
    """The hypotheses recorded so far. ``live``: for each row of the next step, the number of its hypothesis."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.nodes = [
            TraceNode(parent=None, length=0, id=START, token_log_probability=0.0, log_probability=0.0, fate="open")
        ]
        self.live = [0]

    def record(self, choice: BeamChoice) -> None:
        """Add the continuations chosen in one step. Set the fate of the hypotheses they continue from: continued if one
        of them was kept or ended, else pruned."""
        alpha = None if choice.alpha is None else choice.alpha.float().cpu().numpy().copy()
        before, self.live = self.live, []
        best = choice.log_probabilities.topk(min(self.top, choice.log_probabilities.shape[1]), dim=1)
        for row, number in enumerate(before):
            following = self._following(best.values[row], best.indices[row])
            self.nodes[number] = replace(self.nodes[number], fate="pruned", following=following)
        for place in np.flatnonzero(choice.totals > -np.inf).tolist():
            row, token = int(choice.rows[place]), int(choice.tokens[place])
            parent = before[row]
            continued, ended = bool(choice.kept[place]), bool(choice.ended[place])
            if continued or ended:
                self.nodes[parent] = replace(self.nodes[parent], fate="continued")
            if continued:
                self.live.append(len(self.nodes))
            self.nodes.append(
                TraceNode(
                    parent=parent,
                    length=self.nodes[parent].length + 1,
                    id=token,
                    token_log_probability=float(choice.log_probabilities[row, token]),
                    log_probability=float(choice.totals[place]),
                    fate="finished" if ended else "open" if continued else "pruned",
                    alpha=None if alpha is None else alpha[row],
                )
            )

    def _following(self, values: Tensor, ids: Tensor) -> tuple[RankedToken, ...]:
        return tuple(
            RankedToken(token, value)
            for token, value in zip(ids.tolist(), values.tolist(), strict=True)
            if value > -torch.inf
        )
