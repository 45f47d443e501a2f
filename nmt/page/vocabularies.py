"""Vocabularies as data for JavaScript: the words, or the subwords with their scores."""

from __future__ import annotations

from typing import Any

import sentencepiece

from nmt.data.subwords import Pieces
from nmt.data.vocabulary import SPECIAL, Shortlist, Vocabulary
from nmt.errors import InputError


def vocabulary_data(vocabulary: Vocabulary) -> dict[str, Any]:
    """The data of a vocabulary (nmt/page/js/vocabulary.js). InputError for subwords of a kind that our vocabularies do
    not have."""
    if isinstance(vocabulary, Shortlist):
        return {"kind": "words", "words": list(vocabulary.shortlist)}
    assert isinstance(vocabulary, Pieces)
    processor = sentencepiece.SentencePieceProcessor(model_proto=vocabulary.model)
    ids = range(len(vocabulary))
    if any(processor.is_unused(id) or (processor.is_control(id) and id >= len(SPECIAL)) for id in ids):
        raise InputError("a vocabulary has subwords that are not in use, which a page does not support")
    in_bytes = [id for id in ids if processor.is_byte(id)]
    if in_bytes and in_bytes != list(range(in_bytes[0], in_bytes[0] + 256)):
        raise InputError("a vocabulary has its bytes in an unusual order, which a page does not support")
    return {
        "kind": vocabulary.kind,
        "pieces": [processor.id_to_piece(id) for id in ids],
        "scores": [processor.get_score(id) for id in ids],
        "firstByte": in_bytes[0] if in_bytes else -1,
    }
