"""Reading of test sets from files and uploads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from nmt.data.uploads import LIMITS, Limits, Upload, check_length, lines_of, read_upload
from nmt.errors import InputError
from nmt.evaluation.test_set import TestSet
from nmt.files import is_plain_name
from nmt.results import SHORT_FOR_ALL_SETS, UNKNOWN_LANGUAGES, Languages

_ENDINGS = ("", ".xz", ".gz")


@dataclass(frozen=True, kw_only=True)
class CorpusTestSet:
    """Location of a test set of a corpus, which is read on demand.

    Attributes:
        name: name of the test set, as in the evaluations of released runs.
        source, reference: the files.
        languages: languages of both.
    """

    name: str
    source: Path
    reference: Path
    languages: Languages = UNKNOWN_LANGUAGES


def from_folder(folder: Path, source_language: str, target_language: str, limits: Limits = LIMITS) -> TestSet:
    """Read ``sentences.LANGUAGE`` of a folder such as testsets/jointly-150 and, if present, ``registers``, one line per
    pair, and ``LICENSE``."""
    sides = [folder / f"sentences.{language}" for language in (source_language, target_language)]
    for side in sides:
        if not side.is_file():
            raise InputError(f"{folder} has no {side.name}")
    registers = folder / "registers"
    return _test_set(
        folder.name,
        read_upload(sides[0], limits),
        read_upload(sides[1], limits),
        limits,
        registers=lines_of(read_upload(registers, limits), limits) if registers.is_file() else (),
        licence=_licence(folder / "LICENSE"),
        origin=str(folder),
        languages=Languages(source_language, target_language),
    )


def list_folders(root: Path, source_language: str, target_language: str) -> list[Path]:
    """List the folders in ``root`` with a test set of these languages, by name; empty if ``root`` does not exist."""
    languages = (source_language, target_language)
    return sorted(
        folder
        for folder in root.glob("*/")
        if all((folder / f"sentences.{language}").is_file() for language in languages)
    )


def find_in_corpora(
    data: Path, source_language: str, target_language: str, known: Mapping[str, str] = MappingProxyType({})
) -> list[CorpusTestSet]:
    """List the test sets in a folder of corpora, DATA/CORPUS/SPLIT.LANGUAGE with an optional suffix .xz or .gz, sorted
    by name: the splits whose names begin with "test", which are called CORPUS-SPLIT, and those that are known.

    Args:
        known: names of test sets by their place, "CORPUS/SPLIT".
    """
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


def from_corpus(place: CorpusTestSet, limits: Limits = LIMITS) -> TestSet:
    """Read the test set of a corpus."""
    origin = f"{place.source}, {place.reference}"
    return _test_set(
        place.name,
        read_upload(place.source, limits),
        read_upload(place.reference, limits),
        limits,
        origin=origin,
        languages=place.languages,
    )


def from_two_files(name: str | None, source: Upload, reference: Upload, limits: Limits = LIMITS) -> TestSet:
    """Read two files with one sentence per line."""
    return _test_set(name, source, reference, limits, origin=f"{source.name}, {reference.name}")


def from_tsv(name: str | None, file: Upload, limits: Limits = LIMITS) -> TestSet:
    """Read a file with a source sentence, a tab and its translation on each line."""
    pairs = []
    for number, line in enumerate(lines_of(file, replace(limits, characters=limits.size)), 1):
        columns = line.split("\t")
        if len(columns) != 2:
            tabs = "no tab" if len(columns) == 1 else f"{len(columns) - 1} tabs"
            raise InputError(f"{file.name}, line {number} has {tabs}; expected a sentence, one tab and its translation")
        for column in columns:
            check_length(column, number, file.name, limits)
        pairs.append(columns)
    sources, references = zip(*pairs, strict=True)
    return TestSet(name=name, sources=sources, references=references, origin=file.name)


def check_name(name: str) -> None:
    """Raise InputError unless the name of a test set or of a system is a valid file name."""
    if not is_plain_name(name) or name in SHORT_FOR_ALL_SETS:
        raise InputError(
            f"{name!r} is not a valid name: use letters, digits, '.', '_' and '-', "
            f"not {' or '.join(SHORT_FOR_ALL_SETS)}"
        )


def _licence(path: Path) -> str:
    """SPDX name in the first line; "" if there is none."""
    if not path.is_file():
        return ""
    first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    return first.partition("SPDX-License-Identifier:")[2].strip()


def _test_set(
    name: str | None,
    source: Upload,
    reference: Upload,
    limits: Limits,
    *,
    registers: Sequence[str] = (),
    licence: str = "",
    origin: str = "",
    languages: Languages = UNKNOWN_LANGUAGES,
) -> TestSet:
    sources, references = lines_of(source, limits), lines_of(reference, limits)
    if len(sources) != len(references):
        raise InputError(f"{source.name} has {len(sources):,} lines, but {reference.name} has {len(references):,}")
    return TestSet(
        name=name,
        sources=sources,
        references=references,
        registers=registers,
        licence=licence,
        origin=origin,
        languages=languages,
    )
