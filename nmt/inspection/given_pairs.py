"""Maps of sentence pairs, in order; a few pairs are read ahead, and those of similar length are batched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from torch import Tensor

from nmt.inference.batching import groups, windows
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.text_search import EncodedPair
from nmt.inference.translator import Translator
from nmt.results import Alignment

TOGETHER = 64
"""Largest number of pairs read ahead."""

Weigh = Callable[[PaddedTokens, PaddedTokens], Tensor]
"""Function from padded sources and targets to weights, [B, T_y, T_x]."""


def maps_of(
    model: Translator,
    pairs: Iterable[tuple[str, str]],
    weigh: Weigh,
    *,
    pretokenised: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """Compute the map of each pair, [T_y, T_x]; words and options as in ``Translator.align_stream``."""
    encoded = (
        (model.source.encode_line(source, pretokenised), model.target.encode_line(target, pretokenised))
        for source, target in pairs
    )
    done = 0
    for window in windows(encoded, lambda pair: len(pair[0].ids) * len(pair[1].ids), first=TOGETHER, most=TOGETHER):
        maps: dict[int, Alignment] = {}
        for group in groups([max(len(x.ids), len(y.ids)) for x, y in window], TOGETHER):
            maps.update(zip(group, _of_group(model, [window[k] for k in group], weigh), strict=True))
            for _ in group:
                done += 1
                if on_progress is not None:
                    on_progress(done)
        yield from (maps[k] for k in range(len(window)))


def _of_group(model: Translator, pairs: Sequence[EncodedPair], weigh: Weigh) -> Iterator[Alignment]:
    device = model.model.decoder.E.device
    sources, targets = (PaddedTokens([pair[side] for pair in pairs], device) for side in (0, 1))
    for (x, y), rows in zip(pairs, weigh(sources, targets).cpu().numpy(), strict=True):
        yield Alignment(
            source=x.tokens,
            target=y.tokens,
            weights=rows[: len(y.ids), : len(x.ids)].copy(),
            source_words=x.words,
            target_words=y.words,
        )
