"""All steps of a translation taken apart: what the drawing of the paper's Figure 1 shows.

h_j = [forward h_j ; backward h_j]                                  (eq. 7)
e_ij = a(s_{i-1}, h_j), alpha_i = softmax(e_i), c_i = sum_j alpha_ij h_j     (eq. 5-6, A.1.2)
p(y_i | y_<i, x) from s_{i-1}, y_{i-1} and c_i                      (eq. 4, A.2.2)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.config import SearchSettings
from nmt.data.vocabularies.vocabulary import Encoded
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.model.step_internals import StepInternals, encoder_states, sequence_internals
from nmt.results import NextToken, TranslationStep, TranslationSteps, TranslationWithSteps


def translate_with_steps(
    model: Translator, sentence: str, settings: SearchSettings, on_step: Callable[[int, int], None] | None = None
) -> TranslationWithSteps:
    """Translate a sentence, not blank, and compute every quantity of every step. ``on_step``: as for ``TextSearch``."""
    read = model.read(sentence)
    target = model.search(settings).translate([read], on_step)[0].best.encoded
    assert target is not None
    return TranslationWithSteps(
        source=read.encoded, target=target, steps=translation_steps(model, read.encoded, target)
    )


def translation_steps(model: Translator, source: Encoded, target: Encoded, *, top: int = 5) -> TranslationSteps:
    """Compute every quantity of every step of a given pair, in fp32, by forced decoding.

    Args:
        model: with or without attention.
        source: from ``model.source.encode``.
        target: the translation: ``model.target.encode`` of a text, or ``model.target.encode_tokens`` of the tokens of
            a hypothesis.
        top: number of most probable tokens to report at each step.

    Raises:
        InputError: ``top`` is below 1.
    """
    if top < 1:
        raise InputError(f"the number of most probable tokens must be at least 1, but is {top}")
    device = model.model.decoder.E.device
    source_ids, target_ids = (torch.tensor(side.ids, device=device) for side in (source, target))
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
            _step(model, step, token, top, following)
            for step, token, following in zip(internals, target.ids, after, strict=True)
        ),
    )


def _step(
    model: Translator, step: StepInternals, token: int, top: int, following: StepInternals | None
) -> TranslationStep:
    values = step.log_probabilities
    best = values.topk(min(top, len(values)))
    tokens = model.target.vocabulary.tokens(best.indices.tolist())
    gates = dict(zip(model.model.decoder.GATES, step.gates, strict=True))
    update = gates.get("_z")
    return TranslationStep(
        state=_array(step.state),
        energies=None if step.energies is None else _array(step.energies),
        alpha=None if step.alpha is None else _array(step.alpha),
        context=_array(step.context),
        update_gate=None if update is None else _array(update),
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
