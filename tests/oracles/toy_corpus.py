"""Prepared folders for tests: sentences of single letters, whose translation is known."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from nmt.data.prepare import VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.tokenised import Corpus
from tests.data.corpus_files import settings

LETTERS = [chr(ord("a") + k) for k in range(10)]


def copied(words: list[str]) -> list[str]:
    """The task of copying the sentence: alpha is a diagonal."""
    return words


def reversed_words(words: list[str]) -> list[str]:
    """The task of reversing the sentence: alpha is an anti-diagonal, except for the end mark."""
    return words[::-1]


def letters(rng: np.random.Generator, longest: int) -> list[str]:
    """A random sentence of 1 to ``longest`` letters."""
    return [LETTERS[k] for k in rng.integers(0, len(LETTERS), rng.integers(1, longest + 1))]


def toy_corpus(
    folder: Path,
    task: Callable[[list[str]], list[str]] = copied,
    pairs: int = 200,
    longest: int = 7,
    seed: int = 0,
) -> Prepared:
    """Prepare ``pairs`` training pairs and 40 others for validation below ``folder``."""
    rng = np.random.default_rng(seed)
    corpora = {}
    for name, count in (("train", pairs), ("dev", 40)):
        source = [letters(rng, longest) for _ in range(count)]
        for side, lines in (("src", source), ("tgt", [task(words) for words in source])):
            path = folder / f"{name}.{side}"
            path.write_text("".join(" ".join(words) + "\n" for words in lines), encoding="utf-8")
        corpora[name] = Corpus(source=folder / f"{name}.src", target=folder / f"{name}.tgt")
    vocabulary = VocabularySettings("words", len(LETTERS) + 2)
    made = settings(vocabulary, target_language="en", max_length=None)
    prepare([corpora["train"]], [corpora["dev"]], made, folder / "prepared", workers=1)
    return open_prepared(folder / "prepared")
