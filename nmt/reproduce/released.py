"""The released runs, and the test sets that they are evaluated on."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.recipes import recipe

LANGUAGES = ("en", "fr")


TEST_SETS = {
    "canada-laws-test": "canada-laws/test",
    "tatoeba-test": "tatoeba/test",
    "multi30k-test2016": "multi30k/test2016",
    "multi30k-test2017": "multi30k/test2017",
    "multi30k-test2017-mscoco": "multi30k/test2017-mscoco",
}
"""Names of the test sets, and their places in the corpora."""


GOLD = {"jointly-150": ("testsets/jointly-150/tokens", "testsets/jointly-150/gold")}
"""The word-aligned test set of this repository: its tokens (a language code follows) and its gold links."""


OWN_SETS = {"jointly-300": "testsets/jointly-300/sentences"}
"""Test sets of this repository (a language code follows); they are not part of "all test sets"."""


HANSARDS = "alignment-gold/hansards"
"""Place of the Hansards' word-aligned test set in the corpora, if it exists."""


@dataclass(frozen=True, kw_only=True)
class ReleasedRun:
    """Run that is released with the program.

    Attributes:
        name: name of the run folder.
        recipe: name of the recipe it is trained with.
        data: the prepared folder, a key of ``_PREPARED``.
        share: its share of a time budget.
        sets: the test sets it is evaluated on; none for a run that only demonstrates learning.
        dictionary: whether it gets a dictionary for [UNK].
        search: the search settings it is released with, "KEY=VALUE" each, chosen on its development set.
    """

    name: str
    recipe: str
    data: str = "words"
    share: float = 1.0
    sets: tuple[str, ...] = tuple(TEST_SETS)
    dictionary: bool = True
    search: tuple[str, ...] = ()

    @property
    def architecture(self) -> str:
        return recipe(self.recipe).model.architecture


_CAPTIONS = tuple(name for name in TEST_SETS if name != "canada-laws-test")


RELEASED = (
    ReleasedRun(name="rnnsearch-50", recipe="rnnsearch_50_modern"),
    ReleasedRun(name="rnnsearch-30", recipe="rnnsearch_30_modern"),
    ReleasedRun(name="rnnencdec-50", recipe="rnnencdec_50_modern", dictionary=False),
    ReleasedRun(name="rnnencdec-30", recipe="rnnencdec_30_modern", dictionary=False),
    ReleasedRun(name="rnnsearch-50-star", recipe="rnnsearch_50_star_modern", share=1.7),
    ReleasedRun(name="rnnsearch-50-guided", recipe="rnnsearch_50_guided", data="words-and-links"),
    ReleasedRun(
        name="rnnsearch-multi30k",
        recipe="multi30k",
        data="captions",
        sets=_CAPTIONS,
        dictionary=False,
        search=("length_penalty=1",),
    ),
    ReleasedRun(name="scrubber-128", recipe="scrubber_128", data="everyday", share=0.3, sets=(), dictionary=False),
)
