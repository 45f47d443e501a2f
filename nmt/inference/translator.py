"""Loaded model with its vocabularies: text in, records out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from nmt.config import PRECISION, Config, SearchSettings
from nmt.data.links import Dictionary, Replacement, read_dictionary
from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID, Vocabulary
from nmt.errors import InputError
from nmt.inference.batching import WINDOW
from nmt.inference.checkpoint import find_device, load_model
from nmt.inference.text_codec import PaddedTokens, TextCodec, hypothesis
from nmt.inference.text_search import (
    EncodedPair,
    PreparedSteps,
    Sentence,
    TextSearch,
    blank_translation,
    greedy_texts,
    score_pairs,
)
from nmt.model import TranslationModel
from nmt.results import Alignment, ForcedScore, Hypothesis, Translation
from nmt.runs.fingerprint import Fingerprint, checked_fingerprint
from nmt.runs.folder import BEST, DICTIONARY, LAST, RunInfo, read_run, snapshot_file
from nmt.search.beam import BeamSettings
from nmt.search.sampling import sample

PRECISIONS: Mapping[str, torch.dtype | None] = {"fp32": None, "bf16": torch.bfloat16, "int8": torch.int8}
"""Precisions of a search by name, as ``PreparedSteps`` takes them."""


class Translator:
    """Interface that translates, scores and aligns. Safe to share between threads: no call modifies it.

    Attributes:
        name: the run folder's name.
        config: recipe, model and training settings.
        source, target: language, tokeniser and vocabulary of each side.
        fingerprint: fingerprint of the files it was loaded from; None if it was not loaded from files.
        precision: precision of the matrix products of a search, one of ``PRECISIONS``.
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
        precision: str = PRECISION,
    ) -> None:
        self.name, self.config = name, config
        self._model = model
        self.precision = precision
        self._steps = PreparedSteps(model, PRECISIONS[precision])
        self.source, self.target = source, target
        self._dictionary = dictionary
        self.fingerprint = fingerprint

    @property
    def has_alignment(self) -> bool:
        """True if the model has attention, and so an alpha."""
        return self.config.model.architecture == "rnnsearch"

    @property
    def search_settings(self) -> SearchSettings:
        """Search settings of the run, the defaults of its translations."""
        return self.config.search

    def resolved(self, settings: SearchSettings) -> SearchSettings:
        """Return the settings with "auto" resolved to "copy" or "dictionary". Raises InputError if [UNK] is to be
        replaced and the model has no alpha, or the run does not have the requested dictionary."""
        choice = settings.replace_unk
        if choice is None:
            return settings
        if not self.has_alignment:
            raise InputError(f"{self.name} is an RNNencdec: without alpha, no source word can replace [UNK]")
        if choice == "dictionary" and self._dictionary is None:
            raise InputError(f"{self.name} has no {DICTIONARY}; `jointly dictionary` makes one")
        chosen: Replacement = "copy" if choice == "copy" or self._dictionary is None else "dictionary"
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
        """Underlying model in evaluation mode, for inspection; it must not be modified."""
        return self._model

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(parameter.numel() for parameter in self._model.parameters())

    def unknown_words(self, text: str) -> tuple[str, ...]:
        """List the words of a source sentence that are not in the vocabulary, in order."""
        return self.source.encode(text).unknown

    def count_unknown(self, side: str, texts: Sequence[str]) -> list[int]:
        """Count the unknown words of each text of the ``side`` ("source" or "target")."""
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
            settings: search settings; None = the run's own, ``search_settings``.
            beam, n_best, no_unk, replace_unk, length_penalty: changes to these settings, as in
                ``SearchSettings.changed``.
            alpha: include the alignment weights, [T_y, T_x] each, in the records.
            on_step: called as on_step(words so far, limit) before each target word; an exception it raises ends the
                search.

        Raises:
            InputError: a setting is out of range, or [UNK] is to be replaced and the model has no alpha or the run
                does not have the requested dictionary.
        """
        settings = (settings or self.search_settings).changed(
            beam=beam, n_best=n_best, no_unk=no_unk, replace_unk=replace_unk, length_penalty=length_penalty
        )
        search = self.search(settings, alpha)
        return search.translate([self.read(text)], on_step)[0] if text.strip() else blank_translation(text)

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
        sentences = (self.read(text) for text in texts)
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
        """Translate a possibly endless stream of texts, in order.

        Args:
            settings: search settings; None = the run's own.
            alpha: include the alignment weights in the records.
            texts: read one window at a time, never beyond the window being translated. If the stream raises, the
                translations of the texts before are yielded first.
            window: maximum number of texts in a window; the first windows are smaller, and so are windows of long
                sentences. Within a window, sentences of similar length are translated together.
            at_hand: tells if the next text is available without waiting. If not, the texts already read are
                translated first, so that a sender of a single line gets its translation; None = always available.
            on_progress: called with the number of texts done, after each batch.
        """
        search = self.search(settings or self.search_settings, alpha)
        sentences = (self.read(text) for text in texts)
        return search.stream(sentences, most=window, at_hand=at_hand, on_progress=on_progress)

    def greedy_all(self, texts: Sequence[str]) -> list[str]:
        """Translate greedily, the fastest way; a blank text gives a blank translation."""
        sentences = [self.read(text) for text in texts]
        return greedy_texts(self._steps, self.target, sentences)

    def sample(self, text: str, *, n: int = 1, seed: int = 0) -> list[Hypothesis]:
        """Sample ``n`` translations from p(y | x), word by word; the same seed gives the same translations."""
        encoded = self.source.encode(text)
        batch = PaddedTokens([encoded], self._device)
        generator = torch.Generator(self._device).manual_seed(seed)
        with torch.inference_mode():
            samples = sample(self._steps.steps(), batch.ids, batch.mask, n, generator)[0]
        return [hypothesis(encoded, candidate, self.target) for candidate in samples]

    def score(self, source: str, target: str) -> ForcedScore:
        """Compute log p(target | source) by forced decoding, with alpha. Unknown words are scored as [UNK]; so is
        "[UNK]" in the target, as translations have it."""
        return self.score_all([source], [target])[0]

    def score_all(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[ForcedScore]:
        """Score many pairs by forced decoding; InputError unless there are as many sources as targets."""
        _same_number(sources, targets)
        return list(self.score_stream(zip(sources, targets, strict=True), on_progress=on_progress))

    def score_stream(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        alpha: bool = True,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[ForcedScore]:
        """Apply ``score`` to a possibly endless stream of pairs, in order, read one window at a time.

        Args:
            pairs: source and target of each pair.
            alpha: include the alignment weights in the records.
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
        """Apply ``score_stream`` to pairs already encoded by ``source`` and ``target``."""
        return score_pairs(self._model, pairs, alpha=alpha, on_progress=on_progress)

    def align(self, source: str, target: str, *, pretokenised: bool = False) -> Alignment:
        """Compute alpha of a given pair by forced decoding. ``source_words`` and ``target_words`` index the whitespace
        tokens of the lines as given, and so do ``merged()`` and ``links()``.

        ``pretokenised``: the lines are already tokenised; their tokens are used as they are.
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
        """Apply ``align`` to many pairs."""
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
        """Apply ``align`` to a possibly endless stream of pairs, in order, read one window at a time."""
        if not self.has_alignment:
            raise InputError(
                f"{self.name} is an RNNencdec: it encodes the sentence as one vector and has no alignment weights"
            )
        encoded = (
            (self.source.encode_line(source, pretokenised), self.target.encode_line(target, pretokenised))
            for source, target in pairs
        )
        scored = self.score_encoded(encoded, on_progress=on_progress)
        return (forced.alignment for forced in scored if forced.alignment is not None)

    def posterior(self, source: str, target: str, *, pretokenised: bool = False) -> Alignment:
        """Compute the posterior alignment of a given pair: like ``align``, but each row weighs the source words given
        the target word, so it is not alpha. See ``TranslationModel.posterior``; only for a model with attention."""
        x, y = self.source.encode_line(source, pretokenised), self.target.encode_line(target, pretokenised)
        padded_source, padded_target = PaddedTokens([x], self._device), PaddedTokens([y], self._device)
        weights = self._model.posterior(padded_source.ids, padded_source.mask, padded_target.ids)[0]
        return Alignment(
            source=x.tokens, target=y.tokens, weights=weights.cpu().numpy(), source_words=x.words, target_words=y.words
        )

    @property
    def _device(self) -> torch.device:
        return self._model.decoder.E.device

    def read(self, text: str) -> Sentence:
        """Encode a sentence, for ``search``."""
        return Sentence(text, self.source.encode(text))

    def search(self, settings: SearchSettings, alpha: bool = True) -> TextSearch:
        """Return the beam search that ``translate`` runs with these settings; raises the same InputErrors."""
        settings = self.resolved(settings)
        beam = BeamSettings(
            beam=settings.beam,
            n_best=settings.n_best,
            length_penalty=settings.length_penalty,
            forbidden=(UNK_ID,) if settings.no_unk else (),
            watched=(UNK_ID,),
            alpha=alpha or settings.replace_unk is not None,
        )
        words = {None: None, "copy": Dictionary({}), "dictionary": self._dictionary}[settings.replace_unk]
        return TextSearch(steps=self._steps, target=self.target, settings=beam, replace_unk=words, alpha=alpha)


def _same_number(sources: Sequence[str], targets: Sequence[str]) -> None:
    if len(sources) != len(targets):
        raise InputError(f"there are {len(sources)} sources, but {len(targets)} targets")


def load(
    run: str | Path | RunInfo, weights: str | int = "best", device: str = "cpu", precision: str = PRECISION
) -> Translator:
    """Load a checkpoint.

    Args:
        run: a run folder, such as checkpoints/rnnsearch-50, or what ``read_run`` read of it.
        weights: "best" (by the development set) or "last", or the number of an update whose weights were saved.
        device: device to compute on, "cpu" or "cuda".
        precision: precision of the matrix products of a search, "fp32"; for speed "bf16", or "int8", which multiplies
            large matrices in integers where the processor is fast at it: log-probabilities then differ by hundredths of
            a nat per word. Given translations are always scored and aligned in fp32.

    Raises:
        InputError: the folder, its settings, a vocabulary or the weights are missing or broken, its dictionary is
            broken, one of these files is not the one in the run's list of checksums, or the device does not exist; the
            message says which.
    """
    if weights not in ("best", "last") and not isinstance(weights, int):
        raise InputError(f'weights must be "best" or "last", or the number of an update, not {weights!r}')
    if precision not in PRECISIONS:
        raise InputError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision!r}")
    torch.set_flush_denormal(True)
    file = snapshot_file(weights) if isinstance(weights, int) else BEST if weights == "best" else LAST
    info = run if isinstance(run, RunInfo) else read_run(run, file)
    place = find_device(device)
    fingerprint = checked_fingerprint(info)
    sides = []
    for side, language, expected in (
        ("source", info.source_language, info.source_vocabulary),
        ("target", info.target_language, info.target_vocabulary),
    ):
        vocabulary = load_vocabulary(info.path, side)
        if len(vocabulary) != expected.size:
            raise InputError(
                f"{info.path}: the {side} vocabulary has {len(vocabulary)} entries, "
                f"but the settings say {expected.size}"
            )
        sides.append(TextCodec(Tokenizer(language), vocabulary, reads_output=side == "target"))
    model = load_model(info.settings, info.weights.path).to(place)
    dictionary = read_dictionary(info.path / DICTIONARY) if (info.path / DICTIONARY).is_file() else None
    source, target = sides
    return Translator(info.name, info.config, model, source, target, dictionary, fingerprint, precision)
