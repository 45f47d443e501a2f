"""Cached translation of many sentences: only sentences missing from the cache are translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from nmt.cache.database import TranslationCache, finish
from nmt.cache.keys import SearchKey, search_key
from nmt.config import SearchSettings
from nmt.inference.batching import WINDOW
from nmt.inference.text_search import Sentence, blank_translation
from nmt.inference.translator import Translator
from nmt.results import FinishedTranslation, Translation
from nmt.tasks.progress import Progress

_BATCH = 32


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

    model: Translator
    settings: SearchSettings
    cache: TranslationCache | None
    batch: int = field(default=_BATCH, kw_only=True)

    @property
    def key(self) -> SearchKey:
        """Cache key of the translations."""
        assert self.model.fingerprint is not None, "the model was not loaded from a run folder"
        settings = self.model.resolved(self.settings)
        return search_key(settings, self.model.fingerprint, self.model.precision, self._device)

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
        tally = _Tally(sources, known)
        if on_progress is not None:
            on_progress(tally.progress)
        for first in range(0, len(missing), WINDOW):
            window = [Sentence(text, self.model.source.encode(text)) for text in missing[first : first + WINDOW]]
            for places in search.batches(window, self.batch if self._device == "cpu" else WINDOW):
                batch = search.translate([window[i] for i in places], on_step and (lambda done, limit: on_step()))
                finished = [finish(each) for each in batch] if self.cache is None else self._add(self.cache, batch)
                known |= {translation.source: translation for translation in finished}
                tally.add([translation.source for translation in finished])
                if on_progress is not None:
                    on_progress(tally.progress)
        return [known[source] if source in known else finish(blank_translation(source)) for source in sources]

    def _add(self, cache: TranslationCache, batch: Sequence[Translation]) -> list[FinishedTranslation]:
        """Store translations; those whose beam never held [UNK] also as translations of the search that forbids it."""
        if not self.settings.no_unk:
            without = replace(self, settings=replace(self.settings, no_unk=True, replace_unk=None))
            cache.add(without.key, [each for each in batch if not each.unk_in_beam])
        return cache.add(self.key, batch)

    @property
    def _device(self) -> str:
        return str(self.model.model.decoder.E.device.type)


class _Tally:
    """Progress counter of a text, in which sentences may be repeated."""

    def __init__(self, sources: Sequence[str], cached: dict[str, FinishedTranslation]) -> None:
        self._times: dict[str, int] = {}
        for source in sources:
            self._times[source] = self._times.get(source, 0) + 1
        known = [source for source in self._times if source in cached or not source.strip()]
        done = sum(self._times[source] for source in known)
        left = sum(len(source.split()) for source in self._times) - sum(len(source.split()) for source in known)
        self.progress = Progress(done, len(sources), words_left=left)

    def add(self, sources: Sequence[str]) -> None:
        words = sum(len(source.split()) for source in sources)
        before = self.progress
        self.progress = replace(
            before,
            done=before.done + sum(self._times[source] for source in sources),
            words_done=before.words_done + words,
            words_left=before.words_left - words,
        )
