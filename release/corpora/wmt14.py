"""WMT'14 English-French, the paper's corpora, development set and test set, and the corpus of its news tests alone.

Paper: 4.1, 4.2
"""

import gzip
import hashlib
import html
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from nmt.data.corpora.parallel import LANGUAGES, SentencePair, WrittenSplit, tidy, write_split
from nmt.data.corpus import read_pairs
from nmt.errors import InputError
from release.corpora.archives import open_member


@dataclass(frozen=True)
class Texts:
    """An archive, and the names of its members by language."""

    archive: str
    members: Mapping[str, str]


def _texts(archive: str, member: str) -> Texts:
    return Texts(archive, {language: member.format(language) for language in LANGUAGES})


TRAINING: Mapping[str, Texts] = {
    "europarl": _texts("training-parallel-europarl-v7.tgz", "training/europarl-v7.fr-en.{}"),
    "news-commentary": _texts("training-parallel-nc-v9.tgz", "training/news-commentary-v9.fr-en.{}"),
    "un": _texts("training-parallel-un.tgz", "un/undoc.2000.fr-en.{}"),
    "common-crawl": _texts("training-parallel-commoncrawl.tgz", "commoncrawl.fr-en.{}"),
    "giga-fren": _texts("training-giga-fren.tar", "giga-fren.release2.fixed.{}.gz"),
}
IN_DOMAIN = "news-commentary"

_FULL = "test-full/newstest2014-fren"
NEWS_TESTS: Mapping[int, Texts] = {
    **{year: _texts(f"wmt{year % 100:02}-test.tgz", f"test/newstest{year}-src.{{}}.sgm") for year in range(2008, 2014)},
    2011: _texts("wmt11-test.tgz", "newstest2011-src.{}.sgm"),
    2014: Texts("test-full.tgz", {"en": f"{_FULL}-src.en.sgm", "fr": f"{_FULL}-ref.fr.sgm"}),
}
NEWS_SPLITS = {"dev": (2012, 2013), "test": (2014,)}
EARLIER_NEWS = (2008, 2009, 2010, 2011)

_SEGMENT = re.compile(r"<seg [^>]*>(.*?)</seg>", re.DOTALL)


NEWS_CORPUS = {"train": EARLIER_NEWS, "dev": NEWS_SPLITS["dev"], "newstest2014": NEWS_SPLITS["test"]}
"""The splits of the corpus "news", which consists of news tests only."""


def build_news(downloads: Path, folder: Path) -> list[WrittenSplit]:
    """Write train, dev and newstest2014 from the news tests only; raises the errors of ``build``."""
    return [write_split(folder, name, _news(downloads, years)) for name, years in NEWS_CORPUS.items()]


def build_wmt14(downloads: Path, folder: Path) -> list[WrittenSplit]:
    """Write ``NAME.en.gz`` and ``NAME.fr.gz`` of each training corpus; dev, test and in-domain (.xz). in-domain, the
    news domain for ``python -m experiments select``, is newstest2008 to 2011 with News Commentary.

    Bytes that are not UTF-8 become U+FFFD in training corpora, which are otherwise unchanged. Raises InputError for a
    damaged archive, a missing member, and two sides that differ in number of lines.
    """
    splits = [write_split(folder, name, _news(downloads, years)) for name, years in NEWS_SPLITS.items()]
    splits += [_training(downloads, folder, name, texts) for name, texts in TRAINING.items()]
    news = _news(downloads, EARLIER_NEWS)
    for commentary in read_pairs(*(folder / f"{IN_DOMAIN}.{language}.gz" for language in LANGUAGES)):
        pair = SentencePair(tidy(commentary.source.text or ""), tidy(commentary.target.text or ""))
        if all(pair):
            news.append(pair)
    return [*splits, write_split(folder, "in-domain", news)]


def _news(downloads: Path, years: Iterable[int]) -> list[SentencePair]:
    """The sentences of some news tests; the format only looks like SGML."""
    pairs: list[SentencePair] = []
    for year in years:
        sides = []
        for name in NEWS_TESTS[year].members.values():
            with open_member(downloads / NEWS_TESTS[year].archive, name.__eq__, name) as file:
                segments = _SEGMENT.findall(file.read().decode("utf-8", "replace"))
            sides.append([tidy(html.unescape(segment)) for segment in segments])
        if len(sides[0]) != len(sides[1]) or not sides[0]:
            counts = f"{len(sides[0]):,} English sentences, but {len(sides[1]):,} French ones"
            raise InputError(f"newstest{year} has {counts}")
        pairs += map(SentencePair, *sides)
    return pairs


def _training(downloads: Path, folder: Path, name: str, texts: Texts) -> WrittenSplit:
    copied = {}
    for language, member in texts.members.items():
        with open_member(downloads / texts.archive, member.__eq__, member) as stream:
            text = gzip.GzipFile(fileobj=stream) if member.endswith(".gz") else stream
            copied[language] = _copy(cast(IO[bytes], text), folder / f"{name}.{language}.gz")
    (lines, words, digest), (french_lines, _, french_digest) = copied["en"], copied["fr"]
    if lines != french_lines:
        raise InputError(f"{name} of WMT'14 has {lines:,} English lines, but {french_lines:,} French ones")
    return WrittenSplit(name=name, pairs=lines, words=words, sha256={"en": digest, "fr": french_digest})


def _copy(stream: IO[bytes], path: Path) -> tuple[int, int, str]:
    """Copy line by line, since a corpus does not fit into memory; compressed lightly, without a time stamp. Returns
    the numbers of lines and words, and the checksum."""
    digest = hashlib.sha256()
    lines = words = 0
    with path.open("wb") as raw, gzip.GzipFile("", "wb", compresslevel=1, fileobj=raw, mtime=0) as file:
        for line in io.BufferedReader(cast(io.RawIOBase, stream), 1 << 20):
            text = line.removesuffix(b"\n").decode("utf-8", "replace").encode() + b"\n"
            digest.update(text)
            file.write(text)
            lines += 1
            words += len(text.split())
    return lines, words, digest.hexdigest()
