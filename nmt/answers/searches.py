"""Translation and scoring with a cache. Only sentences missing from the cache are translated.

Sentences that wait for the same model and settings share one beam search. They join and leave it while it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import torch

from nmt.answers.keys import SearchKey, score_key, search_key
from nmt.answers.request import Progress
from nmt.answers.shared_queue import each_alone
from nmt.answers.translations import TranslationCache, finish
from nmt.config import SearchSettings
from nmt.inference.system import System
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.text_search import PADDED_TOKENS, WINDOW, EncodedSentence, TextSearch, blank_translation
from nmt.inference.translator import Translator
from nmt.model.steps import DecoderState
from nmt.results import FinishedScore, FinishedTranslation, Translation
from nmt.search.beam import ContinuousSearch


@dataclass(frozen=True)
class CachedSearch:
    """Search with cached results. ``batch``: sentences per batch on a CPU. Results are saved to disk after each batch.
    Larger batches are no faster."""

    model: System
    settings: SearchSettings
    cache: TranslationCache | None
    batch: int = field(default=32, kw_only=True)

    @property
    def key(self) -> SearchKey:
        """Cache key of the translations."""
        assert self.model.fingerprint is not None, "the model was not loaded from a run folder"
        settings = self.model.resolved(self.settings)
        return search_key(settings, self.model.fingerprint, self.model.precision, self.model.device.type)

    def translate(
        self,
        sources: Sequence[str],
        on_progress: Callable[[Progress], None] | None = None,
        on_step: Callable[[], None] | None = None,
    ) -> list[FinishedTranslation]:
        """Translate ``sources``, in order. A repeated sentence is translated once, a blank sentence not at all.

        Args:
            on_progress: called at the beginning and after each batch, when its translations are on disk.
            on_step: called before each target word of a batch.

        An exception of a callback ends the work. The next call resumes after the last finished batch. Raises InputError
        for settings that the model cannot search with.
        """
        search = self.model.search(replace(self.settings, n_best=1), alpha=self.model.has_alignment)
        distinct = dict.fromkeys(source for source in sources if source.strip())
        cached = {} if self.cache is None else self.cache.find(self.key, distinct)
        missing = [source for source in distinct if source not in cached]
        words = {source: len(source.split()) for source in missing}

        def report() -> None:
            if on_progress is not None:
                done = sum(source in cached or not source.strip() for source in sources)
                left = sum(count for source, count in words.items() if source not in cached)
                on_progress(Progress(done, len(sources), words_done=sum(words.values()) - left, words_left=left))

        report()
        for first in range(0, len(missing), WINDOW):
            window = [EncodedSentence(text, self.model.source.encode(text)) for text in missing[first : first + WINDOW]]
            for places in search.batches(window, self.batch if self.model.device.type == "cpu" else WINDOW):
                batch = search.translate([window[i] for i in places], on_step and (lambda done, limit: on_step()))
                finished = [finish(new) for new in batch] if self.cache is None else self._add(self.cache, batch)
                cached |= {translation.source: translation for translation in finished}
                report()
        return [cached[source] if source in cached else finish(blank_translation(source)) for source in sources]

    def _add(self, cache: TranslationCache, batch: Sequence[Translation]) -> list[FinishedTranslation]:
        """Store translations. If a beam never held [UNK], store its translation also for the search without [UNK]."""
        if not self.settings.no_unk:
            without = replace(self, settings=replace(self.settings, no_unk=True, replace_unk=None))
            cache.add(without.key, [translation for translation in batch if not translation.unk_in_beam])
        return cache.add(self.key, batch)


@dataclass(frozen=True)
class CachedScoring:
    """Forced decoding with cached results. ``batch``: number of pairs after which the results are saved to disk."""

    model: System
    cache: TranslationCache | None
    batch: int = 128

    @property
    def key(self) -> str:
        """Cache key of the scores."""
        run = self.model.fingerprint
        assert run is not None, "the model was not loaded from a run folder"
        return score_key(run, self.model.device.type)

    def score(
        self, pairs: Sequence[tuple[str, str]], on_progress: Callable[[Progress], None] | None = None
    ) -> list[FinishedScore]:
        """Score pairs of source and target, in order. A repeated pair is scored once.

        ``on_progress`` is called at the beginning and after each batch, when its scores are on disk. An exception of
        ``on_progress`` ends the work. The next call resumes after the last finished batch.
        """
        known_scores = {} if self.cache is None else self.cache.find_scores(self.key, pairs)
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in known_scores]
        missing.sort(key=lambda pair: -len(pair[0]) - len(pair[1]))

        def report() -> None:
            if on_progress is not None:
                on_progress(Progress(sum(pair in known_scores for pair in pairs), len(pairs)))

        report()
        for first in range(0, len(missing), self.batch):
            part = missing[first : first + self.batch]
            forced = zip(part, self.model.score_stream(part, alpha=False), strict=True)
            scores = [
                FinishedScore(
                    source=source, target=target, tokens=len(score.tokens), log_probability=score.log_probability
                )
                for (source, target), score in forced
            ]
            if self.cache is not None:
                self.cache.add_scores(self.key, scores)
            known_scores |= {(score.source, score.target): score for score in scores}
            report()
        return [known_scores[pair] for pair in pairs]


@dataclass(frozen=True)
class Translating:
    """Translation of sentences that ``run`` has encoded. Equal ``Translating`` objects share a search. ``settings``:
    search settings with "auto" resolved."""

    run: Translator
    settings: SearchSettings
    alpha: bool = True

    def begin(self) -> SharedSearch:
        return SharedSearch(self.run.search(self.settings, self.alpha))


class SharedSearch:
    """One search under way and its sentences. All steps use the weights that the model had when the search began."""

    def __init__(self, search: TextSearch) -> None:
        self._search = search
        self._continuous: ContinuousSearch[DecoderState] | None = None
        self._joining: dict[int, EncodedSentence] = {}
        self._searching: dict[int, EncodedSentence] = {}

    def accepts(self, sentence: EncodedSentence) -> bool:
        """Return whether the padded sentences and their probabilities fit in memory if this sentence joins."""
        sentences = [sentence, *self._joining.values(), *self._searching.values()]
        padded = max(map(len, sentences)) * len(sentences)
        return len(sentences) <= self._search.most_together and padded <= PADDED_TOKENS

    def join(self, number: int, sentence: EncodedSentence) -> None:
        self._joining[number] = sentence

    def leave(self, numbers: Collection[int]) -> None:
        if self._continuous is not None:
            self._continuous.leave(numbers)
        for number in numbers:
            self._joining.pop(number, None)
            self._searching.pop(number, None)

    def step(self) -> dict[int, Translation | Exception]:
        """Add the sentences that joined since the last step, and write one more word of every sentence. If the step
        fails as a whole, each sentence is translated alone, so that only a faulty sentence fails."""
        joining, self._joining = self._joining, {}
        blank = {number: self._search.blank(sentence.text) for number, sentence in joining.items() if sentence.blank}
        self._searching |= {number: sentence for number, sentence in joining.items() if not sentence.blank}
        try:
            with torch.inference_mode(), self._search.steps.threads(len(self._searching) * self._search.settings.beam):
                ended = self._step([number for number in joining if number not in blank])
        except Exception:
            ended = each_alone(self._searching, lambda sentence: self._search.translate([sentence])[0])
            self._continuous = None
        results = {number: result for number, result in ended.items() if self._searching.pop(number, None) is not None}
        return {**blank, **results}  # without sentences that have left

    def progress(self) -> dict[int, tuple[int, int]]:
        return {} if self._continuous is None else self._continuous.progress()

    def _step(self, joining: list[int]) -> dict[int, Translation | Exception]:
        search = self._continuous
        if search is None:
            search = ContinuousSearch(self._search.model(), self._search.settings, self._search.steps.device)
            self._continuous = search
        if joining:
            batch = PaddedTokens([self._searching[number].encoded for number in joining], self._search.steps.device)
            search.join(batch.ids, batch.mask, joining)
        return {
            number: end if isinstance(end, Exception) else self._search.translation(self._searching[number], end)
            for number, end in search.step().items()
        }
