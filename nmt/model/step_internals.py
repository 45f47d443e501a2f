"""Every quantity that one step of the decoder computes for a given pair, for inspection:

e_ij = a(s_{i-1}, h_j), alpha_i = softmax(e_i), c_i = sum_j alpha_ij h_j     (eq. 5-6, A.1.2)
z_i = sigma(W_z E y + U_z s_{i-1} + C_z c_i), r_i likewise                   (A.2.2)
p(y_i | y_<i, x) from s_{i-1}, y_{i-1} and c_i                               (eq. 4, A.2.2)

State_order "equation" has s_i in the place of s_{i-1} in the last line. z_i and r_i are the gates of the update that
makes s_i, with y = y_{i-1}, or y_i in program order. Other units have
gates of their own, computed in the same way. The paper's model goes through reference.py, one equation at a time.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt.model import reference
from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import GatedDecoder
from nmt.model.encoder import Annotated
from nmt.model.kernels import linear
from nmt.model.translation import TeacherForced, TranslationModel


class StepInternals(NamedTuple):
    """Quantities of one step, in the precision of the weights.

    state: s_{i-1}, [n]; annotations: h_j, [T_x, 2n], RNNencdec: c alone, [1, n]; energies and alpha: [T_x], None
    without attention; context: c_i, [2n] or [n]; gates: [G, n], in the order of the decoder's ``GATES``; maxout: t_i,
    [l], or s_i of a linear readout; log_probabilities: log p(. | y_<i, x), nats, [K_y].
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
    """The step that writes the last word of ``target``.

    Args:
        model: in evaluation mode.
        source: ids with the end-of-sentence token, [T_x].
        target: y_1 .. y_i, [i].
    """
    return _at(model, _forced(model, source, target), target, len(target) - 1)


@torch.no_grad()
def sequence_internals(model: TranslationModel, source: Tensor, target: Tensor) -> tuple[StepInternals, ...]:
    """All steps of a given target, in order; arguments as in ``step_internals``."""
    forced = _forced(model, source, target)
    return tuple(_at(model, forced, target, i) for i in range(len(target)))


@torch.no_grad()
def encoder_states(model: TranslationModel, source: Tensor) -> Tensor:
    """Return what the encoder computes at every source word: the annotations h_j, [T_x, 2n], of RNNsearch, or the
    forward states, [T_x, n], of RNNencdec, of which only the last one, c, reaches the decoder (2.1, A.2.1)."""
    dtype, read = model.decoder.E.dtype, source.unsqueeze(0)
    mask = torch.ones_like(read, dtype=torch.bool)
    annotated: Annotated = model.encoder(read, mask, model.embedding_dropout, dtype)
    return annotated.annotations[0]


def _forced(model: TranslationModel, source: Tensor, target: Tensor) -> TeacherForced:
    read = source.unsqueeze(0)
    mask = torch.ones_like(read, dtype=torch.bool)
    return model.teacher_force(read, mask, target.unsqueeze(0), model.decoder.E.dtype)


def _at(model: TranslationModel, forced: TeacherForced, target: Tensor, i: int) -> StepInternals:
    """Step i, from 0."""
    dtype, decoder = model.decoder.E.dtype, model.decoder
    s, c, before, alpha = forced.states[i], forced.contexts[i], forced.previous_embeddings[i], forced.alpha
    equation = model.config.state_order == "equation"
    y = F.embedding(target[i : i + 1], decoder.E) if model.config.state_order == "program" else before
    h = forced.encoded.memory[0]
    attention = model.attention
    by_reference = isinstance(attention, AdditiveAttention | None) and model.config.readout == "maxout"
    if by_reference and isinstance(decoder, GatedDecoder):
        attended = reference.attend(attention, s[0], h) if isinstance(attention, AdditiveAttention) else None
        context = h[-1] if attended is None else attended.context
        updated = reference.update(decoder, s[0], y[0], context)
        read = updated.state if equation else s[0]
        return StepInternals(
            s[0],
            h,
            None if attended is None else attended.energies,
            None if attended is None else attended.alpha,
            context,
            torch.stack([updated.z, updated.r]),
            model.readout.top_layer(read, before[0], context, dtype),
            reference.predict(model.readout, read, before[0], context),
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
    """e_ij with its constant, [T_x]. states: s_0 .. s_{i-1}, [i, 1, n]; keys: [1, T_x, n_a]."""
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
