"""Single steps of the decoder, written as in the paper: the most readable form of the model.

Each function computes a single step of a single sentence, with plain products and no shortcut. The fast forms compute
the same for many sentences at once: ``attention_scan`` in decoder.py over a given target, ``DecodingSteps`` in steps.py
for a search. Tests compare the fast forms with this module, and this module with the equations in NumPy.

The letters are the paper's: s_{i-1} is the state before step i, h_j the annotation of source word j, E y_{i-1} the
embedding of the previous word, c_i the context. Biases b, which the paper omits from its formulas, are written out.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import GatedDecoder
from nmt.model.encoder import Annotated
from nmt.model.kernels import linear
from nmt.model.readout import Readout
from nmt.model.translation import TeacherForced, TranslationModel


class AttendedSource(NamedTuple):
    """Result of attention at one step: e_ij and alpha_ij, [T_x], and c_i, [2n]."""

    energies: Tensor
    alpha: Tensor
    context: Tensor


class UpdatedState(NamedTuple):
    """The gates z_i and r_i, the candidate s~_i and the new state s_i, all [n]."""

    z: Tensor
    r: Tensor
    candidate: Tensor
    state: Tensor


def attend(attention: AdditiveAttention, s: Tensor, h: Tensor) -> AttendedSource:
    """Weigh the source words. s: s_{i-1}, [n]. h: all annotations, [T_x, 2n].

    e_ij = v_a^T tanh(W_a s_{i-1} + U_a h_j),  alpha_ij = exp(e_ij) / sum_k exp(e_ik),  c_i = sum_j alpha_ij h_j

    Paper: eq. 5-6, A.1.2
    """
    W_a, U_a, b_a, v_a = attention.query_matrix(), attention.key_matrix(), attention.b_a, attention.v_a
    e = torch.stack([v_a @ torch.tanh(W_a @ s + U_a @ h_j + b_a) for h_j in h])
    alpha = torch.exp(e - e.max())
    alpha = alpha / alpha.sum()
    c = torch.stack([alpha_j * h_j for alpha_j, h_j in zip(alpha, h, strict=True)]).sum(dim=0)
    return AttendedSource(e, alpha, c)


def predict(readout: Readout, s: Tensor, Ey: Tensor, c: Tensor) -> Tensor:
    """log p(y_i | y_<i, x), [K_y], in nats. s: s_{i-1}, or s_i for state_order "equation", [n]. Ey: E y_{i-1}, [m]. c:
    c_i, [2n].

    t~_i = U_o s_{i-1} + V_o E y_{i-1} + C_o c_i,  t_i = [max(t~_{i,2k-1}, t~_{i,2k})]_k,  p = softmax(W_o t_i)

    Paper: eq. 4, A.2.2
    """
    t_tilde = readout.U_o @ s + readout.V_o @ Ey + readout.C_o @ c + readout.b_t
    t = torch.maximum(t_tilde[0::2], t_tilde[1::2])
    return torch.log_softmax(readout.W_o @ t + readout.b_o, dim=0)


def update(decoder: GatedDecoder, s: Tensor, Ey: Tensor, c: Tensor) -> UpdatedState:
    """Compute the state s_i. s: s_{i-1}, [n]. Ey: E y_{i-1}, or E y_i for state_order "program", [m]. c: c_i, [2n].

    z_i = sigma(W_z E y + U_z s_{i-1} + C_z c_i),  r_i = sigma(W_r E y + U_r s_{i-1} + C_r c_i),
    s~_i = tanh(W E y + U [r_i * s_{i-1}] + C c_i),  s_i = (1 - z_i) * s_{i-1} + z_i * s~_i

    Paper: A.1.1, A.2.2
    """
    d = decoder
    z = torch.sigmoid(d.W_z @ Ey + d.U_z @ s + d.C_z @ c + d.b_z)
    r = torch.sigmoid(d.W_r @ Ey + d.U_r @ s + d.C_r @ c + d.b_r)
    candidate = torch.tanh(d.W @ Ey + d.U @ (r * s) + d.C @ c + d.b)
    return UpdatedState(z, r, candidate, (1 - z) * s + z * candidate)


class StepInternals(NamedTuple):
    """All quantities that one step of the decoder computes, in the precision of the weights.

    e_ij = a(s_{i-1}, h_j), alpha_i = softmax(e_i), c_i = sum_j alpha_ij h_j     (eq. 5-6, A.1.2)
    z_i = sigma(W_z E y + U_z s_{i-1} + C_z c_i), r_i with W_r, U_r, C_r         (A.2.2)
    p(y_i | y_<i, x) from s_{i-1}, y_{i-1} and c_i                               (eq. 4, A.2.2)

    For state_order "equation" the last line has s_i in the place of s_{i-1}. z_i and r_i are the gates of the update
    that makes s_i, with y = y_{i-1}, or y = y_i for state_order "program". Other units have other gates.

    state: s_{i-1}, [n]. annotations: h_j, [T_x, 2n], RNNencdec: c alone, [1, n]. energies and alpha: [T_x], None
    without attention. context: c_i, [2n] or [n]. gates: [G, n], in the order of the decoder's ``GATES``. maxout: t_i,
    [l], or s_i of a linear readout. log_probabilities: log p(. | y_<i, x), nats, [K_y].
    """

    state: Tensor
    annotations: Tensor
    energies: Tensor | None
    alpha: Tensor | None
    context: Tensor
    gates: Tensor
    maxout: Tensor
    log_probabilities: Tensor


@torch.no_grad()
def step_internals(model: TranslationModel, source: Tensor, target: Tensor) -> StepInternals:
    """Compute all quantities of the step that writes the last word of ``target``. The model is in evaluation mode.
    source: ids with the end-of-sentence token, [T_x]. target: y_1 .. y_i, [i]."""
    return _at(model, _forced(model, source, target), target, len(target) - 1)


@torch.no_grad()
def sequence_internals(model: TranslationModel, source: Tensor, target: Tensor) -> tuple[StepInternals, ...]:
    """Compute all quantities of every step of a target, in order. The arguments are those of ``step_internals``."""
    forced = _forced(model, source, target)
    return tuple(_at(model, forced, target, i) for i in range(len(target)))


@torch.no_grad()
def encoder_states(model: TranslationModel, source: Tensor) -> Tensor:
    """Return the encoder's result at every source word. RNNsearch: the annotations h_j, [T_x, 2n]. RNNencdec: the
    forward states, [T_x, n]. Only the last forward state, c, reaches the decoder (2.1, A.2.1)."""
    dtype, read = model.decoder.E.dtype, source.unsqueeze(0)
    mask = torch.ones_like(read, dtype=torch.bool)
    annotated: Annotated = model.encoder(read, mask, model.embedding_dropout, dtype)
    return annotated.annotations[0]


def _forced(model: TranslationModel, source: Tensor, target: Tensor) -> TeacherForced:
    read = source.unsqueeze(0)
    mask = torch.ones_like(read, dtype=torch.bool)
    return model.teacher_force(read, mask, target.unsqueeze(0), model.decoder.E.dtype)


def _at(model: TranslationModel, forced: TeacherForced, target: Tensor, i: int) -> StepInternals:
    """All quantities of step i, from 0."""
    dtype, decoder = model.decoder.E.dtype, model.decoder
    s, c, before, alpha = forced.states[i], forced.contexts[i], forced.previous_embeddings[i], forced.alpha
    equation = model.config.state_order == "equation"
    y = F.embedding(target[i : i + 1], decoder.E) if model.config.state_order == "program" else before
    h = forced.encoded.memory[0]
    attention = model.attention
    by_reference = isinstance(attention, AdditiveAttention | None) and model.config.readout == "maxout"
    if by_reference and isinstance(decoder, GatedDecoder):
        attended = attend(attention, s[0], h) if isinstance(attention, AdditiveAttention) else None
        context = h[-1] if attended is None else attended.context
        updated = update(decoder, s[0], y[0], context)
        read = updated.state if equation else s[0]
        return StepInternals(
            s[0],
            h,
            None if attended is None else attended.energies,
            None if attended is None else attended.alpha,
            context,
            torch.stack([updated.z, updated.r]),
            model.readout.top_layer(read, before[0], context, dtype),
            predict(model.readout, read, before[0], context),
        )
    x = decoder.project(y, dtype) + linear(c, decoder.stacked("C"), dtype)
    t = model.readout.top_layer(forced.read_states[i], before, c, dtype)
    return StepInternals(
        s[0],
        h,
        _energies(model, forced.states[: i + 1], forced.encoded.keys, dtype),
        None if alpha is None else alpha[i, 0],
        c[0],
        decoder.gates(x, linear(s, decoder.recurrent(), dtype))[0],
        t[0],
        model.readout.log_probabilities(t)[0],
    )


def _energies(model: TranslationModel, states: Tensor, keys: Tensor | None, dtype: torch.dtype) -> Tensor | None:
    """e_ij with its constant, [T_x], or None. states: s_0 .. s_{i-1}, [i, 1, n]. keys: [1, T_x, n_a]."""
    attention = model.attention
    if attention is None or keys is None:
        return None
    W_a, offset = attention.query_matrix(), attention.offset()
    place = None
    for s in states:
        place = attention.place(s.unsqueeze(1), place)
    state = states[-1].unsqueeze(1)
    query = place if place is not None else state if W_a is None else linear(state, W_a, dtype)
    e = attention.energies(state, query, keys)[0, 0]
    return e if offset is None else e + offset
