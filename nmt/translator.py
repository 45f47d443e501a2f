"""A loaded model with its vocabularies: text in, records out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import torch

from nmt.checkpoint import find_device, load_model
from nmt.config import Config
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID, Encoded, Vocabulary, load_vocabulary
from nmt.encoding import PaddedTokens, Side, forced_score, hypothesis
from nmt.errors import InputError
from nmt.model import TranslationModel
from nmt.results import Alignment, ForcedScore, Hypothesis, Translation
from nmt.run_folder import BEST, LAST, read_run
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.greedy import greedy
from nmt.search.sampling import sample

_PADDED_TOKENS = 4000
"""Tokens of the source, padding included, that are worked on at a time."""
_PROBABILITIES = 2**24
"""Probabilities of next words that are in memory at a time; a search needs a few copies of them."""


def load(run: str | Path, weights: str = "best", device: str = "cpu") -> Translator:
    """Load a checkpoint.

    Args:
        run: a run folder, such as checkpoints/rnnsearch-256.
        weights: "best" (by the development set) or "last".
        device: where to compute, "cpu" or "cuda".

    Raises:
        InputError: the folder, its settings, a vocabulary or the weights are missing or broken, or there is no such
            device; says which.
    """
    if weights not in ("best", "last"):
        raise InputError(f'weights must be "best" or "last", not {weights!r}')
    torch.set_flush_denormal(True)
    info = read_run(run, BEST if weights == "best" else LAST)
    place = find_device(device)
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
        sides.append(Side(Tokenizer(language), vocabulary))
    model = load_model(info.settings, info.weights.path)
    return Translator(info.name, info.config, model.to(place), *sides)


class Translator:
    """Translates, scores and aligns. Safe to share between threads: no call changes it.

    Attributes:
        name: the run folder's name.
        config: recipe, model and training settings.
        source, target: language, tokeniser and vocabulary of each side.
    """

    def __init__(self, name: str, config: Config, model: TranslationModel, source: Side, target: Side) -> None:
        self.name, self.config = name, config
        self._model = model
        self.source, self.target = source, target

    @property
    def has_alignment(self) -> bool:
        """Whether the model attends, so that there is an alpha to show."""
        return self.config.model.architecture == "rnnsearch"

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
        *,
        beam: int = 12,
        n_best: int = 1,
        no_unk: bool = False,
        replace_unk: bool = False,
        length_penalty: float = 0.0,
        on_step: Callable[[int, int], None] | None = None,
    ) -> Translation:
        """Translate one sentence by beam search.

        Args:
            text: one sentence, untokenised.
            beam: hypotheses kept at each step; 1 is greedy search.
            n_best: how many hypotheses to return, at most ``beam``.
            no_unk: the model may not write [UNK]. Paper: 4.2 (column "No UNK").
            replace_unk: write the most attended source word in place of each [UNK].
            length_penalty: A in score = log_probability / T_y^A; T_y counts the end mark.
            on_step: called as on_step(words so far, limit) before each target word; what it raises ends the
                search.

        Raises:
            InputError: a setting is out of range, or ``replace_unk`` is asked of a model without alpha.
        """
        settings = self._settings(beam, n_best, no_unk, replace_unk, length_penalty)
        if not text.strip():
            return _nothing(text)
        return self._translate([text], [self.source.encode(text)], settings, replace_unk, on_step)[0]

    def translate_all(
        self,
        texts: Sequence[str],
        *,
        beam: int = 12,
        n_best: int = 1,
        no_unk: bool = False,
        replace_unk: bool = False,
        length_penalty: float = 0.0,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> list[Translation]:
        """Translate many sentences, in batches of similar length; the arguments are those of ``translate``.

        ``on_progress(done, total)`` is called after each batch and counts the texts that are not blank. A blank text
        gives a blank translation.
        """
        settings = self._settings(beam, n_best, no_unk, replace_unk, length_penalty)
        results = [_nothing(text) for text in texts]
        given = [i for i, text in enumerate(texts) if text.strip()]
        encoded = {i: self.source.encode(texts[i]) for i in given}
        done = 0
        for group in self._groups({i: len(e.ids) for i, e in encoded.items()}, beam):
            translations = self._translate(
                [texts[i] for i in group], [encoded[i] for i in group], settings, replace_unk, None
            )
            for i, translation in zip(group, translations, strict=True):
                results[i] = translation
            done += len(group)
            if on_progress is not None:
                on_progress(done, len(given))
        return results

    def greedy_all(self, texts: Sequence[str]) -> list[str]:
        """Greedy translations, the fastest there are; blank for blank."""
        results = [""] * len(texts)
        encoded = {i: self.source.encode(text) for i, text in enumerate(texts) if text.strip()}
        for group in self._groups({i: len(e.ids) for i, e in encoded.items()}, 1):
            batch = PaddedTokens([encoded[i] for i in group], self._device)
            with torch.inference_mode():
                found = greedy(self._model, batch.ids, batch.mask)
            for i, candidate in zip(group, found, strict=True):
                results[i] = self.target.tokenizer.detokenize(self.target.vocabulary.words(candidate.ids))
        return results

    def sample(self, text: str, *, n: int = 1, seed: int = 0) -> list[Hypothesis]:
        """``n`` translations drawn from p(y | x), one word after the other; the same seed gives the same ones."""
        encoded = self.source.encode(text)
        batch = PaddedTokens([encoded], self._device)
        generator = torch.Generator(self._device).manual_seed(seed)
        with torch.inference_mode():
            found = sample(self._model, batch.ids, batch.mask, n, generator)[0]
        return [hypothesis(encoded, candidate, self.target) for candidate in found]

    def score(self, source: str, target: str) -> ForcedScore:
        """log p(target | source) by forced decoding, with alpha; unknown words are scored as [UNK]."""
        return self.score_all([source], [target])[0]

    def score_all(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        on_progress: Callable[[int, int], None] | None = None,
    ) -> list[ForcedScore]:
        """Forced decoding of many pairs; InputError if there are not as many sources as targets."""
        _same_number(sources, targets)
        pairs = [(self.source.encode(s), self.target.encode(t)) for s, t in zip(sources, targets, strict=True)]
        return self._force_all(pairs, on_progress)

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
        on_progress: Callable[[int, int], None] | None = None,
    ) -> list[Alignment]:
        """``align`` for many pairs."""
        if not self.has_alignment:
            raise InputError(
                f"{self.name} is an RNNencdec: it reads the sentence into one vector and has no alignment weights"
            )
        _same_number(sources, targets)
        pairs = [
            (self.source.encode_line(s, pretokenised), self.target.encode_line(t, pretokenised))
            for s, t in zip(sources, targets, strict=True)
        ]
        scored = self._force_all(pairs, on_progress)
        return [forced.alignment for forced in scored if forced.alignment is not None]

    @property
    def _device(self) -> torch.device:
        return self._model.decoder.E.device

    def _settings(self, beam: int, n_best: int, no_unk: bool, replace_unk: bool, length_penalty: float) -> BeamSettings:
        if replace_unk and not self.has_alignment:
            raise InputError(f"{self.name} is an RNNencdec: without alpha, no source word can replace [UNK]")
        most = _PROBABILITIES // len(self.target.vocabulary)
        if beam > most:
            raise InputError(f"a beam of {beam:,} is too wide for this machine's memory; {most:,} is possible")
        return BeamSettings(
            beam=beam, n_best=n_best, length_penalty=length_penalty, forbidden=(UNK_ID,) if no_unk else ()
        )

    def _groups(self, lengths: Mapping[int, int], beam: int) -> Iterator[list[int]]:
        """The keys of ``lengths`` (tokens) in groups of similar length, longest first, each small enough for the
        memory that its padded sentences and its distributions over the target vocabulary take."""
        most = max(1, _PROBABILITIES // (beam * len(self.target.vocabulary)))
        group: list[int] = []
        for i in sorted(lengths, key=lambda i: (-lengths[i], i)):
            full = group and (len(group) == most or lengths[group[0]] * (len(group) + 1) > _PADDED_TOKENS)
            if full:
                yield group
                group = []
            group.append(i)
        if group:
            yield group

    def _translate(
        self,
        texts: Sequence[str],
        encoded: Sequence[Encoded],
        settings: BeamSettings,
        replace_unk: bool,
        on_step: Callable[[int, int], None] | None,
    ) -> list[Translation]:
        batch = PaddedTokens(encoded, self._device)
        with torch.inference_mode():
            found = beam_search(self._model, batch.ids, batch.mask, settings, on_step)
        return [
            Translation(
                text, tuple(hypothesis(e, c, self.target, replace_unk=replace_unk) for c in candidates), e.unknown
            )
            for text, e, candidates in zip(texts, encoded, found, strict=True)
        ]

    def _force_all(
        self, pairs: Sequence[tuple[Encoded, Encoded]], on_progress: Callable[[int, int], None] | None
    ) -> list[ForcedScore]:
        results: dict[int, ForcedScore] = {}
        lengths = {i: max(len(source.ids), len(target.ids)) for i, (source, target) in enumerate(pairs)}
        for group in self._groups(lengths, 1):
            results.update(zip(group, self._force([pairs[i] for i in group]), strict=True))
            if on_progress is not None:
                on_progress(len(results), len(pairs))
        return [results[i] for i in range(len(pairs))]

    def _force(self, pairs: Sequence[tuple[Encoded, Encoded]]) -> list[ForcedScore]:
        source = PaddedTokens([source for source, _ in pairs], self._device)
        target = PaddedTokens([target for _, target in pairs], self._device)
        output = self._model.forced(source.ids, source.mask, target.ids, target.mask)
        values = output.token_log_probabilities.double().cpu().numpy()
        alpha = None if output.alpha is None else output.alpha.cpu().numpy()
        return [
            forced_score(read, written, values[k], None if alpha is None else alpha[k])
            for k, (read, written) in enumerate(pairs)
        ]


def _same_number(sources: Sequence[str], targets: Sequence[str]) -> None:
    if len(sources) != len(targets):
        raise InputError(f"there are {len(sources)} sources, but {len(targets)} targets")


def _nothing(text: str) -> Translation:
    return Translation(text, (Hypothesis("", (), 0.0, 0.0, ()),))
