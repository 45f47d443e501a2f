"""Searches under constraints on whole words of one or more subwords, and the tree of all hypotheses of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from nmt.config import SearchSettings
from nmt.data.vocabulary import END_ID, UNK_ID, Encoded
from nmt.errors import InputError
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.text_search import EncodedSentence
from nmt.inference.translator import Translator
from nmt.results import UNKNOWN, BeamNode, BeamTree, Intervention, NextToken, Translation
from nmt.search.beam_trace import BeamTrace, trace_beam
from nmt.search.constrained import (
    Allowed,
    Constrained,
    Forbidden,
    MustBe,
    OutputConstraints,
    OutputRule,
    Weights,
    prefix,
)
from nmt.search.limits import length_limits
from nmt.texts import say

_FOLLOWING = 5
"""Number of most probable next tokens that are recorded for each hypothesis of a tree."""


@dataclass(frozen=True)
class _Incomplete:
    """Rule: no word may begin directly after a forbidden word, so the next token must make that word longer."""

    target: TargetWords
    words: frozenset[str]

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        vocabulary, starts = self.target.vocabulary, self.target.starts
        numbers = vocabulary.word_indices(written)
        if numbers and not self.words.isdisjoint(vocabulary.words(written[numbers.index(numbers[-1]) :])):
            allowed[: len(starts)] &= ~starts


def what_if(
    model: Translator,
    text: str,
    intervention: Intervention,
    settings: SearchSettings | None = None,
    *,
    on_step: Callable[[int, int], None] | None = None,
) -> Translation:
    """Translate one sentence under an intervention. An empty intervention changes nothing in the translation. ``text``,
    ``settings`` and the result: as for ``Translator.translate``. ``on_step``: as for ``beam_search``.

    The alpha of the result has the replaced rows. With subwords, a forbidden word is recognised only at its end, so a
    narrow beam may have only odd longer words left.

    Raises:
        InputError: the model cannot write a word, constraints contradict each other, or the source lacks a blocked
            word. Or weights do not fit the source or are all 0. Or a model without attention would need other weights.
            Or an error of ``Translator.translate``.
    """
    settings = settings or model.search_settings
    search = model.search(settings)
    sentence = EncodedSentence(text, model.source.encode(text))
    rules, required, reach = _demands(model, intervention)
    if settings.no_unk and UNK_ID in required:
        raise InputError(f"{UNKNOWN} is both required and forbidden")
    blocked = _blocked(model, sentence.encoded, intervention.blocked)
    steering = OutputConstraints(rules, _weights(model, sentence.encoded, intervention.weights), blocked)
    if sentence.blank:
        return search.blank(text)
    if reach:
        usual = int(length_limits(torch.ones(1, len(sentence), dtype=torch.bool), 0, None)[0])
        search = replace(search, settings=replace(search.settings, max_length=usual + reach))
    return search.translate([sentence], on_step, [steering])[0]


@dataclass(frozen=True, kw_only=True)
class _Passage:
    """Ids that are required from step ``step`` on, the rules that require them, and the complete words they spell."""

    rules: tuple[OutputRule, ...]
    step: int
    ids: tuple[int, ...]
    words: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.step + len(self.ids)


def _demands(model: Translator, intervention: Intervention) -> tuple[tuple[OutputRule, ...], tuple[int, ...], int]:
    """The rules of an intervention, the ids that every output contains, and the step after the last required id."""
    target = TargetWords(model)
    required = [target.beginning(intervention.prefix), *(target.whole(*forced) for forced in intervention.forced)]
    required.sort(key=lambda part: (part.step, part.end))
    for before, after in pairwise(required):
        if after.step < before.end:
            raise InputError(say("errors.two_constraints", token=after.step))
    forbidden = [target.word(text) for text in intervention.forbidden]
    for word in forbidden:
        if any(word in part.words for part in required):
            raise InputError(say("errors.word_required_and_forbidden", word=word))
    rules = (rule for part in required for rule in part.rules)
    ids = (id for part in required for id in part.ids)
    return (*rules, *target.forbidden(forbidden)), tuple(ids), max(part.end for part in required)


class TargetWords:
    """The target side of a model. It converts a user's words to ids, and to rules that require or forbid the words."""

    def __init__(self, model: Translator) -> None:
        self._name, self._side, self.vocabulary = model.name, model.target, model.target.vocabulary
        self.in_pieces = self.vocabulary.kind != "words"

    @cached_property
    def starts(self) -> Allowed:
        """[K_y], True for each id that always begins a new word. The end-of-sentence token counts as a word."""
        numbers = self.vocabulary.word_indices([token for id in range(len(self.vocabulary)) for token in (UNK_ID, id)])
        return np.diff(numbers)[::2] > 0

    def words(self, text: str) -> list[str]:
        """The tokenised words of a text. [UNK] stays one word. InputError for a blank text."""
        first, *others = text.split(UNKNOWN)
        words = self._side.tokenizer.tokenize(first)
        for part in others:
            words += [UNKNOWN, *self._side.tokenizer.tokenize(part)]
        if not words:
            raise InputError(say("errors.blank_word"))
        return words

    def word(self, text: str) -> str:
        """The only word of a text. InputError if the text has several words or none."""
        words = self.words(text)
        if len(words) > 1:
            raise InputError(say("errors.several_words", text=text, count=len(words), words=" ".join(words)))
        return words[0]

    def ids(self, word: str) -> tuple[int, ...]:
        """The ids of a word's tokens. InputError if the model cannot write the word."""
        if word == UNKNOWN:
            if self.in_pieces:
                raise InputError(say("errors.no_word_in_subwords", run=self._name, word=UNKNOWN))
            return (UNK_ID,)
        ids = tuple(self.vocabulary.ids([word])[:-1])
        if UNK_ID in ids:
            raise InputError(say("errors.not_in_vocabulary_of", run=self._name, word=word))
        return ids

    def whole(self, step: int, text: str) -> _Passage:
        """Require the words of ``text`` from step ``step`` on. The token after them must begin a new word. Raises
        InputError for a negative step."""
        if step < 0:
            raise InputError(f"target tokens are counted from 0, but a word is forced at {step}")
        words = self.words(text)
        ids = tuple(id for word in words for id in self.ids(word))
        rules: list[OutputRule] = [MustBe(place, (id,)) for place, id in enumerate(ids, start=step)]
        if self.in_pieces:
            rules.append(MustBe(step + len(ids), tuple(np.flatnonzero(self.starts).tolist())))
        return _Passage(rules=tuple(rules), step=step, ids=ids, words=tuple(words))

    def beginning(self, begin: str | tuple[str, ...]) -> _Passage:
        """The tokens that a prefix requires, from step 0 on. A blank prefix requires none."""
        if isinstance(begin, str):
            return self.whole(0, begin) if begin.strip() else _Passage(rules=(), step=0, ids=(), words=())
        ids = self._side.encode_tokens(begin).ids
        if END_ID in ids:
            raise InputError("the prefix contains the end-of-sentence token, after which nothing can follow")
        words = tuple(self.vocabulary.words(ids))
        return _Passage(rules=prefix(ids), step=0, ids=ids, words=words[:-1] if self.in_pieces else words)

    def forbidden(self, words: Sequence[str]) -> tuple[OutputRule, ...]:
        """Rules under which no output has one of ``words`` in any segmentation. Longer words that begin with them may
        occur. InputError for a word that the model cannot write."""
        ids = {word: self.ids(word) for word in words if word != UNKNOWN}
        rules: list[OutputRule] = [Forbidden((UNK_ID,))] * (UNKNOWN in words)
        if ids and self.in_pieces:
            rules.append(_Incomplete(self, frozenset(ids)))
        elif ids:
            rules.append(Forbidden(tuple(id for word in ids.values() for id in word)))
        return tuple(rules)


