"""Test sets: sentences with reference translations. ``remarks`` names ways of writing that distort a score."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nmt.data.text_files import REFERENCE
from nmt.data.uploads import LIMITS, Limits, Upload, lines_of, pairs_of, read_text, read_upload
from nmt.errors import InputError
from nmt.files import is_plain_name
from nmt.results import SHORT_FOR_ALL_SETS, UNKNOWN_LANGUAGES, Evaluation, Languages
from nmt.texts import say


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """A test set. Sequences are converted to tuples, so that test sets can be hashed.

    Attributes:
        name: key of saved evaluations, or None for unnamed sentences.
        registers: register of each pair, such as "law" or "everyday". Empty if unknown.
        licence: a name such as "CC0-1.0", or "" if unknown.
        more_references: additional columns of references. A sentence without such a reference has a blank line there.
        documents: identifier of the document of each sentence, or empty if unknown.

    Raises InputError if there are no sources, or if the numbers of sources and registers differ.
    """

    __test__: ClassVar[bool] = False  # nothing for pytest to run

    name: str | None
    sources: Sequence[str]
    references: Sequence[str]
    registers: Sequence[str] = ()
    licence: str = ""
    languages: Languages = UNKNOWN_LANGUAGES
    more_references: Sequence[Sequence[str]] = ()
    documents: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("sources", "references", "registers", "documents"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "more_references", tuple(map(tuple, self.more_references)))
        called, columns = self.name or "the test set", (*self.all_references, self.documents or self.sources)
        assert all(len(column) == len(self.sources) for column in columns)
        if not self.sources:
            raise InputError(f"{called} has no sentences")
        if self.registers and len(self.registers) != len(self.sources):
            raise InputError(f"{called} has {len(self.sources):,} sentences, but {len(self.registers):,} registers")

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def source_sha256(self) -> str:
        """Checksum of the sources, as recorded in evaluations."""
        return digest(self.sources)

    @property
    def all_references(self) -> tuple[Sequence[str], ...]:
        """The columns of references: ``references``, and those of ``more_references``."""
        return (self.references, *self.more_references)

    @cached_property
    def reference_sha256(self) -> str:
        """Checksum of the references. Several references of a sentence are one line, with tabs between them."""
        return digest(map("\t".join, zip(*self.all_references, strict=True)))

    def take(self, rows: NDArray[np.int64]) -> TestSet:
        """Select some of the pairs, at least one, under the same name."""
        names = ("sources", "references", "registers", "documents")
        columns: dict[str, Any] = {
            name: [getattr(self, name)[i] for i in rows if getattr(self, name)] for name in names
        }
        more = [[column[i] for i in rows] for column in self.more_references]
        return replace(self, **columns, more_references=more)

    def is_of(self, evaluation: Evaluation) -> bool:
        """Tell whether the evaluation was made on exactly these sentences, under whatever name."""
        return (self.source_sha256, self.reference_sha256) == (evaluation.source_sha256, evaluation.reference_sha256)


def digest(lines: Iterable[str]) -> str:
    """SHA-256 of the lines in UTF-8, each followed by a newline, as in a plain text file."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


_ENDINGS = ("", ".xz", ".gz")


@dataclass(frozen=True, kw_only=True)
class CorpusTestSet:
    """Location of a test set in a folder of corpora. ``from_corpus`` reads the test set. ``name``: as in the
    evaluations of released runs."""

    name: str
    source: Path
    reference: Path
    languages: Languages = UNKNOWN_LANGUAGES


def from_folder(folder: Path, source_language: str, target_language: str, limits: Limits = LIMITS) -> TestSet:
    """Read a folder such as testsets/jointly-150. Its files are ``sentences.LANGUAGE``, and perhaps ``registers`` (one
    line per pair) and ``LICENSE``. Raises InputError if the sentences of a language are missing."""
    sides = [folder / f"sentences.{language}" for language in (source_language, target_language)]
    for side in sides:
        if not side.is_file():
            raise InputError(f"{folder} has no {side.name}")
    registers = folder / "registers"
    source, reference = (read_upload(side, limits) for side in sides)
    return replace(
        from_two_files(folder.name, source, reference, limits),
        registers=lines_of(read_upload(registers, limits), limits) if registers.is_file() else (),
        licence=_licence(folder / "LICENSE"),
        languages=Languages(source_language, target_language),
    )


def list_folders(root: Path, source_language: str, target_language: str) -> list[Path]:
    """List the folders in ``root`` with a test set of these languages, by name. Empty if ``root`` does not exist."""
    sides = [f"sentences.{language}" for language in (source_language, target_language)]
    return sorted(folder for folder in root.glob("*/") if all((folder / side).is_file() for side in sides))


