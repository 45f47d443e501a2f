"""Download and build a known corpus by name, and record the result beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from nmt.config import FORMAT_VERSION
from nmt.data.corpora import gold, laws, multi30k, tatoeba, wmt14
from nmt.data.corpora.archives import extract
from nmt.data.corpora.download import download
from nmt.data.corpora.parallel import WrittenSplit
from nmt.data.corpora.registry import KnownCorpus, known
from nmt.data.staging import staging
from nmt.errors import InputError
from nmt.files import read_json, write_json
from nmt.records import as_record

DOWNLOADS = "downloads"
RECORD = "corpus.json"
GOLD_FOLDER = "alignment-gold/"

OnProgress = Callable[[str, int, int | None], None]
"""Progress callback: the file being downloaded, or "documents"; bytes (documents) done; their total, if known."""


@dataclass(frozen=True, kw_only=True)
class MadeCorpus:
    """Record of a corpus that was built, as in corpus.json.

    Attributes:
        name, licence, citation: of the corpus.
        folder: its path.
        splits: the splits written.
        sources: its inputs: addresses, or a folder of XML.
        as_released: whether all texts are those that the released runs were trained on; None if unknown.
        dropped: number of omitted pairs and documents, by reason.
        unreadable: files that could not be used, one sentence each.
    """

    name: str
    folder: str
    licence: str
    citation: str
    splits: Sequence[WrittenSplit]
    sources: Sequence[str]
    as_released: bool | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    unreadable: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def get(name: str, out: Path, *, force: bool = False, on_progress: OnProgress) -> MadeCorpus:
    """Download the corpus ``name`` into ``out/downloads`` and make its files in a folder of ``out``.

    Existing files are not fetched again. The folder is created atomically; an existing one is replaced if ``force`` is
    true and it contains nothing but a corpus made by this function.

    Raises InputError for an unknown name, an existing folder that must not be replaced, and any failure of downloading
    or building (nmt.data.corpora.download, .archives).
    """
    corpus = known(name)
    folder = out / corpus.folder
    _check_out(folder, force)
    downloads = out / DOWNLOADS / corpus.folder
    for source in corpus.sources:
        download(source.url, downloads / source.file, source.checksum, partial(on_progress, source.file))
    with staging(folder) as part:
        return _recorded(_build(corpus, downloads, part, folder, on_progress), part)


def build_laws(
    xml: Path, out: Path, *, scores: Sequence[Path] = (), force: bool = False, on_progress: OnProgress
) -> MadeCorpus:
    """Build the laws from a folder of their XML (nmt.data.corpora.laws.build) in ``out/canada-laws``; raises the errors
    of ``get``."""
    corpus = known("canada-laws")
    folder = out / corpus.folder
    _check_out(folder, force)
    with staging(folder) as part:
        return _recorded(_laws(corpus, xml, str(xml), part, folder, scores, on_progress), part)


def _build(corpus: KnownCorpus, downloads: Path, part: Path, folder: Path, on_progress: OnProgress) -> MadeCorpus:
    if corpus.folder == "canada-laws":
        (source,) = corpus.sources
        with TemporaryDirectory(dir=downloads, prefix="xml-") as xml:
            extract(downloads / source.file, Path(xml), _is_law)
            root = next(Path(xml).iterdir(), Path(xml))  # GitHub puts all into one folder
            return _laws(corpus, root, source.url, part, folder, (), on_progress)
    first, language = downloads / corpus.sources[0].file, corpus.languages[1]
    if corpus.folder.startswith("tatoeba"):
        splits = tatoeba.build(first, part, language)
    elif corpus.folder.startswith("multi30k"):
        splits = multi30k.build(downloads, part, language)
    elif corpus.folder.startswith(GOLD_FOLDER):
        splits = gold.build(first, corpus.folder.removeprefix(GOLD_FOLDER), corpus.languages, part)
    elif corpus.name == "news":
        splits = wmt14.build_news(downloads, part)
    else:
        splits = wmt14.build(downloads, part)
    texts = {f"{split.name}.{language}": digest for split in splits for language, digest in split.sha256.items()}
    as_released = texts == corpus.texts if corpus.texts else None
    sources = [source.url for source in corpus.sources]
    return MadeCorpus(
        name=corpus.name,
        folder=str(folder),
        licence=corpus.licence,
        citation=corpus.citation,
        splits=splits,
        sources=sources,
        as_released=as_released,
    )


def _laws(
    corpus: KnownCorpus,
    xml: Path,
    source: str,
    part: Path,
    folder: Path,
    scores: Sequence[Path],
    on_progress: OnProgress,
) -> MadeCorpus:
    built = laws.build(xml, part, scores, partial(on_progress, "documents"))
    return MadeCorpus(
        name=corpus.name,
        folder=str(folder),
        licence=corpus.licence,
        citation=corpus.citation,
        splits=built.splits,
        sources=[source, *map(str, scores)],
        dropped=built.dropped,
        unreadable=built.unreadable,
    )


def _is_law(name: str) -> bool:
    """Recognise names such as laws-lois-xml-COMMIT/eng/acts/A-1.xml."""
    path = PurePosixPath(name)
    kinds = {kind for pair in laws.KINDS for kind in pair}
    return path.suffix == ".xml" and "/".join(path.parts[1:-1]) in kinds


def _recorded(made: MadeCorpus, part: Path) -> MadeCorpus:
    write_json(part / RECORD, {"format": FORMAT_VERSION} | made.to_dict())
    return made


@dataclass(frozen=True)
class _MadeSplit:
    name: str
    sha256: dict[str, str]


@dataclass(frozen=True)
class _MadeBefore:
    """The entries of corpus.json that say which files belong to the corpus."""

    splits: tuple[_MadeSplit, ...] = ()


def _check_out(folder: Path, force: bool) -> None:
    """Raise InputError unless ``folder`` may be written: it does not exist, is empty, or ``force`` is true and it
    contains nothing but a corpus made by ``get``."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise InputError(f"{folder} exists and is not a folder")
    names = {path.name for path in folder.iterdir()}
    if not names:
        return
    if RECORD not in names:
        raise InputError(f"{folder} exists and was not made by this command; it is left unchanged")
    if not force:
        raise InputError(f"{folder} already exists; --force rebuilds it")
    record = as_record(_MadeBefore, read_json(folder / RECORD), str(folder / RECORD), unknown="ignore")
    ours = {f"{split.name}.{language}" for split in record.splits for language in split.sha256}
    ours |= {f"{text}{ending}" for text in ours for ending in (".xz", ".gz")} | {RECORD, gold.GOLD}
    strange = names - ours
    if strange:
        raise InputError(f"{folder} contains {min(strange)} beside the corpus; it is left unchanged")
