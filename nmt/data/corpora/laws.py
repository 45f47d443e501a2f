"""The consolidated acts and regulations of Canada as a parallel corpus, built from the published XML."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt.data.corpora.laws_xml import read_document
from nmt.data.corpora.parallel import SentencePair, WrittenSplit, share, straight_apostrophes, write_split
from nmt.data.corpus import read_lines
from nmt.errors import InputError

KINDS = (("eng/acts", "fra/lois"), ("eng/regulations", "fra/reglements"))
"""The folders of the repository that are read, English and French."""

MIN_WORDS, MAX_WORDS = 2, 140
"""Limits on the whitespace tokens of either side."""
MAX_RATIO = 2.6
"""Maximum ratio of the numbers of characters of the two sides, five added to each because headings are short."""
MIN_LETTERS = 0.6
"""Minimum share of the characters that are letters or spaces."""
DEV_SHARE, TEST_SHARE = 0.02, 0.03
"""Shares of the documents that are held out."""
DEV_PAIRS, TEST_PAIRS = 2_000, 3_003
DROPPED_SHARE = 0.3
"""Share of the pairs that is dropped if an aligner's scores are given."""

_REGULATION = re.compile(r"^(?:DORS|TR|C\.R\.C\.,_ch\.)(?=[-_])")
_ENGLISH = {"DORS": "SOR", "TR": "SI", "C.R.C.,_ch.": "C.R.C.,_c."}
_REMARK = re.compile(r"\[.*\]")

OnDocuments = Callable[[int, int], None]
"""Progress callback: number of documents read, and their total."""


@dataclass(frozen=True, kw_only=True)
class BuiltLaws:
    """Result of building the corpus.

    Attributes:
    splits: train, dev, test, and pairs: all pairs, before filtering by scores and splitting.
    documents: number of documents read in both languages.
    dropped: documents and pairs by reason; "score" counts pairs that passed all other filters.
    unreadable: files that are not a Statute or Regulation, one sentence each.
    """

    splits: list[WrittenSplit]
    documents: int
    dropped: Mapping[str, int]
    unreadable: list[str]


@dataclass(frozen=True)
class _PairOfDocument:
    """A pair and the document that it comes from."""

    pair: SentencePair
    document: str


def build(
    xml: Path,
    folder: Path,
    scores: Sequence[Path] = (),
    on_documents: OnDocuments = lambda done, total: None,
) -> BuiltLaws:
    """Write train, dev, test and pairs from a folder that contains eng/acts, fra/lois, eng/regulations,
    fra/reglements, or some of them.

    ``scores`` are files with one number per line of ``pairs``, lower is better, such as eflomal writes for each
    direction; with several files the worst score of a pair counts, and the worst 30 % of the pairs are dropped. The
    same XML and scores give the same files.

    Whole documents are held out for dev and test. From these, repetitions and pairs whose English side also occurs in
    train (for dev: or in test) are dropped; ``DEV_PAIRS`` and ``TEST_PAIRS`` are drawn if there are more.

    Raises InputError if no document is in both languages, or the scores do not match the pairs.
    """
    documents = _documents(xml)
    if not documents:
        raise InputError(
            f"{xml} contains no law in both languages: eng/acts and fra/lois, or regulations and reglements"
        )
    dropped: Counter[str] = Counter()
    unreadable: list[str] = []
    origins: dict[SentencePair, str] = {}
    read = 0
    for number, (name, paths) in enumerate(sorted(documents.items()), start=1):
        if len(paths) < 2:
            dropped["document in one language"] += 1
            continue
        try:
            pairs = list(_aligned(paths[0], paths[1], dropped))
        except InputError as error:
            unreadable.append(str(error))
            continue
        read += 1
        for pair in pairs:
            if pair in origins:
                dropped["repeated"] += 1
            origins.setdefault(pair, name)
        on_documents(number, len(documents))
    everything = [_PairOfDocument(pair, name) for pair, name in origins.items()]
    kept = _without_worst(everything, scores) if scores else everything
    dropped["score"] = len(everything) - len(kept)
    splits = [write_split(folder, name, pairs) for name, pairs in _split(kept, dropped).items()]
    splits.append(write_split(folder, "pairs", [entry.pair for entry in everything]))
    return BuiltLaws(splits=splits, documents=read, dropped=dict(dropped), unreadable=unreadable)


