"""Explanation of one cell of alpha: the computation of target token i, and its dependence on source token j.

    e_ij = a(s_{i-1}, h_j), alpha_ij = exp(e_ij) / sum_k exp(e_ik), c_i = sum_j alpha_ij h_j       (eq. 5-6, A.1.2)
    a(s_{i-1}, h_j) = v_a^T tanh(W_a s_{i-1} + U_a h_j), or another score                          (A.1.2)
    z_i, r_i = sigma(W E y + U s_{i-1} + C c_i), with separate weights for z_i and r_i              (A.2.2)
    p(y_i | y_<i, x), from s_{i-1} (state_order "equation": s_i), y_{i-1} and c_i                  (eq. 4, A.2.2)

The explanation also has p for the source without the word of token j, encoded again, with the same y_<i.
``translation_steps`` explains all steps of a translation.
"""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.config import SearchSettings
from nmt.data.vocabulary import Encoded
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.inspection.maps import without_word
from nmt.model.reference import StepInternals, encoder_states, sequence_internals, step_internals
from nmt.results import CellExplanation, Gate, NextToken, TranslationStep, TranslationSteps, TranslationWithSteps

_OF_CELL, _OF_STEP = 10, 5
"""Numbers of most probable tokens: of a cell, with and without the source word, and of a step."""
_GATES = {"_z": "update", "_r": "reset", "_in": "input", "_forget": "forget", "_out": "output"}


def explain_cell(model: Translator, source: Encoded, target: Encoded, i: int, j: int) -> CellExplanation:
    """Explain a cell of alpha: compute target token i of a pair by forced decoding, in fp32.

    Args:
        source: result of ``model.source.encode``.
        target: the translation, from ``model.target.encode`` or ``model.target.encode_tokens``.
        i, j: the cell, counted from 0, end-of-sentence tokens included.

    Raises:
        InputError: there is no such cell.
    """
    for what, number, side in (("target", i, target), ("source", j, source)):
        if not 0 <= number < len(side.ids):
            raise InputError(f"there is no {what} token {number}: there are {len(side.ids)}, counted from 0")
    step = _at(model, source, target, i)
    is_word = j < len(source.ids) - 1
    without = without_word(source, source.words[j])
    removed = _at(model, without, target, i).log_probabilities if is_word else None
    return CellExplanation(
        source=source.tokens,
        target=target.tokens,
        i=i,
        j=j,
        energies=_array_or_none(step.energies),
        alpha=_array_or_none(step.alpha),
        gates=tuple(
            Gate(_GATES[gate], _array(values))
            for gate, values in zip(model.model.decoder.GATES, step.gates, strict=True)
        ),
        state_norm=float(step.state.norm()),
        context_norm=float(step.context.norm()),
        annotation_norm=None if step.alpha is None else float(step.annotations[j].norm()),
        left_out=tuple(k for k, word in enumerate(source.words) if is_word and word == source.words[j]),
        next_tokens=_next_tokens(model, step.log_probabilities, removed, target.ids[i]),
    )


def _at(model: Translator, source: Encoded, target: Encoded, i: int) -> StepInternals:
    """The quantities of the step that writes target token i."""
    source_ids, target_ids = (torch.tensor(ids, device=model.device) for ids in (source.ids, target.ids[: i + 1]))
    return step_internals(model.model, source_ids, target_ids)


def _next_tokens(model: Translator, whole: Tensor, without: Tensor | None, token_written: int) -> tuple[NextToken, ...]:
    """The most probable tokens of the distributions ``whole`` and ``without``, [K_y], and ``token_written``."""
    ids = {token_written}
    for values in (whole, without):
        if values is not None:
            ids.update(values.topk(min(_OF_CELL, len(values))).indices.tolist())
    ordered = sorted(ids, key=lambda id: (-float(whole[id]), id))
    return tuple(
        NextToken(token, float(whole[id]), None if without is None else float(without[id]))
        for id, token in zip(ordered, model.target.vocabulary.tokens(ordered), strict=True)
    )


def translate_with_steps(
    model: Translator, sentence: str, settings: SearchSettings, on_step: Callable[[int, int], None] | None = None
) -> TranslationWithSteps:
    """Translate a non-blank sentence, and compute every quantity of every step. ``on_step``: as for ``TextSearch``."""
    read = model.read(sentence)
    target = model.search(settings).translate([read], on_step)[0].best.encoded
    assert target is not None
    return TranslationWithSteps(
        source=read.encoded, target=target, steps=translation_steps(model, read.encoded, target)
    )


def translation_steps(model: Translator, source: Encoded, target: Encoded) -> TranslationSteps:
    """Compute every quantity of every step that writes ``target``, in fp32, by forced decoding. Both sides are encoded
    as for ``explain_cell``."""
    source_ids, target_ids = (torch.tensor(side.ids, device=model.device) for side in (source, target))
    internals = sequence_internals(model.model, source_ids, target_ids)
    after = [*internals[1:], None]
    config = model.config.model
    return TranslationSteps(
        architecture=config.architecture,
        state_order=config.state_order,
        score=config.score,
        vocabulary=len(model.target.vocabulary),
        source=source.tokens,
        target=target.tokens,
        text=model.target.tokenizer.detokenize(model.target.vocabulary.words(target.ids)),
        annotations=_array(encoder_states(model.model, source_ids)),
        steps=tuple(
            _step(model, step, token, following)
            for step, token, following in zip(internals, target.ids, after, strict=True)
        ),
    )


def _step(model: Translator, step: StepInternals, token: int, following: StepInternals | None) -> TranslationStep:
    values = step.log_probabilities
    best = values.topk(min(_OF_STEP, len(values)))
    tokens = model.target.vocabulary.tokens(best.indices.tolist())
    gates = dict(zip(model.model.decoder.GATES, step.gates, strict=True))
    return TranslationStep(
        state=_array(step.state),
        energies=_array_or_none(step.energies),
        alpha=_array_or_none(step.alpha),
        context=_array(step.context),
        update_gate=_array_or_none(gates.get("_z")),
        maxout=_array(step.maxout),
        log_probability=float(values[token]),
        rank=1 + int((values > values[token]).sum()),
        next_tokens=tuple(
            NextToken(name, value, None) for name, value in zip(tokens, best.values.tolist(), strict=True)
        ),
        next_state=None if following is None else _array(following.state),
    )


def _array(values: Tensor) -> NDArray[np.float32]:
    return np.asarray(values.float().cpu().numpy())


def _array_or_none(values: Tensor | None) -> NDArray[np.float32] | None:
    return None if values is None else _array(values)
