"""Remarks on a translation in the reader's language, which the record lacks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from nmt.data.line_words import word_counter
from nmt.evaluation.concatenation import kept_words
from nmt.instrument import About
from nmt.results import END, UNKNOWN, Alignment
from nmt.results.record import System
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LOOK, counted, isolated, listed

if TYPE_CHECKING:
    from nmt.data.vocabulary import WordCounts

_MOST_PLACES = 5
"""Largest number of source words that are named for all [UNK] of a translation."""


def notes_on(
    system: System, alpha: Alignment | None, run: RunInfo, sentence: str, counts: WordCounts | None, *, replaced: bool
) -> list[str]:
    """What a reader should know of a run's translation, such as its unknown source words.

    Args:
        counts: how often the training texts have each word. None if the run does not say.
        replaced: whether the reader wanted [UNK] replaced by source words.
    """
    notes, unknown = [], dict.fromkeys(system.source.unknown)
    if unknown:
        notes.append(APP.unknown_words.format(words=", ".join(unknown)))
    if counts is not None:
        from nmt.data.text import Tokenizer

        rare = counts.hardly_seen(Tokenizer(run.source_language).tokenize(sentence))
        if hardly := [word for word in rare if word not in unknown]:
            notes.append(LOOK.hardly_seen.format(words=", ".join(hardly)))
    if any(UNKNOWN in token for token in system.target.tokens):
        if replaced:
            notes.append(LOOK.replaced.format(text=system.text) if run.has_alignment else LOOK.not_replaced)
        elif alpha is not None:
            notes.append(looked(alpha, system.text))
    longest = run.config.training.max_length
    words = word_counter(run.source_language)(sentence)
    if longest is not None and words > longest:
        notes.append(LOOK.longer_than_trained.format(words=words, most=longest))
    return notes


def looked(alpha: Alignment, text: str) -> str:
    """Say which source words had the largest weights for the [UNK] of a translation, and show the translation with
    these words in place of [UNK]. At most ``_MOST_PLACES`` words are named. "" if there is no source word."""
    attended = looked_at(alpha)
    if not attended:
        return ""
    largest: dict[str, float] = {}
    for word, weight in attended:
        largest[word] = max(weight, largest.get(word, 0))
    named = [*largest.items()][:_MOST_PLACES]
    places = [LOOK.looked_at.format(word=isolated(word), weight=f"{weight:.2f}") for word, weight in named]
    if len(largest) > _MOST_PLACES:
        places.append(counted(len(largest) - _MOST_PLACES, LOOK.forms.looked_elsewhere))
    copied = text
    for word, _ in attended:
        copied = copied.replace(UNKNOWN, word, 1)
    return LOOK.looked.format(places=listed(places), text=copied)


def looked_at(alpha: Alignment) -> list[tuple[str, float]]:
    """For each target word with [UNK]: the source word with the largest weight, the end mark left out, and its weight.

    >>> import numpy as np
    >>> weights = np.array([[1, 0, 0], [.1, .25, .65], [0, 0, 1]])
    >>> looked_at(Alignment(source=("a", "zorp", "</s>"), target=("x", "[UNK]", "</s>"), weights=weights))
    [('zorp', 0.25)]
    """
    merged = alpha.merged()
    columns = len(merged.source) - (merged.source[-1:] == (END,))
    rows = [merged.weights[i, :columns] for i, word in enumerate(merged.target) if UNKNOWN in word]
    return [(merged.source[int(row.argmax())], float(row.max())) for row in rows if columns]


def words_kept(alone: Sequence[str], together: str, language: str) -> About:
    """Say which words a translation of joined sentences keeps from the translations of the single sentences ``alone``.
    ``together``: the translation. ``language``: code of its language."""
    result = kept_words(alone, together, language)
    template = LOOK.kept_all if result.kept == result.words else LOOK.kept_some
    text = template.format(count=len(alone), kept=result.kept, words=result.words)
    space = " " if result.spaced else ""
    fates = (fate for sentence in result.sentences for fate in sentence)
    groups = [(space.join(fate.word for fate in some), lost) for lost, some in groupby(fates, lambda fate: fate.lost)]
    return {"kept": text, "alone": [list(group) for group in groups] if result.kept < result.words else []}


def doubted(judge: str, probabilities: Sequence[float | None]) -> About:
    """Doubt the words of a translation to which the model ``judge`` gives these probabilities. None: no doubt."""
    return {"judge": judge, "doubts": [*probabilities]} if {*probabilities} - {None} else {}
