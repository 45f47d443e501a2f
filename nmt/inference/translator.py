"""A loaded model with its vocabularies: text in, records out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import torch

from nmt.config import Config, SearchSettings
from nmt.data.dictionary import Dictionary, Replacement
from nmt.data.vocabularies.vocabulary import UNK_ID, Vocabulary
from nmt.errors import InputError
from nmt.inference.batching import WINDOW
from nmt.inference.forced_decoding import EncodedPair, score_pairs
from nmt.inference.prepared_steps import PreparedSteps
from nmt.inference.text_codec import PaddedTokens, TextCodec, hypothesis
from nmt.inference.text_search import Sentence, TextSearch, blank_translation, greedy_texts
from nmt.model import TranslationModel
from nmt.results import Alignment, ForcedScore, Hypothesis, Translation
from nmt.runs.fingerprint import Fingerprint
from nmt.runs.folder import DICTIONARY
from nmt.search.beam import BeamSettings
from nmt.search.sampling import sample


class Translator:
    """Translates, scores and aligns. Safe to share between threads: no call changes it.

    Attributes:
        name: the run folder's name.
        config: recipe, model and training settings.
        source, target: language, tokeniser and vocabulary of each side.
        fingerprint: of the files it was loaded from; None for one that was not.
        precision: of the matrix products of a search, "fp32" or "bf16".
    """

    def __init__(
        self,
        name: str,
        config: Config,
        model: TranslationModel,
        source: TextCodec,
        target: TextCodec,
        dictionary: Dictionary | None = None,
        fingerprint: Fingerprint | None = None,
        precision: str = "fp32",
    ) -> None:
        self.name, self.config = name, config
        self._model = model
        self.precision = precision
        self._steps = PreparedSteps(model, torch.bfloat16 if precision == "bf16" else None)
        self.source, self.target = source, target
        self._dictionary = dictionary
        self.fingerprint = fingerprint

    @property
    def has_alignment(self) -> bool:
        """Whether the model attends, so that there is an alpha to show."""
        return self.config.model.architecture == "rnnsearch"

    @property
    def search_settings(self) -> SearchSettings:
        """The run's own, with which it translates unless told otherwise."""
        return self.config.search

    def resolved(self, settings: SearchSettings) -> SearchSettings:
        """The same settings with "copy" or "dictionary" in place of "auto". Raises InputError if [UNK] is to be
        replaced and the model has no alpha, or by a dictionary that the run does not have."""
        asked = settings.replace_unk
        if asked is None:
            return settings
        if not self.has_alignment:
            raise InputError(f"{self.name} is an RNNencdec: without alpha, no source word can replace [UNK]")
        if asked == "dictionary" and self._dictionary is None:
            raise InputError(f"{self.name} has no {DICTIONARY}; `python -m nmt dictionary` makes one")
        chosen: Replacement = "copy" if asked == "copy" or self._dictionary is None else "dictionary"
        return replace(settings, replace_unk=chosen)

    @property
    def source_language(self) -> str:
        return self.source.tokenizer.language

    @property
    def target_language(self) -> str:
        return self.target.tokenizer.language

    @property
    def source_vocabulary(self) -> Vocabulary:
        return self.source.vocabulary

    @property
    def target_vocabulary(self) -> Vocabulary:
        return self.target.vocabulary

    @property
    def model(self) -> TranslationModel:
        """What stands behind the texts, in evaluation mode: for looking inside, not to be changed."""
        return self._model

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(parameter.numel() for parameter in self._model.parameters())

    def unknown_words(self, text: str) -> tuple[str, ...]:
        """Words of a source sentence that the vocabulary does not hold, in order."""
        return self.source.encode(text).unknown

    def count_unknown(self, side: str, texts: Sequence[str]) -> list[int]:
        """How many unknown words each text of the ``side`` ("source" or "target") has."""
        chosen = self.source if side == "source" else self.target
        return [len(chosen.encode(text).unknown) for text in texts]

    def translate(
        self,
        text: str,
        settings: SearchSettings | None = None,
        *,
        beam: int | None = None,
        n_best: int | None = None,
        no_unk: bool | None = None,
        replace_unk: bool | Replacement | None = None,
        length_penalty: float | None = None,
        alpha: bool = True,
        on_step: Callable[[int, int], None] | None = None,
    ) -> Translation:
        """Translate one sentence by beam search.

        Args:
            text: one sentence, untokenised.
            settings: of the search; None = the run's own, ``search_settings``.
            beam, n_best, no_unk, replace_unk, length_penalty: changes to these settings, as in
                ``SearchSettings.changed``.
            alpha: whether the records have the alignment weights, [T_y, T_x] each.
            on_step: called as on_step(words so far, limit) before each target word; what it raises ends the
                search.

        Raises:
            InputError: a setting is out of range, [UNK] is to be replaced and the model has no alpha, or by a
                dictionary that the run does not have.
        """
        settings = (settings or self.search_settings).changed(
            beam=beam, n_best=n_best, no_unk=no_unk, replace_unk=replace_unk, length_penalty=length_penalty
        )
        search = self.search(settings, alpha)
        return search.translate([self._read(text)], on_step)[0] if text.strip() else blank_translation(text)

    def translate_all(
        self,
        texts: Sequence[str],
        settings: SearchSettings | None = None,
        *,
        beam: int | None = None,
        n_best: int | None = None,
        no_unk: bool | None = None,
        replace_unk: bool | Replacement | None = None,
        length_penalty: float | None = None,
        alpha: bool = True,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[Translation]:
        """Translate many sentences, in batches of similar length; the arguments are those of ``translate``.

        A blank text gives a blank translation. ``on_progress`` is called with the number of texts done, after each
        batch.
        """
        settings = (settings or self.search_settings).changed(
            beam=beam, n_best=n_best, no_unk=no_unk, replace_unk=replace_unk, length_penalty=length_penalty
        )
        sentences = (self._read(text) for text in texts)
        return list(self.search(settings, alpha).stream(sentences, first=WINDOW, on_progress=on_progress))

    def translate_stream(
        self,
        texts: Iterable[str],
        settings: SearchSettings | None = None,
        *,
        alpha: bool = True,
        window: int = WINDOW,
        at_hand: Callable[[], bool] | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[Translation]:
        """Translate texts without end, in order.

        Args:
            settings: of the search; None = the run's own.
            alpha: whether the records have the alignment weights.
            texts: read a window at a time, never further than what has been given out and the window in work. If
                they raise, the translations of what came before are given out first.
            window: the most texts of a window; the first ones are smaller, and long sentences make them smaller.
                Within one, sentences of similar length are translated together.
            at_hand: whether the next text can be had without waiting. If not, what was read is translated first,
                so that whoever sends one line gets its translation; None = always.
            on_progress: called with the number of texts done, after each batch.
        """
        search = self.search(settings or self.search_settings, alpha)
        sentences = (self._read(text) for text in texts)
        return search.stream(sentences, most=window, at_hand=at_hand, on_progress=on_progress)

    def greedy_all(self, texts: Sequence[str]) -> list[str]:
        """Greedy translations, the fastest there are; blank for blank."""
        sentences = [self._read(text) for text in texts]
        return greedy_texts(self._steps, self.target, sentences)

    def sample(self, text: str, *, n: int = 1, seed: int = 0) -> list[Hypothesis]:
        """``n`` translations drawn from p(y | x), one word after the other; the same seed gives the same ones."""
        encoded = self.source.encode(text)
        batch = PaddedTokens([encoded], self._device)
        generator = torch.Generator(self._device).manual_seed(seed)
        with torch.inference_mode():
            found = sample(self._steps.steps(), batch.ids, batch.mask, n, generator)[0]
        return [hypothesis(encoded, candidate, self.target) for candidate in found]

    def score(self, source: str, target: str) -> ForcedScore:
        """log p(target | source) by forced decoding, with alpha; unknown words are scored as [UNK]."""
        return self.score_all([source], [target])[0]

    def score_all(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[ForcedScore]:
        """Forced decoding of many pairs; InputError if there are not as many sources as targets."""
        _same_number(sources, targets)
        return list(self.score_stream(zip(sources, targets, strict=True), on_progress=on_progress))

    def score_stream(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        alpha: bool = True,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[ForcedScore]:
        """``score`` for pairs without end, in order, read a window at a time.

        Args:
            pairs: source and target.
            alpha: whether the records have the alignment weights.
            on_progress: called with the number of pairs done, after each batch.
        """
        encoded = ((self.source.encode(source), self.target.encode(target)) for source, target in pairs)
        return self.score_encoded(encoded, alpha=alpha, on_progress=on_progress)

    def score_encoded(
        self,
        pairs: Iterable[EncodedPair],
        *,
        alpha: bool = True,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[ForcedScore]:
        """``score_stream`` for pairs that ``source`` and ``target`` have encoded."""
        return score_pairs(self._model, pairs, alpha=alpha, on_progress=on_progress)

    def align(self, source: str, target: str, *, pretokenised: bool = False) -> Alignment:
        """Alpha of a given pair by forced decoding. ``source_words`` and ``target_words`` count the whitespace
        words of the lines as given, so ``merged()`` and ``links()`` speak of those.

        ``pretokenised``: the lines are tokenised already; their words are used as they are.
        Raises InputError for a model without attention.
        """
        return self.align_all([source], [target], pretokenised=pretokenised)[0]

    def align_all(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        pretokenised: bool = False,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[Alignment]:
        """``align`` for many pairs."""
        _same_number(sources, targets)
        pairs = zip(sources, targets, strict=True)
        return list(self.align_stream(pairs, pretokenised=pretokenised, on_progress=on_progress))

    def align_stream(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        pretokenised: bool = False,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[Alignment]:
        """``align`` for pairs without end, in order, read a window at a time."""
        if not self.has_alignment:
            raise InputError(
                f"{self.name} is an RNNencdec: it reads the sentence into one vector and has no alignment weights"
            )
        encoded = (
            (self.source.encode_line(source, pretokenised), self.target.encode_line(target, pretokenised))
            for source, target in pairs
        )
        scored = self.score_encoded(encoded, on_progress=on_progress)
        return (forced.alignment for forced in scored if forced.alignment is not None)

    def posterior(self, source: str, target: str, *, pretokenised: bool = False) -> Alignment:
        """As ``align``, but each row weighs the source words with the target word known; not alpha. See
        ``TranslationModel.posterior``; only for a model with attention."""
        x, y = self.source.encode_line(source, pretokenised), self.target.encode_line(target, pretokenised)
        read, written = PaddedTokens([x], self._device), PaddedTokens([y], self._device)
        weights = self._model.posterior(read.ids, read.mask, written.ids)[0]
        return Alignment(x.tokens, y.tokens, weights.cpu().numpy(), x.words, y.words)

    @property
    def _device(self) -> torch.device:
        return self._model.decoder.E.device

    def _read(self, text: str) -> Sentence:
        return Sentence(text, self.source.encode(text))

    def search(self, settings: SearchSettings, alpha: bool = True) -> TextSearch:
        """The beam search that ``translate`` does with these settings; raises InputError as there."""
        settings = self.resolved(settings)
        beam = BeamSettings(
            beam=settings.beam,
            n_best=settings.n_best,
            length_penalty=settings.length_penalty,
            forbidden=(UNK_ID,) if settings.no_unk else (),
            alpha=alpha or settings.replace_unk is not None,
        )
        words = {None: None, "copy": Dictionary({}), "dictionary": self._dictionary}[settings.replace_unk]
        return TextSearch(self._steps, self.target, beam, words, alpha)


def _same_number(sources: Sequence[str], targets: Sequence[str]) -> None:
    if len(sources) != len(targets):
        raise InputError(f"there are {len(sources)} sources, but {len(targets)} targets")
