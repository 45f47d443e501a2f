"""Words outside the vocabulary: those of the source, and where each [UNK] of a translation looks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from nmt.results import END, UNKNOWN, Alignment
from nmt.ui.formatting import escaped
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.decode import DecodedSentence


@dataclass(frozen=True)
class Looked:
    """An [UNK] in a translation: number of its word, from 1, and its most attended source word, with the weight."""

    number: int
    source: str
    weight: float


def show_unknown_words(decoded_sentences: Sequence[DecodedSentence]) -> None:
    """Show the unknown words of each checkpoint; one line if it knows them all."""
    for explored in decoded_sentences:
        st.markdown(f"**{escaped(explored.name)}**")
        unknown = explored.unknown_words
        if unknown:
            st.text(strings.READ_AS_UNKNOWN.format(words=", ".join(dict.fromkeys(unknown))))
        looked = looked_at(explored.weights)
        if looked:
            _show_looked(explored, looked)
        elif not unknown:
            st.caption(strings.ALL_KNOWN)


def looked_at(weights: Alignment) -> list[Looked]:
    """The [UNK]s among the target words, each with its most attended source word, which is never the end mark.

    >>> import numpy as np
    >>> weights = np.array([[1, 0, 0], [.1, .7, .2], [0, 0, 1]])
    >>> looked_at(Alignment(source=("a", "zorp", "</s>"), target=("x", "[UNK]", "</s>"), weights=weights))
    [Looked(number=2, source='zorp', weight=0.7)]
    """
    merged = weights.merged()
    columns = len(merged.source) - (merged.source[-1:] == (END,))
    if not columns:
        return []
    rows = [(i, merged.weights[i, :columns]) for i, word in enumerate(merged.target) if UNKNOWN in word]
    return [Looked(i + 1, merged.source[int(row.argmax())], round(float(row.max()), 3)) for i, row in rows]


def _show_looked(explored: DecodedSentence, looked: Sequence[Looked]) -> None:
    frame = pd.DataFrame(
        [
            {
                strings.UNKNOWN_COLUMN: strings.WORD_NUMBER.format(number=one.number),
                strings.LOOKED_COLUMN: one.source,
                strings.WEIGHT_COLUMN: one.weight,
            }
            for one in looked
        ]
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            strings.WEIGHT_COLUMN: st.column_config.ProgressColumn(format="%.3f", min_value=0.0, max_value=1.0)
        },
        width="content",
    )
    with st.container(horizontal=True, gap="small"):
        for one in looked:
            st.code(one.source, language=None, width="content")
    st.caption(strings.COPY)
    st.code(copied_over(explored.text, looked), language=None, wrap_lines=True)


def copied_over(text: str, looked: Sequence[Looked]) -> str:
    """A translation with the source words in place of its [UNK]s, in order.

    >>> copied_over("un [UNK] et un [UNK] .", [Looked(2, "duck", 0.9), Looked(5, "[UNK]", 0.8)])
    'un duck et un [UNK] .'
    """
    words = iter([one.source for one in looked])
    return re.sub(re.escape(UNKNOWN), lambda match: next(words, match[0]), text)
