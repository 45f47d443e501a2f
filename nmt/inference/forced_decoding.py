"""Forced decoding of encoded pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from nmt.data.vocabularies.vocabulary import Encoded
from nmt.inference.batching import WINDOW, groups, windows
from nmt.inference.text_codec import PaddedTokens, forced_score
from nmt.model import TranslationModel
from nmt.results import ForcedScore

EncodedPair = tuple[Encoded, Encoded]
"""Encoded source and target."""


def score_pairs(
    model: TranslationModel,
    pairs: Iterable[EncodedPair],
    *,
    alpha: bool = True,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[ForcedScore]:
    """Yield log p(target | source) of each pair, in order. At most one window of pairs is read ahead.

    Args:
        model: the model, in evaluation mode.
        pairs: encoded pairs, possibly endless.
        alpha: include the alignment weights in the records.
        on_progress: called with the number of pairs done, after each group.
    """
    done = 0

    def cost(pair: EncodedPair) -> int:
        source, target = (len(side.ids) for side in pair)
        return target * (64 + alpha * source)

    def progress(number: int) -> None:
        nonlocal done
        done += number
        if on_progress is not None:
            on_progress(done)

    for window in windows(pairs, cost, first=WINDOW):
        yield from _window(model, window, alpha, progress)


def _window(
    model: TranslationModel, pairs: Sequence[EncodedPair], alpha: bool, progress: Callable[[int], None]
) -> list[ForcedScore]:
    results: dict[int, ForcedScore] = {}
    lengths = [max(len(source.ids), len(target.ids)) for source, target in pairs]
    for group in groups(lengths, len(pairs)):
        results.update(zip(group, _force(model, [pairs[i] for i in group], alpha), strict=True))
        progress(len(group))
    return [results[i] for i in range(len(pairs))]


def _force(model: TranslationModel, pairs: Sequence[EncodedPair], with_alpha: bool) -> list[ForcedScore]:
    device = model.decoder.E.device
    source = PaddedTokens([source for source, _ in pairs], device)
    target = PaddedTokens([target for _, target in pairs], device)
    output = model.forced(source.ids, source.mask, target.ids, target.mask)
    values = output.token_log_probabilities.double().cpu().numpy()
    alpha = output.alpha.cpu().numpy() if with_alpha and output.alpha is not None else None
    return [
        forced_score(read, written, values[k], None if alpha is None else alpha[k])
        for k, (read, written) in enumerate(pairs)
    ]