def _weights(model: Translator, source: Encoded, rows: Sequence[tuple[int, Sequence[float]]]) -> dict[int, Weights]:
    """The weights that replace alpha, by step. InputError for weights that do not fit the source."""
    if rows and not model.has_alignment:
        raise InputError(f"{model.name} is an RNNencdec: it has no attention weights to replace")
    numbering = {word: k for k, word in enumerate(dict.fromkeys(source.words))}
    by_words, by_tokens = tuple(numbering[word] for word in source.words), tuple(range(len(source.ids)))
    weights: dict[int, Weights] = {}
    for step, row in rows:
        if step < 0 or step in weights:
            raise InputError(f"target token {step} has two rows of weights or is below 0")
        if len(row) not in (len(by_tokens), len(numbering)):
            raise InputError(
                f"the weights of target token {step} are {len(row)} numbers, but the source has {len(numbering)} words "
                f"and {len(by_tokens)} tokens, end-of-sentence token included"
            )
        weights[step] = Weights(tuple(map(float, row)), by_tokens if len(row) == len(by_tokens) else by_words)
    return weights


def _blocked(model: Translator, source: Encoded, words: Sequence[int]) -> tuple[int, ...]:
    """Places of the source tokens that get no weight: all tokens of the source words with the numbers ``words``."""
    if words and not model.has_alignment:
        raise InputError(f"{model.name} is an RNNencdec: it has no attention from which a word could be left out")
    numbers = list(dict.fromkeys(source.words))
    if any(not 0 <= word < len(numbers) - 1 for word in words):
        raise InputError(f"the source has {len(numbers) - 1} words, but one of {sorted(words)} is to be left out")
    left_out = {numbers[word] for word in words}
    return tuple(k for k, word in enumerate(source.words) if word in left_out)


