"""Subwords by SentencePiece (unigram or BPE).

Each word of the tokeniser is encoded by itself, so no subword spans two words and the subwords of a word are known by
construction. SentencePiece applies no normalisation (rule "identity").

"[UNK]" in a word is the unknown subword that a model wrote. In any other text, the tokeniser splits "[UNK]". A model
whose training text had "[UNK]" may write it in the subwords "[", "UN", "K" and "]". These subwords are one word, [UNK].
An empty word is [UNK].

A vocabulary may have a subword for each of the 256 byte values, <0x00> to <0xFF>. Bytes of UTF-8 then spell every
character that has no subword, and no word is unknown.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Literal, TypeVar

import sentencepiece

from nmt.data.vocabulary import END_ID, SPECIAL, UNK_ID, Encoded, Kind, Shortlist, Vocabulary, write_header
from nmt.errors import InputError
from nmt.files import read_record, read_whole
from nmt.results.alignment import END, PIECE_MARK, UNKNOWN, readable, spelled

PieceKind = Literal["unigram", "bpe"]
T = TypeVar("T")

LOWER_BLOCK_SUBSTITUTE = "\uf8f0"
"""Private-use character that replaces U+2581 in a text. SentencePiece reads U+2581 as the start of a word."""

_UNKNOWN_SUBSTITUTE = "\ufdd0"
"""Noncharacter that replaces "[UNK]", which SentencePiece would spell out. No subword contains this character."""

_WORDS = re.compile(r"\n|▁*(?:\[▁UNK(?:▁\])?(?![^▁\n])|[^▁\n]+)|▁+")
"""A match is one word of a sentence whose subwords were joined, with a line break for each end-of-sentence token. The
script of the page that translates has the same expression: nmt/page/js/vocabulary.js."""

FULL_COVERAGE, USUAL_COVERAGE = 0.999999, 0.9995
"""Share of the characters of the training text that subwords cover. Letters beyond the share are spelled in bytes, or
are unknown. FULL_COVERAGE applies if the letters take less than a quarter of the vocabulary, as in alphabetic scripts.
USUAL_COVERAGE applies to all other scripts, as SentencePiece recommends, and to every vocabulary with bytes. A model
learns the bytes from the rarest letters."""

MAX_TYPES = 1_000_000
"""Maximum number of distinct words that subwords are trained on. The most frequent words are taken."""

MAX_CACHED = 500_000
"""Maximum number of distinct words whose subwords are cached."""

_MAX_WORD_BYTES = 4_000
"""Maximum number of bytes of a word in training. SentencePiece also skips longer words."""


class Pieces:
    """A vocabulary of subwords.

    ``model``: bytes of a SentencePiece model. ``name``: what an error calls the model. Raises InputError for other
    bytes, and for a model whose ids 0 and 1 are not END and UNKNOWN.
    """

    def __init__(self, model: bytes, kind: PieceKind, name: str = "the model") -> None:
        self.model = model
        self.kind: PieceKind = kind
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
            size = self._processor.get_piece_size()
            self._pieces = tuple(self._processor.id_to_piece(id) for id in range(size))
        except UnicodeDecodeError:
            raise InputError(f"{name} is a SentencePiece model with a subword that is not UTF-8") from None
        except (RuntimeError, TypeError):
            raise InputError(f"{name} is not a SentencePiece model") from None
        if size < len(SPECIAL) or (self._processor.eos_id(), self._processor.unk_id()) != (END_ID, UNK_ID):
            raise InputError(f"{name} is a SentencePiece model without {END} as id 0 and {UNKNOWN} as id 1")
        self._cache: dict[str, tuple[int, ...]] = {}

    def __reduce__(self) -> tuple[type[Pieces], tuple[bytes, PieceKind]]:
        return (Pieces, (self.model, self.kind))

    @classmethod
    def load(cls, path: Path, kind: PieceKind) -> Pieces:
        """Read a model file. Raises InputError naming the file if it is missing, broken or too large."""
        if not path.exists():
            raise InputError(f"there is no vocabulary file {path}")
        return cls(read_whole(path), kind, str(path))

    @cached_property
    def _surfaces(self) -> tuple[str, ...]:
        return (*SPECIAL, *(_surface(piece) for piece in self._pieces[len(SPECIAL) :]))

    def __len__(self) -> int:
        return int(self._processor.get_piece_size())

    @cached_property
    def has_bytes(self) -> bool:
        """True if there are subwords for bytes, so that no word is unknown."""
        return any(self._processor.is_byte(id) for id in range(len(self)))

    def _word_ids(self, word: str) -> tuple[int, ...]:
        ids = self._cache.get(word)
        if ids is None:
            ids = tuple(self._processor.encode_as_ids(_encodable(word)))
            if UNKNOWN in word:
                ids = tuple(replaced(ids, self._unknown_ids, UNK_ID))
            if len(self._cache) < MAX_CACHED:
                self._cache[word] = ids
        return ids

    @cached_property
    def _unknown_ids(self) -> tuple[int, ...]:
        """The ids that SentencePiece gives to the character that stands for "[UNK]", without a leading "▁": UNK_ID
        alone, or the ids of the character's three bytes if the vocabulary has subwords for bytes."""
        ids = self._processor.encode_as_ids(_UNKNOWN_SUBSTITUTE)
        return tuple(ids[ids[0] != UNK_ID and not self._processor.is_byte(ids[0]) :])

    def encode(self, words: Sequence[str]) -> Encoded:
        ids: list[int] = []
        tokens: list[str] = []
        indices: list[int] = []
        unknown = []
        for index, word in enumerate(words):
            pieces = self._processor.encode_as_pieces(_encodable(word))
            if UNKNOWN in word and self.has_bytes:
                spelling = [self._pieces[id] for id in self._unknown_ids]
                pieces = replaced(pieces, spelling, _UNKNOWN_SUBSTITUTE)
            tokens.extend(map(_surface, pieces))
            ids.extend(self._word_ids(word))
            indices.extend([index] * len(pieces))
            if UNK_ID in self._word_ids(word):
                unknown.append(word)
        return Encoded(ids=(*ids, END_ID), tokens=(*tokens, END), words=(*indices, len(words)), unknown=tuple(unknown))

    def ids(self, words: Sequence[str]) -> list[int]:
        ids: list[int] = []
        get = self._cache.get
        for word in words:
            ids.extend(get(word) or self._word_ids(word))
        ids.append(END_ID)
        return ids

    def sampled_ids(self, words: Sequence[str], dropout: float) -> list[int]:
        """Ids of a sentence, end-of-sentence token last, with merges skipped at random, each with the probability
        ``dropout`` (BPE-dropout, Provilkov et al. 2020). Only for BPE. ``seed_sampling`` makes the result reproducible.
        """
        ids: list[int] = []
        for word in words:  # word by word: for a list SentencePiece gives each thread the same random numbers
            ids += self._processor.encode_as_ids(_encodable(word), enable_sampling=True, alpha=dropout, nbest_size=-1)
        return [*ids, END_ID]

    def tokens(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._surfaces[id] for id in ids)

    def word_indices(self, ids: Sequence[int]) -> tuple[int, ...]:
        pieces = ["\n" if id == END_ID else self._pieces[id] for id in ids]
        starts = {word.start() for word in _WORDS.finditer("".join(pieces))}
        places = accumulate(map(len, pieces[:-1]), initial=0)
        return tuple(number - 1 for number in accumulate(int(place in starts) for place in places))[: len(ids)]

    def words(self, ids: Sequence[int]) -> list[str]:
        parts: dict[int, str] = {}
        for number, id in zip(self.word_indices(ids), ids, strict=True):
            if id != END_ID:
                parts[number] = parts.get(number, "") + self._pieces[id]
        words = [part.replace(PIECE_MARK, "") for part in parts.values()]
        if self.has_bytes:
            words = [spelled(word) for word in words]
        return [readable(_surface(word)) for word in words]

    def save(self, folder: Path, side: str) -> None:
        write_header(folder, side, {"kind": self.kind})
        (folder / f"{side}.sentencepiece.model").write_bytes(self.model)


