"""Posterior of the source word given the target word: alpha as the prior, the readout as the evidence.

alpha_i is computed before y_i is chosen, so it shows the words that the model attended to, not the origin of the word
that it then wrote. In forced decoding y_i is known, and ``TranslationModel.posterior`` weighs each source word by the
probability that y_i would have if the model had attended to that word alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import torch

from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.inspection.given_pairs import maps_of
from nmt.results import Alignment


def posterior(
    model: Translator,
    pairs: Iterable[tuple[str, str]],
    *,
    pretokenised: bool = False,
    bf16: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """Compute the map of each pair, in order, [T_y, T_x]; words and options as in ``Translator.align_stream``.
    ``bf16``: matrix products in that precision, for speed; weights then differ by up to a few hundredths.

    Raises InputError for a model without attention.
    """
    if not model.has_alignment:
        raise InputError(f"{model.name} is an RNNencdec: it has no alpha from which a posterior could be computed")
    precision = torch.bfloat16 if bf16 else None
    yield from maps_of(
        model,
        pairs,
        lambda read, written: model.model.posterior(read.ids, read.mask, written.ids, written.mask, precision),
        pretokenised=pretokenised,
        on_progress=on_progress,
    )
