"""The boxes of the drawing: name, equation, place in the paper and shape of each quantity.

Subscripts are written as in ``s_{i−1}`` and superscripts as in ``v_a^T``; js/svg.js sets them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nmt.charts.step_view import strings
from nmt.results import TranslationSteps

_ADDITIVE = "e_{ij} = v_a^T tanh(W_a s_{i−1} + U_a h_j)"
_SCORES = {
    "additive": _ADDITIVE,
    "concat": "e_{ij} = v_a^T tanh(W_a [s_{i−1} ; h_j])",
    "general": "e_{ij} = s_{i−1}^T W_a h_j",
    "dot": "e_{ij} = [s_{i−1} ; s_{i−1}]^T h_j",
    "gaussian": "e_{ij} = ln Σ_k exp(a_k − b_k (κ_{ik} − j)^2)",
}


@dataclass(frozen=True, kw_only=True)
class _Box:
    """A box of the drawing.

    Attributes:
    symbol: as in the paper.
    title: what it is, in two or three words.
    row: the same beside its row of the drawing; "" for what has no row.
    equations: one a line.
    place: section and equation of the paper.
    shape: of the values.
    words: what it means, in a sentence.
    """

    symbol: str
    title: str
    equations: tuple[str, ...]
    place: str
    shape: str
    words: str
    row: str = ""


def boxes(steps: TranslationSteps) -> dict[str, dict[str, Any]]:
    """Describe the boxes of a translation's drawing by their names in js/, JSON-ready."""
    data = _common(steps) | (_search(steps) if steps.attends else _encdec(steps))
    return {name: asdict(box) for name, box in data.items()}


def _common(steps: TranslationSteps) -> dict[str, _Box]:
    n, first = steps.hidden, steps.steps[0]
    program = steps.state_order == "program"
    word = "y_i" if program else "y_{i−1}"
    order = f" {strings.PROGRAM_ORDER}" if program else ""
    begin = "s_0 = tanh(W_s ←h_1)" if _both(steps) else "s_0 = tanh(W_s h_{T_x})"
    context = "c_i" if steps.attends else "c"
    return {
        "previous": _Box(
            symbol="y_{i−1}",
            title=strings.PREVIOUS,
            equations=("E y_{i−1}",),
            place="A.2.2",
            shape=strings.ONE_WORD,
            words=strings.PREVIOUS_MEANS,
        ),
        "state": _Box(
            symbol="s_{i−1}",
            title=strings.STATE,
            equations=(begin, f"s_{{i−1}} = f(s_{{i−2}}, {'y_{i−1}' if program else 'y_{i−2}'}, "
                       f"{'c_{i−1}' if steps.attends else 'c'})"),
            place="3.1, A.2.2",
            shape=f"[n] = [{n}]",
            words=strings.STATE_MEANS,
        ),
        "readout": _Box(
            symbol="p(y_i)",
            title=strings.READOUT,
            equations=(
                f"t̃_i = U_o s_{{i−1}} + V_o E y_{{i−1}} + C_o {context}",
                strings.MAXOUT,
                "p(y_i) = softmax(W_o t_i)",
            ),
            place="eq. 4, A.2.2",
            shape=f"t_i: [l] = [{len(first.maxout)}]; p: [K_y] = [{steps.vocabulary:,}]",
            words=strings.READOUT_MEANS,
        ),
        "word": _Box(
            symbol="y_i",
            title=strings.WORD,
            equations=(strings.CHOSEN,),
            place="4.2",
            shape=strings.ONE_WORD,
            words=strings.WORD_MEANS,
        ),
        "next": _Box(
            symbol="s_i",
            title=strings.NEXT,
            equations=(
                f"z_i = σ(W_z E {word} + U_z s_{{i−1}} + C_z {context})",
                "s_i = (1 − z_i) s_{i−1} + z_i s̃_i",
            ),
            place="A.1.1, A.2.2",
            shape=f"[n] = [{n}]",
            words=strings.NEXT_MEANS + order,
        ),
    }  # fmt: skip


def _both(steps: TranslationSteps) -> bool:
    """True if the annotations have two directions."""
    return bool(steps.annotations.shape[1] == 2 * steps.hidden)


def _search(steps: TranslationSteps) -> dict[str, _Box]:
    tokens, units = len(steps.source), steps.annotations.shape[1]
    name = "2n" if _both(steps) else "n"
    return {
        "annotations": _Box(
            symbol="h_j",
            title=strings.ANNOTATIONS,
            row=strings.ANNOTATIONS_ROW,
            equations=("h_j = [→h_j ; ←h_j]" if _both(steps) else "h_j = →h_j",),
            place="3.2, eq. 7, A.2.1",
            shape=f"[T_x, {name}] = [{tokens}, {units}]",
            words=strings.ANNOTATIONS_MEAN,
        ),
        "energies": _Box(
            symbol="e_{ij}",
            title=strings.ENERGIES,
            row=strings.ENERGIES_ROW,
            equations=(_SCORES.get(steps.score, _ADDITIVE),),
            place="3.1, A.1.2",
            shape=f"[T_x] = [{tokens}]",
            words=strings.ENERGIES_MEAN,
        ),
        "alpha": _Box(
            symbol="α_{ij}",
            title=strings.ALPHA,
            row=strings.ALPHA_ROW,
            equations=("α_{ij} = exp(e_{ij}) / Σ_k exp(e_{ik})",),
            place="3.1, eq. 6",
            shape=f"[T_x] = [{tokens}]",
            words=strings.ALPHA_MEANS,
        ),
        "context": _Box(
            symbol="c_i",
            title=strings.CONTEXT,
            equations=("c_i = Σ_j α_{ij} h_j",),
            place="3.1, eq. 5",
            shape=f"[{name}] = [{units}]",
            words=strings.CONTEXT_MEANS,
        ),
    }


def _encdec(steps: TranslationSteps) -> dict[str, _Box]:
    tokens, n = len(steps.source), steps.hidden
    return {
        "annotations": _Box(
            symbol="h_j",
            title=strings.ENCODER_STATES,
            row=strings.ENCODER_STATES_ROW,
            equations=("h_j = f(h_{j−1}, E x_j)",),
            place="2.1",
            shape=f"[T_x, n] = [{tokens}, {n}]",
            words=strings.ENCODER_STATES_MEAN,
        ),
        "context": _Box(
            symbol="c",
            title=strings.ONE_VECTOR,
            equations=("c = h_{T_x}", strings.SAME_CONTEXT),
            place="2.1",
            shape=f"[n] = [{n}]",
            words=strings.ONE_VECTOR_MEANS,
        ),
    }