def _documents(xml: Path) -> dict[str, list[Path]]:
    """The files of each document, English first, by its English name."""
    documents: dict[str, list[Path]] = {}
    for english, french in KINDS:
        for path in sorted((xml / english).glob("*.xml")):
            documents[f"{english}/{path.stem}"] = [path]
        for path in sorted((xml / french).glob("*.xml")):
            name = _REGULATION.sub(lambda match: _ENGLISH[match[0]], path.stem)
            documents.setdefault(f"{english}/{name}", []).append(path)
    return documents


def _aligned(english: Path, french: Path, dropped: Counter[str]) -> Iterator[SentencePair]:
    """Yield the pairs of one document: equal paths, texts that can be translations of each other."""
    en, fr = read_document(english), read_document(french)
    if (en.language, fr.language) != ("en", "fr"):
        raise InputError(f"{english} and {french} are not the English and the French version of one law")
    for path, text in en.texts.items():
        if path not in fr.texts:
            dropped["label in one language"] += 1
            continue
        pair = SentencePair(straight_apostrophes(text), straight_apostrophes(fr.texts[path]))
        reason = _fault(pair)
        if reason:
            dropped[reason] += 1
        else:
            yield pair
    dropped["label in one language"] += len(fr.texts.keys() - en.texts.keys())


def _fault(pair: SentencePair) -> str:
    """Return the reason why a pair cannot be used, or "" if it can."""
    words = [len(side.split()) for side in pair]
    lengths = [len(side) + 5 for side in pair]
    if any(_REMARK.fullmatch(side) for side in pair):
        return "remark"
    if min(words) < MIN_WORDS or max(words) > MAX_WORDS:
        return "length"
    if max(lengths) > MAX_RATIO * min(lengths):
        return "ratio"
    if pair.en == pair.other or any(_not_prose(side) for side in pair):
        return "characters"
    return ""


def _not_prose(text: str) -> bool:
    """Tell whether much of a text is not letters, or a letter is not Latin (a few Greek letters are units and
    symbols)."""
    if sum(character.isalpha() or character == " " for character in text) < MIN_LETTERS * len(text):
        return True
    others = {c for c in text if ord(c) > 0x24F and c.isalpha()}
    return any(not unicodedata.name(c, "").startswith(("LATIN", "GREEK")) for c in others)


def _without_worst(pairs: list[_PairOfDocument], scores: Sequence[Path]) -> list[_PairOfDocument]:
    """Drop the pairs with the worst scores, keeping the order; among equal scores the first stay."""
    worst = [-math.inf] * len(pairs)
    for path in scores:
        values = [_number(line.text, number, path) for number, line in enumerate(read_lines(path), start=1)]
        if len(values) != len(pairs):
            raise InputError(f"{path} has {len(values):,} scores, but there are {len(pairs):,} pairs")
        worst = list(map(max, worst, values))
    kept = sorted(range(len(pairs)), key=lambda i: worst[i])[: len(pairs) - int(DROPPED_SHARE * len(pairs))]
    return [pairs[i] for i in sorted(kept)]


def _number(text: str | None, number: int, path: Path) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise InputError(f"{path}, line {number}: not a number")
    return value


def _split(pairs: list[_PairOfDocument], dropped: Counter[str]) -> dict[str, list[SentencePair]]:
    splits: dict[str, list[SentencePair]] = {"train": [], "dev": [], "test": []}
    for entry in pairs:
        place = share(entry.document)
        name = "dev" if place < DEV_SHARE else "test" if place < DEV_SHARE + TEST_SHARE else "train"
        splits[name].append(entry.pair)
    seen = {pair.en for pair in splits["train"]}
    for name, number in (("test", TEST_PAIRS), ("dev", DEV_PAIRS)):
        new = []
        for pair in splits[name]:
            if pair.en not in seen:
                seen.add(pair.en)
                new.append(pair)
        dropped["English side known"] += len(splits[name]) - len(new)
        drawn = set(sorted(new, key=lambda pair: share(pair.en))[:number])
        dropped["more than is held out"] += len(new) - len(drawn)
        splits[name] = [pair for pair in new if pair in drawn]
    return splits
