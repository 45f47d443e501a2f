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
"""Names of the test sets, and where they lie in the corpora."""


GOLD = {"jointly-150": ("testsets/jointly-150/tokens", "testsets/jointly-150/gold")}
"""The word-aligned test set of this repository: its tokens (with a language behind) and its gold links."""


OWN_SETS = {"jointly-300": "testsets/jointly-300/sentences"}
"""Test sets of this repository (with a language behind); they are no part of "joined"."""


HANSARDS = "alignment-gold/hansards"
"""Where that of the Hansards lies in the corpora, if it is there."""


@dataclass(frozen=True)
class ReleasedRun:
    """Attributes:
    name: of the run folder.
    recipe: what it is trained with.
    data: which prepared folder, a key of ``_PREPARED``.
    share: its part of a budget of time.
    sets: the test sets that it is evaluated on; none for a run that is there to be watched while it learns.
    dictionary: whether it gets words for [UNK].
    search: the search settings that it is released with, "KEY=VALUE" each, chosen on its development set.
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
    ReleasedRun("rnnsearch-50", "rnnsearch_50_modern"),
    ReleasedRun("rnnsearch-30", "rnnsearch_30_modern"),
    ReleasedRun("rnnencdec-50", "rnnencdec_50_modern", dictionary=False),
    ReleasedRun("rnnencdec-30", "rnnencdec_30_modern", dictionary=False),
    ReleasedRun("rnnsearch-50-star", "rnnsearch_50_star_modern", share=1.7),
    ReleasedRun("rnnsearch-50-guided", "rnnsearch_50_guided", "words-and-links"),
    ReleasedRun(
        "rnnsearch-multi30k", "multi30k", "captions", sets=_CAPTIONS, dictionary=False, search=("length_penalty=1",)
    ),
    ReleasedRun("scrubber-128", "scrubber_128", "everyday", share=0.3, sets=(), dictionary=False),
)
