"""Which source word a target word came from, with the target word known: alpha as the prior, the readout as evidence.

alpha_i is made before y_i is chosen, so it says where the model looked, and not where what it then wrote came from. Of
a given pair y_i is known, and ``TranslationModel.posterior`` weighs each source word by how probable y_i would be if
the model had looked at that word alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from nmt.encoding import PaddedTokens
from nmt.errors import InputError
from nmt.grouping import groups, windows
from nmt.results import Alignment
from nmt.scoring import Pair
from nmt.translator import Translator

_TOGETHER = 64
"""Most pairs that are read ahead, and worked on together."""


def posterior(
    model: Translator,
    pairs: Iterable[tuple[str, str]],
    *,
    pretokenised: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """The map of each pair, in order, [T_y, T_x]; words and options as in ``Translator.align_stream``. A few pairs are
    read ahead, and those of similar length worked on together.

    Raises InputError for a model without attention.
    """
    if not model.has_alignment:
        raise InputError(f"{model.name} is an RNNencdec: without alpha there is no prior for a posterior")
    encoded = (
        (model.source.encode_line(source, pretokenised), model.target.encode_line(target, pretokenised))
        for source, target in pairs
    )
    done = 0
    for window in windows(encoded, lambda pair: len(pair[0].ids) * len(pair[1].ids), first=_TOGETHER, most=_TOGETHER):
        found: dict[int, Alignment] = {}
        for group in groups([max(len(x.ids), len(y.ids)) for x, y in window], _TOGETHER):
            found.update(zip(group, _of_group(model, [window[k] for k in group]), strict=True))
            for _ in group:
                done += 1
                if on_progress is not None:
                    on_progress(done)
        yield from (found[k] for k in range(len(window)))


def _of_group(model: Translator, pairs: Sequence[Pair]) -> Iterator[Alignment]:
    device = model.model.decoder.E.device
    read, written = (PaddedTokens([pair[side] for pair in pairs], device) for side in (0, 1))
    weights = model.model.posterior(read.ids, read.mask, written.ids, written.mask).cpu().numpy()
    for (x, y), rows in zip(pairs, weights, strict=True):
        yield Alignment(x.tokens, y.tokens, rows[: len(y.ids), : len(x.ids)].copy(), x.words, y.words)
