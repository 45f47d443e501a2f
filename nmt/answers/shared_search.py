"""One beam search shared by all sentences that wait for the same model and settings; they join and leave it while it
runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import torch

from nmt.answers.shared_queue import each_alone
from nmt.config import SearchSettings
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.text_search import PADDED_TOKENS, Sentence, TextSearch
from nmt.inference.translator import Translator
from nmt.model.steps import DecoderState
from nmt.results import Translation
from nmt.search.beam import ContinuousSearch


@dataclass(frozen=True)
class Translating:
    """Translation of sentences, encoded by ``run``; equal ones share a search.

    Attributes:
        run: the translator.
        settings: search settings, in which "auto" is resolved.
        alpha: include the alignment weights in the records.
    """

    run: Translator
    settings: SearchSettings
    alpha: bool = True

    def begin(self) -> SharedSearch:
        return SharedSearch(self.run.search(self.settings, self.alpha))


class SharedSearch:
    """Sentences under way in one search. The weights are those that the model had when the search began."""

    def __init__(self, search: TextSearch) -> None:
        self._search = search
        self._continuous: ContinuousSearch[DecoderState] | None = None
        self._joining: dict[int, Sentence] = {}
        self._searching: dict[int, Sentence] = {}

    def accepts(self, sentence: Sentence) -> bool:
        """Return whether the padded sentences and their probabilities fit in memory if this one joins."""
        sentences = [sentence, *self._joining.values(), *self._searching.values()]
        padded = max(map(len, sentences)) * len(sentences)
        return len(sentences) <= self._search.most_together and padded <= PADDED_TOKENS

    def join(self, number: int, sentence: Sentence) -> None:
        self._joining[number] = sentence

    def leave(self, numbers: Collection[int]) -> None:
        if self._continuous is not None:
            self._continuous.leave(numbers)
        for number in numbers:
            self._joining.pop(number, None)
            self._searching.pop(number, None)

    def step(self) -> dict[int, Translation | Exception]:
        """Add the sentences that came since the last step, and write one more word of every sentence. If the step fails
        as a whole, each sentence is translated alone, so that it fails only for a fault of its own."""
        joining, self._joining = self._joining, {}
        blank = {number: self._search.blank(each.text) for number, each in joining.items() if each.blank}
        self._searching |= {number: each for number, each in joining.items() if not each.blank}
        try:
            with torch.inference_mode(), self._search.steps.threads(len(self._searching) * self._search.settings.beam):
                ended = self._step([number for number in joining if number not in blank])
        except Exception:
            ended = each_alone(self._searching, lambda sentence: self._search.translate([sentence])[0])
            self._continuous = None
        known = {number: result for number, result in ended.items() if self._searching.pop(number, None) is not None}
        return {**blank, **known}  # without those that have left

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