def beam_tree(model: Translator, text: str, settings: SearchSettings, *, begin: Sequence[str] = ()) -> BeamTree:
    """Search like ``model.translate``, and record all hypotheses. ``text``: one sentence, untokenised, not blank.
    ``begin``: tokens of the model's output with which every hypothesis must begin.

    Raises:
        InputError: ``text`` is blank, a token of ``begin`` is not in the vocabulary or ends the sentence, or an error
            of ``Translator.translate``.
    """
    if not text.strip():
        raise InputError("there is no sentence to search a translation of")
    beginning = model.target.encode_tokens(begin).ids if begin else ()
    if END_ID in beginning:
        raise InputError("nothing can follow the end-of-sentence token")
    search = model.search(settings)
    source = model.source.encode(text)
    batch = PaddedTokens([source], search.steps.device)
    usual = int(length_limits(batch.mask, search.settings.min_length, search.settings.max_length)[0])
    limits = replace(search.settings, max_length=usual + len(beginning))  # the required tokens do not shorten the rest
    steps: Constrained[Any] = Constrained(search.model(), [OutputConstraints(prefix(beginning))])
    with torch.inference_mode(), search.steps.threads(search.settings.beam):
        trace = trace_beam(steps, batch.ids, batch.mask, limits, top=_FOLLOWING)
    winner = trace.outputs[0].ids
    best = next(k for k, node in enumerate(trace.nodes) if node.fate == "finished" and trace.ids(k) == winner)
    return BeamTree(
        source=source,
        nodes=tuple(_node(model, trace, k) for k in range(len(trace.nodes))),
        best=best,
        given=tuple(begin),
        beam=search.settings.beam,
    )


def _node(model: Translator, trace: BeamTrace, number: int) -> BeamNode:
    node, vocabulary = trace.nodes[number], model.target.vocabulary
    ids = trace.ids(number)
    tokens = vocabulary.tokens([item.id for item in node.following])
    return BeamNode(
        parent=node.parent,
        length=node.length,
        token=vocabulary.tokens([node.id])[0] if node.parent is not None else "",
        text=model.target.tokenizer.detokenize(vocabulary.words(ids)),
        token_log_probability=node.token_log_probability,
        log_probability=node.log_probability,
        fate=node.fate,
        following=tuple(
            NextToken(token, item.log_probability, None) for token, item in zip(tokens, node.following, strict=True)
        ),
        alpha=node.alpha,
    )