def seed_sampling(seed: int) -> None:
    """Seed the random numbers of ``Pieces.sampled_ids`` in this thread."""
    sentencepiece.set_random_generator_seed(seed)


def _escaped(word: str) -> str:
    return word.replace(PIECE_MARK, LOWER_BLOCK_SUBSTITUTE)


def _encodable(word: str) -> str:
    return _escaped(word).replace(UNKNOWN, _UNKNOWN_SUBSTITUTE)


def _surface(piece: str) -> str:
    return piece.replace(LOWER_BLOCK_SUBSTITUTE, PIECE_MARK).replace(_UNKNOWN_SUBSTITUTE, UNKNOWN)


def replaced(items: Sequence[T], part: Sequence[T], by: T) -> list[T]:
    """Replace every occurrence of a part of a list by one item.

    >>> replaced([3, 1, 2, 1, 2, 2], [1, 2], 0)
    [3, 0, 0, 2]
    """
    replaced_items: list[T] = []
    start = 0
    while start < len(items):
        matches = list(items[start : start + len(part)]) == list(part)
        replaced_items.append(by if matches else items[start])
        start += len(part) if matches else 1
    return replaced_items


def train_pieces(counts: Mapping[str, int], kind: PieceKind, size: int, with_bytes: bool = False) -> Pieces:
    """Learn subwords from word counts. The same counts give the same model, byte for byte. ``with_bytes``: 256 of the
    subwords are bytes, so that any text can be spelled.

    Subwords never span words, so training on word counts equals training on the whole text. If the words do not yield
    ``size`` subwords, the model has fewer. Raises InputError if ``size`` is too small to spell the words, or if there
    are no words.
    """
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_TYPES]
    rows = [f"{_escaped(word)}\t{count}" for word, count in most if len(word.encode()) <= _MAX_WORD_BYTES]
    if not rows:
        raise InputError("there are no words to learn subwords from")
    letters = len(set().union(*(word for word, _ in most)))
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(rows),
            input_format="tsv",
            model_writer=model,
            model_type=kind,
            vocab_size=size,
            hard_vocab_limit=False,
            character_coverage=FULL_COVERAGE if letters < size / 4 and not with_bytes else USUAL_COVERAGE,
            byte_fallback=with_bytes,
            normalization_rule_name="identity",
            eos_id=END_ID,
            unk_id=UNK_ID,
            bos_id=-1,
            pad_id=-1,
            eos_piece=END,
            unk_piece=UNKNOWN,
            split_by_unicode_script=True,
            split_digits=False,
            num_threads=2,  # the number of threads changes the result: the unigram model adds up sums by thread
            minloglevel=2,
        )
    except RuntimeError as error:
        needed = re.search(r"required_chars\D*(\d+)|smaller than required", str(error))
        raise InputError(
            f"{size} subwords are too few to spell these words" if needed else f"SentencePiece: {error}"
        ) from None
    return Pieces(model.getvalue(), kind)


@dataclass(frozen=True)
class _VocabularyFile:
    kind: Kind
    words: tuple[str, ...] | None = None


def load_vocabulary(folder: Path, side: str, size: int | None = None) -> Vocabulary:
    """Read a vocabulary written by ``save``. Raises InputError for a missing or broken file, and if the number of
    entries is not ``size``, the number in the settings."""
    path = folder / f"{side}.vocabulary.json"
    content = read_record(_VocabularyFile, path)
    vocabulary: Vocabulary
    if content.kind != "words":
        vocabulary = Pieces.load(folder / f"{side}.sentencepiece.model", content.kind)
    elif content.words is None:
        raise InputError(f"{path}: words is missing")
    elif len(set(content.words)) != len(content.words):
        raise InputError(f"{path} lists a word twice")
    else:
        vocabulary = Shortlist(content.words)
    if size is not None and len(vocabulary) != size:
        raise InputError(f"{folder}: the {side} vocabulary has {len(vocabulary)} entries, but the settings say {size}")
    return vocabulary
