"""A system: anything that can translate, and score and align given pairs. Text in, records out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, replace
from itertools import tee
from typing import Self, Unpack, overload

import numpy as np
import torch
from numpy.typing import NDArray

from nmt.config import LEAST_TEMPERATURE, MOST_BEAM, MOST_TEMPERATURE, SearchChanges, SearchSettings
from nmt.data.vocabulary import UNK_ID, Encoded
from nmt.errors import InputError
from nmt.inference.text_codec import TextCodec
from nmt.inference.text_search import WINDOW, EncodedSentence, PreparedSteps, TextSearch, score_pairs
from nmt.results import Alignment, ForcedScore, Languages, Translation
from nmt.results.record import Writer
from nmt.runs.fingerprint import Fingerprint
from nmt.runs.folder import DICTIONARY
from nmt.search.beam import BeamSettings

Texts = list[str] | tuple[str, ...]
"""Several sentences."""


class System:
    """A run, a committee of runs, or another model that translates. No call modifies it, so threads may share it.

    Attributes:
        name: the folder's name, or for a committee the names of its runs.
        kind: the architecture, or "committee".
        has_alignment: whether the model has attention, and therefore alpha.
        source, target: language, tokeniser and vocabulary of each side.
        search_settings: the search settings of calls that pass none.
        fingerprint: fingerprint of the system's files. None if it was not loaded from files.
        precision: precision of the matrix products of a search.
        update: number of updates that made the weights, by which results name them. None if unknown.
    """

    def __init__(
        self,
        name: str,
        steps: PreparedSteps,
        source: TextCodec,
        target: TextCodec,
        search_settings: SearchSettings,
        dictionary: Mapping[str, str] | None,
        fingerprint: Fingerprint | None,
        precision: str,
        update: int | None,
    ) -> None:
        self.name, self.kind, self._steps = name, steps.kind, steps
        self.has_alignment = steps.has_alpha
        self.source, self.target, self._dictionary = source, target, dictionary
        self.search_settings, self.fingerprint = search_settings, fingerprint
        self.precision, self.update = precision, update
        self.languages = Languages(source.tokenizer.language, target.tokenizer.language)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.kind}, {self.source_language} to {self.target_language}>"

    @property
    def source_language(self) -> str:
        return self.languages.source

    @property
    def target_language(self) -> str:
        return self.languages.target

    @property
    def device(self) -> torch.device:
        """Device of the computation."""
        return self._steps.device

    @property
    def engine(self) -> str:
        """The program that computes steps of few hypotheses: "torch", or "native" and a checksum."""
        return self._steps.engine

    @property
    def writer(self) -> Writer:
        """This system's entry in records."""
        source, target = self.languages.source, self.languages.target
        return Writer(name=self.name, kind=self.kind, source_language=source, target_language=target)

    @property
    def identity(self) -> dict[str, str]:
        """Everything but search settings that decides results: the run's name, checksums and precision."""
        assert self.fingerprint is not None, "it was loaded from a folder"
        return {"run": self.name} | asdict(self.fingerprint) | {"precision": self.precision}

    def every_head(self, source: Encoded, target: Encoded) -> NDArray[np.float32] | None:
        """Attention weights of all heads for a pair, [layers, heads, T_y, T_x]. None if this is no Transformer."""
        return None

    def resolved(self, settings: SearchSettings) -> SearchSettings:
        """Return the settings with "auto" resolved to "copy" or "dictionary". InputError if the settings need alpha or
        a dictionary that the system does not have."""
        if settings.hard_attention and not self.has_alignment:
            raise InputError(f"{self.name} is an RNNencdec: it has no attention that could be hard")
        choice = settings.replace_unk
        if choice is None:
            return settings
        if not self.has_alignment:
            raise InputError(f"{self.name} is an RNNencdec: without alpha, no source word can replace [UNK]")
        if choice == "dictionary" and self._dictionary is None:
            raise InputError(f"{self.name} has no {DICTIONARY}; `python -m release dictionary` makes one")
        return settings.resolved(dictionary=self._dictionary is not None)

    @overload
    def translate(
        self, text: str, settings: SearchSettings | None = None, *, alpha: bool = ..., **changes: Unpack[SearchChanges]
    ) -> Translation: ...
    @overload
    def translate(
        self,
        text: Texts,
        settings: SearchSettings | None = None,
        *,
        alpha: bool = ...,
        **changes: Unpack[SearchChanges],
    ) -> list[Translation]: ...
    def translate(
        self,
        text: str | Texts,
        settings: SearchSettings | None = None,
        *,
        alpha: bool = True,
        **changes: Unpack[SearchChanges],
    ) -> Translation | list[Translation]:
        """Translate one sentence or a list of sentences by beam search. A blank text gives a blank translation.

        Args:
            text: one sentence, untokenised, or a list of sentences.
            settings: search settings. None = the system's ``search_settings``.
            alpha: include the alignment weights, [T_y, T_x] each, in the records.
            changes: new values for some settings: beam, n_best, no_unk, replace_unk, length_penalty, hard_attention.

        Raises InputError if ``text`` is not text or a setting is out of range, and the errors of ``resolved``.
        """
        texts = texts_of("the text", text)
        if not isinstance(settings, SearchSettings | None):
            raise InputError(f"settings must be SearchSettings, not {settings!r:.60}")
        settings = (settings or self.search_settings).changed(**changes)
        translations = list(self.translate_stream(iter(texts), settings, alpha=alpha, first=WINDOW))
        return translations[0] if isinstance(text, str) else translations

    def sample(
        self, text: str, number: int, settings: SearchSettings | None = None, *, temperature: float = 1.0, seed: int = 1
    ) -> Translation:
        """Draw translations of one sentence at random, word by word (``nmt.search.sampling``). The hypotheses are in
        the order drawn. A blank text gives a blank translation.

        Args:
            text: one sentence, untokenised.
            number: number of translations, at least 1.
            settings: only those for [UNK] and hard attention apply. None = the system's ``search_settings``.
            temperature: T > 0. Below 1 probable words become more probable.
            seed: seed of the random numbers.

        Raises InputError if ``number`` or ``temperature`` is out of range, and the errors of ``translate``.
        """
        if not 1 <= number <= MOST_BEAM:
            raise InputError(f"the number of translations must be 1 to {MOST_BEAM:,}, but is {number}")
        if not LEAST_TEMPERATURE <= temperature <= MOST_TEMPERATURE:
            raise InputError(f"the temperature must be {LEAST_TEMPERATURE} to {MOST_TEMPERATURE}, but is {temperature}")
        (sentence,) = (self.read(line) for line in texts_of("the text", text))
        search = self.search(replace(settings or self.search_settings, n_best=1, beam=number))
        return search.blank(text) if sentence.blank else search.sample(sentence, number, temperature, seed)

    def translate_stream(
        self,
        texts: Iterable[str],
        settings: SearchSettings | None = None,
        *,
        alpha: bool = True,
        first: int | None = None,
        window: int = WINDOW,
        at_hand: Callable[[], bool] | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[Translation]:
        """Translate a possibly endless stream of texts, in order.

        Args:
            texts: the texts, read one window at a time and never beyond the window being translated. If the stream
                raises, the translations of the earlier texts are yielded first.
            settings, alpha: as for ``translate``.
            first, window: number of texts in the first window (None = a few), and in the largest window. Windows of
                long sentences are smaller. Within a window, sentences of similar length are translated together.
            at_hand: returns whether the next text is available without waiting. If not, the texts already read are
                translated first. None = always available.
            on_progress: called with the number of texts done, after each batch.
        """
        search = self.search(settings or self.search_settings, alpha)
        sentences = (self.read(text) for text in texts)
        return search.stream(sentences, first=first, most=window, at_hand=at_hand, on_progress=on_progress)

    @overload
    def score(self, source: str, target: str) -> ForcedScore: ...
    @overload
    def score(self, source: Texts, target: Texts) -> list[ForcedScore]: ...
    def score(self, source: str | Texts, target: str | Texts) -> ForcedScore | list[ForcedScore]:
        """Compute log p(target | source) and alpha by forced decoding, for a pair or for lists of sources and targets.
        Unknown words, and the text "[UNK]" in the target, are scored as the token [UNK].

        InputError for anything but text, and for unequal numbers of sources and targets.
        """
        scores = list(self.score_stream(_pairs(source, target)))
        return scores[0] if isinstance(source, str) else scores

    def score_stream(
        self,
        pairs: Iterable[tuple[str | Encoded, str | Encoded]],
        *,
        alpha: bool = True,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[ForcedScore]:
        """Apply ``score`` to a possibly endless stream of pairs, in order, read one window at a time. A side is a text,
        or is encoded by the codecs ``source`` and ``target``. The rest is as in ``translate_stream``."""
        pairs, pairs_again = tee(pairs)
        encoded = (self.pair(source, target) for source, target in pairs)
        scores = score_pairs(self._steps, encoded, alpha=alpha, on_progress=on_progress)
        for score, pair in zip(scores, pairs_again, strict=True):
            source, target = (side if isinstance(side, str) else "" for side in pair)
            yield replace(score, pair=(source, target), writer=self.writer)

    @overload
    def align(self, source: str, target: str, *, pretokenised: bool = ...) -> Alignment: ...
    @overload
    def align(self, source: Texts, target: Texts, *, pretokenised: bool = ...) -> list[Alignment]: ...
    def align(
        self, source: str | Texts, target: str | Texts, *, pretokenised: bool = False
    ) -> Alignment | list[Alignment]:
        """Compute alpha of one pair, or of lists of sources and targets, by forced decoding. In the result the words
        are the whitespace tokens of the lines.

        ``pretokenised``: whether the lines are already tokenised, so that they are only split. Raises InputError for a
        model without attention, and for the errors of ``score``.
        """
        alignments = list(self.align_stream(_pairs(source, target), pretokenised=pretokenised))
        return alignments[0] if isinstance(source, str) else alignments

    def encode_pairs(
        self, pairs: Iterable[tuple[str, str]], *, pretokenised: bool
    ) -> Iterator[tuple[Encoded, Encoded]]:
        """Encode both lines of each pair with ``encode_line``: the words are the lines' whitespace tokens."""
        for source, target in pairs:
            yield self.source.encode_line(source, pretokenised), self.target.encode_line(target, pretokenised)

    def pair(self, source: str | Encoded, target: str | Encoded) -> tuple[Encoded, Encoded]:
        """Encode each side of a pair that is a text. Return a side that is encoded already unchanged."""
        return (
            self.source.encode(source) if isinstance(source, str) else source,
            self.target.encode(target) if isinstance(target, str) else target,
        )

    def align_stream(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        pretokenised: bool = False,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[Alignment]:
        """Apply ``align`` to a possibly endless stream of pairs, in order, read one window at a time."""
        if not self.has_alignment:
            raise InputError(
                f"{self.name} is an RNNencdec: it encodes the sentence as one vector and has no alignment weights"
            )
        scored = self.score_stream(self.encode_pairs(pairs, pretokenised=pretokenised), on_progress=on_progress)
        return (forced.alignment for forced in scored if forced.alignment is not None)

    def read(self, text: str) -> EncodedSentence:
        """Encode a sentence for ``TextSearch.translate``."""
        return EncodedSentence(text, self.source.encode(text))

    def search(self, settings: SearchSettings, alpha: bool = True) -> TextSearch:
        """Return the beam search of ``translate`` for these settings. Raises the InputErrors of ``translate``."""
        settings = self.resolved(settings)
        beam = BeamSettings(
            beam=settings.beam,
            n_best=settings.n_best,
            length_penalty=settings.length_penalty,
            forbidden=(UNK_ID,) if settings.no_unk else (),
            watched=(UNK_ID,),
            alpha=alpha or settings.replace_unk is not None,
        )
        words = {None: None, "copy": {}, "dictionary": self._dictionary}[settings.replace_unk]
        return TextSearch(
            steps=self._steps,
            target=self.target,
            settings=beam,
            replace_unk=words,
            alpha=alpha,
            hard=settings.hard_attention,
            writer=self.writer,
        )

    def with_committee(self, others: Sequence[System]) -> Self:
        """Return a committee that searches with this model and ``others``, and ranks outputs by the mean of all models'
        log-probabilities. Alpha, and scores of given pairs, come from this model alone. InputError if languages or
        vocabularies differ."""
        for other in others:
            for ours, theirs in ((self.source, other.source), (self.target, other.target)):
                entries = [codec.vocabulary.tokens(range(len(codec.vocabulary))) for codec in (ours, theirs)]
                if ours.tokenizer.language != theirs.tokenizer.language or entries[0] != entries[1]:
                    raise InputError(f"{other.name} does not have the languages and vocabularies of {self.name}")
        together = copy(self)
        together.kind, together.fingerprint = "committee", None
        together.name = " + ".join([self.name, *(other.name for other in others)])
        together._steps = self._steps.joined_by([other._steps for other in others])
        return together


def texts_of(name: str, value: str | Texts) -> Texts:
    """Return ``value``, a sentence or a list of sentences, as a list. Otherwise InputError, which names it ``name``."""
    texts: Texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{name} must be a sentence or a list of sentences, not {value!r:.60}")
    return texts


def _pairs(source: str | Texts, target: str | Texts) -> Iterator[tuple[str, str]]:
    sources, targets = texts_of("the source", source), texts_of("the target", target)
    if isinstance(source, str) != isinstance(target, str):
        raise InputError("the source is one sentence and the target a list, or the other way round")
    if len(sources) != len(targets):
        raise InputError(f"there are {len(sources)} sources, but {len(targets)} targets")
    return zip(sources, targets, strict=True)
