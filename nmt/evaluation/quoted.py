"""The sentences that the paper quotes from newstest2014. The program does not contain them, but knows their line
numbers and a checksum. The sentences are read from the folder of corpora if newstest2014 is in it.

Paper: Figure 3, Table 3
"""

import os
from functools import lru_cache
from pathlib import Path

from nmt.errors import InputError
from nmt.evaluation.test_set import digest, find_in_corpora, from_corpus
from nmt.files import changed_at, own_folder

_LINES = {"figure_3_b": 2409, "figure_3_c": 1884, "figure_3_d": 2716}
_LINES |= {"table_3_1": 939, "table_3_2": 120, "table_3_3": 2443}
"""Lines of newstest2014, from 1. The sentence in panel (a) of Figure 3 is from another text."""
_DIGEST = "a7f6aecf00803e9c6ac6b43b1bc3eeccaee0427fc36a45d17e79166012cc5a22"
"""Checksum of these English lines, by ``digest``."""


def corpora_folder() -> str:
    """The default folder of corpora: $JOINTLY_DATA, or data/corpora if it exists, or ""."""
    default = own_folder() / "data" / "corpora"
    return os.environ.get("JOINTLY_DATA") or (str(default) if default.is_dir() else "")


def quoted_sentences(figure: str = "") -> dict[str, tuple[str, str]]:
    """The sentences by name, each with the reference of newstest2014. ``figure``: a name such as "table_3", or "" for
    all. Empty if the folder of corpora lacks newstest2014."""
    folder = Path(corpora_folder() or os.devnull)
    pairs = _read(folder, *(changed_at(folder / corpus) for corpus in ("news", "wmt14")))
    return {name: pair for name, pair in pairs.items() if name.startswith(figure)}


@lru_cache(maxsize=4)
def _read(folder: Path, *changed: int) -> dict[str, tuple[str, str]]:
    """Read the sentences, or {} if the folder lacks them. ``changed``: if it differs, the cached result is not used."""
    try:
        places = find_in_corpora(folder, "en", "fr", {"news/newstest2014": "newstest2014"})
        for test in (from_corpus(place) for place in places if place.name in ("newstest2014", "wmt14-test")):
            pairs = [(test.sources[k - 1], test.references[k - 1]) for k in _LINES.values() if k <= len(test)]
            if digest(source for source, _ in pairs) == _DIGEST:
                return dict(zip(_LINES, pairs, strict=True))
    except (InputError, OSError):  # whoever opens a broken file by name gets its error
        pass
    return {}
