"""Word links from a model's own attention, for pairs with target words outside the model's vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import tee

from nmt.data.dictionary import LinkedWords
from nmt.errors import InputError
from nmt.inference.translator import Translator


def attention_links(
    model: Translator, pairs: Iterable[tuple[str, str]], *, on_progress: Callable[[int], None] | None = None
) -> Iterator[LinkedWords]:
    """Link each target word with the source word of the largest weight under forced decoding, as in the replacement of
    [UNK]. Pairs without an unknown target word are left out. Pairs are read one window at a time.

    Args:
        pairs: source and target, untokenised.
        on_progress: called with the number of pairs decoded, after each batch.

    Raises:
        InputError: the model has no attention.
    """
    if not model.has_alignment:
        raise InputError(f"{model.name} is an RNNencdec: it has no attention that could provide links; use --links")

    def useful() -> Iterator[LinkedWords]:
        for source, target in pairs:
            words = model.target.tokenizer.tokenize(target)
            if model.target.vocabulary.encode(words).unknown:
                yield LinkedWords(model.source.tokenizer.tokenize(source), words, ())

    words, copies = tee(useful())
    encoded = ((model.source.vocabulary.encode(p.source), model.target.vocabulary.encode(p.target)) for p in copies)
    for scored, pair in zip(model.score_stream(encoded, on_progress=on_progress), words, strict=True):
        assert scored.alignment is not None
        yield LinkedWords(pair.source, pair.target, scored.alignment.links())
