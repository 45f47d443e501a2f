"""Cached scoring of many given pairs: only pairs missing from the cache are scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nmt.cache.database import TranslationCache
from nmt.cache.keys import ScoreKey, kernel
from nmt.inference.translator import Translator
from nmt.results import FinishedScore
from nmt.tasks.progress import Progress

_BATCH = 128


@dataclass(frozen=True)
class CachedScoring:
    """Forced decoding with cached results.

    Attributes:
        model: the translator; with a cache, it must be loaded from a run folder.
        cache: the cache of scores; None = no caching.
        batch: number of pairs after which the results are saved to disk.
    """

    model: Translator
    cache: TranslationCache | None
    batch: int = _BATCH

    @property
    def key(self) -> ScoreKey:
        """Cache key of the scores."""
        run = self.model.fingerprint
        assert run is not None, "the model was not loaded from a run folder"
        return ScoreKey(run.weights, run.text_pipeline, kernel(self.model.model.decoder.E.device.type))

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
        for first in range(0, len(missing) + 1, self.batch):
            if on_progress is not None:
                on_progress(Progress(sum(pair in known for pair in pairs), len(pairs)))
            part = missing[first : first + self.batch]
            if not part:
                break
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
        if on_progress is not None and missing:
            on_progress(Progress(len(pairs), len(pairs)))
        return [known[pair] for pair in pairs]