def find_in_corpora(
    data: Path, source_language: str, target_language: str, known: Mapping[str, str] = MappingProxyType({})
) -> list[CorpusTestSet]:
    """List the test sets in a folder of corpora, sorted by name. The files are DATA/CORPUS/SPLIT.LANGUAGE, with an
    optional suffix .xz or .gz. The test sets are the splits in ``known``, and those whose names begin with "test".
    Splits that are not in ``known`` are called CORPUS-SPLIT. ``known``: names of test sets, by "CORPUS/SPLIT"."""
    test_sets: dict[str, CorpusTestSet] = {}
    for corpus in sorted(path for path in data.glob("*/") if path.is_dir()):
        for ending in _ENDINGS:
            for source in sorted(corpus.glob(f"*.{source_language}{ending}")):
                split = source.name.removesuffix(f".{source_language}{ending}")
                stem = f"{corpus.name}/{split}"
                if stem not in known and not split.startswith("test"):
                    continue
                references = [corpus / f"{split}.{target_language}{other}" for other in _ENDINGS]
                reference = next((path for path in references if path.is_file()), None)
                if reference is not None:
                    name = known.get(stem, f"{corpus.name}-{split}")
                    languages = Languages(source_language, target_language)
                    test_sets.setdefault(
                        name, CorpusTestSet(name=name, source=source, reference=reference, languages=languages)
                    )
    return [test_sets[name] for name in sorted(test_sets)]


def from_corpus(place: CorpusTestSet) -> TestSet:
    """Read the test set of a corpus."""
    source, reference = read_upload(place.source, LIMITS), read_upload(place.reference, LIMITS)
    return replace(from_two_files(place.name, source, reference), languages=place.languages)


def from_two_files(
    name: str | None,
    source: Upload,
    reference: Upload,
    limits: Limits = LIMITS,
    languages: Languages = UNKNOWN_LANGUAGES,
) -> TestSet:
    """Read two files with one sentence per line, or markup. The second file may have several references per sentence.
    Raises InputError if the numbers of sentences differ."""
    sentences = read_text(source, limits, language=languages.source)
    references, *more = read_text(reference, limits, REFERENCE, languages.target).columns
    if len(references) != len(sentences.lines):
        raise InputError(
            say(
                "errors.lines_differ",
                file=source.name,
                lines=len(sentences.lines),
                other=reference.name,
                other_lines=len(references),
            )
        )
    return TestSet(
        name=name,
        sources=sentences.lines,
        references=references,
        languages=languages,
        more_references=more,
        documents=sentences.documents,
    )


def from_tsv(name: str | None, file: Upload, limits: Limits = LIMITS) -> TestSet:
    """Read a file with a source sentence, a tab and its translation on each line."""
    sources, references = zip(*pairs_of([file], limits), strict=True)
    return TestSet(name=name, sources=sources, references=references)


def check_name(name: str) -> None:
    """Raise InputError unless the name of a test set or of a system is a valid file name."""
    if not is_plain_name(name) or name == SHORT_FOR_ALL_SETS:
        raise InputError(say("errors.bad_set_name", name=name, short=SHORT_FOR_ALL_SETS))


def _licence(path: Path) -> str:
    """SPDX name in the first line, or "" if there is none."""
    if not path.is_file():
        return ""
    first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    return first.partition("SPDX-License-Identifier:")[2].strip()


_MARKS = re.compile(r"@@(?: |$)|▁|￭|(?:^| )##\w|</w>|Ġ")
"""Marks of subwords: of subword-nmt, SentencePiece, OpenNMT's tokeniser, BERT, old BPE and GPT-2."""
_TOKENISED = re.compile(r"\S [.,](?: |$)|&(?:apos|quot|amp);")
_PUNCTUATED = re.compile(r"[.,](?: |$)|&(?:apos|quot|amp);")
_MANY, _FEW = 0.1, 0.01
_MOSTLY = 0.5


def remarks(hypotheses: Sequence[str], references: Iterable[Sequence[str]], names: tuple[str, str]) -> list[str]:
    """Remarks if translations and references are written in different ways: at most one remark on subwords, and one on
    tokenisation. ``names``: names of the translations and of the references, for the remarks."""
    said: list[str] = []
    sides = hypotheses, [line for column in references for line in column]
    marked = [sum(_MARKS.search(line) is not None for line in side) for side in sides]
    shares = [count / max(1, len(side)) for count, side in zip(marked, sides, strict=True)]
    if max(shares) >= _MANY and min(shares) < _FEW:
        said.append(
            say(
                "errors.marks_of_subwords",
                marked=marked[0],
                lines=len(sides[0]),
                name=names[0],
                other_marked=marked[1],
                other_lines=len(sides[1]),
                other=names[1],
            )
        )
    cut = [share for side in sides if (share := _share_tokenised(side)) is not None]
    if len(cut) == len(sides) and max(cut) >= _MOSTLY and min(cut) < _MANY:
        tokenised, other = names if cut[0] > cut[1] else names[::-1]
        said.append(say("errors.looks_tokenised", name=tokenised, other=other))
    return said


def _share_tokenised(lines: Sequence[str]) -> float | None:
    """Consider the lines with an escape, or with a full stop or comma at the end of a word. Return the share of them
    that has an escape, or a space before a full stop or comma. None without such lines."""
    punctuated = [line for line in lines if _PUNCTUATED.search(line)]
    tokenised = sum(_TOKENISED.search(line) is not None for line in punctuated)
    return tokenised / len(punctuated) if punctuated else None
