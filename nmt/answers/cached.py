"""Cached translation of many sentences: only sentences missing from the cache are translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from nmt.answers.keys import ScoreKey, SearchKey, kernel, search_key
from nmt.answers.request import Progress
from nmt.answers.translations import TranslationCache, finish
from nmt.config import SearchSettings
from nmt.inference.system import System
from nmt.inference.text_search import WINDOW, Sentence, blank_translation
from nmt.results import FinishedScore, FinishedTranslation, Translation


@dataclass(frozen=True)
class CachedSearch:
    """Search with cached results.

    Attributes:
        model: the translator; with a cache, it must be loaded from a run folder.
        settings: search settings.
        cache: the cache of translations; None = no caching.
        batch: sentences per batch on a CPU, after which the results are saved to disk. Larger batches are no faster
            there.
    """

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
        """Translate ``sources``, in order. A repeated sentence is translated once, a blank one not at all.

        Args:
            sources: sentences.
            on_progress: called at the beginning and after each batch, when its translations are on disk.
            on_step: called before each target word of a batch.

        An exception raised by either callback ends the work; the next call resumes after the last finished batch.
        Raises InputError for settings that the model cannot search with.
        """
        search = self.model.search(replace(self.settings, n_best=1), alpha=self.model.has_alignment)
        distinct = dict.fromkeys(source for source in sources if source.strip())
        known = {} if self.cache is None else self.cache.find(self.key, distinct)
        missing = [source for source in distinct if source not in known]
        words = {source: len(source.split()) for source in missing}

        def report() -> None:
            if on_progress is not None:
                done = sum(source in known or not source.strip() for source in sources)
                left = sum(count for source, count in words.items() if source not in known)
                on_progress(Progress(done, len(sources), words_done=sum(words.values()) - left, words_left=left))

        report()
        for first in range(0, len(missing), WINDOW):
            window = [Sentence(text, self.model.source.encode(text)) for text in missing[first : first + WINDOW]]
            for places in search.batches(window, self.batch if self.model.device.type == "cpu" else WINDOW):
                batch = search.translate([window[i] for i in places], on_step and (lambda done, limit: on_step()))
                finished = [finish(each) for each in batch] if self.cache is None else self._add(self.cache, batch)
                known |= {translation.source: translation for translation in finished}
                report()
        return [known[source] if source in known else finish(blank_translation(source)) for source in sources]

    def _add(self, cache: TranslationCache, batch: Sequence[Translation]) -> list[FinishedTranslation]:
        """Store translations; those whose beam never held [UNK] also as translations of the search that forbids it."""
        if not self.settings.no_unk:
            without = replace(self, settings=replace(self.settings, no_unk=True, replace_unk=None))
            cache.add(without.key, [each for each in batch if not each.unk_in_beam])
        return cache.add(self.key, batch)


@dataclass(frozen=True)
class CachedScoring:
    """Forced decoding with cached results.

    Attributes:
        model: the translator; with a cache, it must be loaded from a run folder.
        cache: the cache of scores; None = no caching.
        batch: number of pairs after which the results are saved to disk.
    """

    model: System
    cache: TranslationCache | None
    batch: int = 128

    @property
    def key(self) -> ScoreKey:
        """Cache key of the scores."""
        run = self.model.fingerprint
        assert run is not None, "the model was not loaded from a run folder"
        return ScoreKey(run.weights, run.text_pipeline, kernel(self.model.device.type))

    def score(
        self, pairs: Sequence[tuple[str, str]], on_progress: Callable[[Progress], None] | None = None
    ) -> list[FinishedScore]:
        """Score pairs of source and target, in order; a repeated pair is scored once.

        ``on_progress`` is called at the beginning and after each batch, when its scores are on disk. An exception it
        raises ends the work; the next call resumes after the last finished batch.
        """
        known = {} if self.cache is None else self.cache.find_scores(self.key, pairs)
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        missing.sort(key=lambda pair: -len(pair[0]) - len(pair[1]))

        def report() -> None:
            if on_progress is not None:
                on_progress(Progress(sum(pair in known for pair in pairs), len(pairs)))

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
            known |= {(score.source, score.target): score for score in scores}
            report()
        return [known[pair] for pair in pairs]
