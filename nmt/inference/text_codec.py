"""Conversion from text to a model's input ids, and from its output ids to records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.data.batching import padded
from nmt.data.line_words import UNSPACED
from nmt.data.text import Tokenizer, word_spans
from nmt.data.vocabulary import Encoded, Vocabulary
from nmt.errors import InputError
from nmt.results import UNKNOWN, Alignment, ForcedScore, Hypothesis
from nmt.results.alignment import joined
from nmt.results.links import numbered_words
from nmt.search.history import Candidate
from nmt.texts import say


@dataclass(frozen=True)
class TextCodec:
    """Language, tokeniser and vocabulary of the source or the target.

    Attributes:
        reads_output: True for the target. Then "[UNK]" in a text is the unknown word. In a source it is ordinary text.
    """

    tokenizer: Tokenizer
    vocabulary: Vocabulary
    reads_output: bool = False

    def encode(self, text: str) -> Encoded:
        """Encode a sentence for the model. ``words`` of the result: the index of the tokeniser's word, per token."""
        return self.vocabulary.encode(self._words(text))

    def encode_line(self, line: str, pretokenised: bool) -> Encoded:
        """Encode a line. ``words`` of the result: the index of the line's word, per token. Spaces and tabs separate
        words. In a language without spaces the tokeniser separates words, unless the line is pretokenised: then any
        white space separates the model's tokens."""
        if self.tokenizer.language in UNSPACED and not pretokenised:
            return self.encode(line)
        words = numbered_words(line)
        parts = [(part, number) for number, word in enumerate(words) for part in word.split()]
        tokens = [part for part, _ in parts] if pretokenised else self._words(line)
        spans = [number for _, number in parts] if pretokenised else word_spans(line, tokens)
        encoded = self.vocabulary.encode(tokens)
        spans.append(len(words))  # the end-of-sentence token follows the last word
        return replace(encoded, words=tuple(spans[word] for word in encoded.words))

    def encode_output(self, written: Encoded) -> Encoded:
        """Encode an output of any model of this language without writing it as text: its tokens if they spell the same
        words in this vocabulary, or else its words, some of which may be unknown."""
        words = list(joined(written.tokens, written.words)[:-1])
        if all(token in self._ids for token in written.tokens):
            same = self.encode_tokens(written.tokens)
            if self.vocabulary.words(same.ids) == words:
                return same
        return self.vocabulary.encode(words)

    def encode_tokens(self, tokens: Sequence[str]) -> Encoded:
        """Encode tokens that a model wrote, such as those of a ``Hypothesis``. Each token gets its id, [UNK] included,
        even if the vocabulary would segment the words differently. InputError for a token not in the vocabulary."""
        missing = [token for token in tokens if token not in self._ids]
        if missing:
            raise InputError(say("errors.not_in_vocabulary", word=missing[0]))
        ids = tuple(self._ids[token] for token in tokens)
        return Encoded(ids=ids, tokens=tuple(tokens), words=self.vocabulary.word_indices(ids), unknown=())

    def _words(self, text: str) -> list[str]:
        return self.tokenizer.tokenize_output(text) if self.reads_output else self.tokenizer.tokenize(text)

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The id of each surface form. If several ids have the same surface form, the smallest of them."""
        surfaces = self.vocabulary.tokens(range(len(self.vocabulary)))
        return {surface: id for id, surface in reversed([*enumerate(surfaces)])}


class PaddedTokens:
    """A padded batch of encoded sentences: ids [S, T] and mask, bool [S, T], True where there is a token."""

    def __init__(self, encoded: Sequence[Encoded], device: torch.device) -> None:
        sentences = padded([np.array(e.ids, dtype=np.int64) for e in encoded])
        self.ids: Tensor = torch.from_numpy(sentences.ids).to(device)
        self.mask: Tensor = torch.from_numpy(sentences.mask).to(device)


def hypothesis(
    source: Encoded,
    candidate: Candidate,
    target: TextCodec,
    *,
    replace_unk: Mapping[str, str] | None,
    alpha: bool,
) -> Hypothesis:
    """Make the record of an output. alpha: whether the record has the candidate's alpha, if there is one. replace_unk:
    dictionary for ``without_unknown``, which requires alpha. None = keep [UNK]."""
    tokens = target.vocabulary.tokens(candidate.ids)
    words = target.vocabulary.words(candidate.ids)
    encoded = Encoded(ids=candidate.ids, tokens=tokens, words=target.vocabulary.word_indices(candidate.ids), unknown=())
    alignment = None if candidate.alpha is None else source.aligned(encoded, candidate.alpha)
    if replace_unk is not None:
        assert alignment is not None
        words = without_unknown(alignment, replace_unk)
    return Hypothesis(
        text=target.tokenizer.detokenize(words),
        tokens=tokens,
        log_probability=candidate.log_probability,
        score=candidate.score,
        token_log_probabilities=candidate.token_log_probabilities,
        alignment=alignment if alpha else None,
        encoded=encoded,
    )


def forced_score(
    source: Encoded, target: Encoded, values: NDArray[np.float64], alpha: NDArray[np.float32] | None
) -> ForcedScore:
    """Make the record of a given pair from log-probabilities, [T_y], and alpha, [T_y, T_x], both padded or not."""
    log_probabilities = tuple(float(value) for value in values[: len(target.ids)])
    return ForcedScore(
        log_probability=sum(log_probabilities),
        token_log_probabilities=log_probabilities,
        tokens=target.tokens,
        alignment=None if alpha is None else source.aligned(target, alpha),
        source=source,
        target=target,
    )


def without_unknown(alignment: Alignment, dictionary: Mapping[str, str]) -> list[str]:
    """Return the target words without [UNK]. The attended word is the source word with the largest weight. A target
    word [UNK] becomes the dictionary's entry for the attended word, or the attended word itself if there is no entry.
    [UNK] inside a longer word always becomes the attended word."""
    merged = alignment.merged()
    source = merged.source[:-1]
    words = list(merged.target[:-1])
    for i, word in enumerate(words):
        if UNKNOWN in word and source:
            attended = source[int(merged.weights[i, : len(source)].argmax())]
            words[i] = dictionary.get(attended, attended) if word == UNKNOWN else word.replace(UNKNOWN, attended)
    return words
