"""Download and build a known corpus by name, and record the result beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from nmt.data.corpora import gold, grammar_ko, laws, phrasebook, published
from nmt.data.corpora.download import download
from nmt.data.corpora.parallel import Built, WrittenSplit
from nmt.data.corpora.registry import KnownCorpus, known
from nmt.errors import InputError
from nmt.files import check_replaceable, read_json, staging, write_json
from nmt.records import as_record, to_data

DOWNLOADS = "downloads"
RECORD = "corpus.json"

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


def get(name: str, out: Path, *, force: bool = False, on_progress: OnProgress) -> MadeCorpus:
    """Download the corpus ``name`` into ``out/downloads`` and make its files in a folder of ``out``.

    Existing files are not fetched again. The folder is created atomically; an existing one is replaced if ``force`` is
    true and it contains nothing but a corpus made by this function.

    Raises InputError for an unknown name, a corpus that no command makes, an existing folder that must not be replaced,
    and any failure of downloading or building (nmt.data.corpora.download).
    """
    corpus = known(name)
    if corpus.builder is None:
        raise InputError(f"no command makes {name}: {corpus.note}; it is at {corpus.home}")
    folder = out / corpus.folder
    _check_out(folder, force)
    downloads = out / DOWNLOADS / corpus.folder
    for source in corpus.sources:
        download(source.url, downloads / source.file, source.checksum, partial(on_progress, source.file))
    with staging(folder) as part:
        built = _built(corpus, downloads, part, on_progress)
        return _recorded(corpus, folder, built, [source.url for source in corpus.sources], part)


def build_laws(
    xml: Path, out: Path, *, scores: Sequence[Path] = (), force: bool = False, on_progress: OnProgress
) -> MadeCorpus:
    """Build the laws from a folder of their XML (nmt.data.corpora.laws.build) in ``out/canada-laws``; raises the errors
    of ``get``."""
    corpus = known("canada-laws")
    folder = out / corpus.folder
    _check_out(folder, force)
    with staging(folder) as part:
        built = laws.build(xml, part, scores, partial(on_progress, "documents"))
        return _recorded(corpus, folder, built, [str(xml), *map(str, scores)], part)


def _built(corpus: KnownCorpus, downloads: Path, part: Path, on_progress: OnProgress) -> Built:
    """Make the splits of a corpus from its downloaded files."""
    archive = downloads / next((source.file for source in corpus.sources), "")
    match corpus.builder:
        case "canada-laws":
            return laws.build_archive(archive, part, partial(on_progress, "documents"))
        case "tatoeba":
            splits = published.build_tatoeba(archive, part, corpus.languages[1])
        case "multi30k":
            splits = published.build_multi30k(downloads, part, corpus.languages[1])
        case "news":
            splits = published.build_news(downloads, part)
        case "wmt14":
            splits = published.build_wmt14(downloads, part)
        case "grammar-ko":
            splits = grammar_ko.build(part)
        case "phrasebook":
            splits = phrasebook.build(part)
        case _:
            splits = gold.build(archive, corpus.builder or "", corpus.languages, part)
    return Built(splits=splits)


def _recorded(corpus: KnownCorpus, folder: Path, built: Built, sources: Sequence[str], part: Path) -> MadeCorpus:
    """Describe what was built, also in a file beside it."""
    texts = {f"{split.name}.{language}": digest for split in built.splits for language, digest in split.sha256.items()}
    made = MadeCorpus(
        name=corpus.name,
        folder=str(folder),
        licence=corpus.licence,
        citation=corpus.citation,
        sources=sources,
        as_released=texts == corpus.texts if corpus.texts else None,
        **vars(built),
    )
    write_json(part / RECORD, to_data(made))
    return made


def _check_out(folder: Path, force: bool) -> None:
    """Raise InputError unless ``folder`` may be written (nmt.files): it may hold a corpus made by ``get``."""

    def ours() -> set[str]:
        record = as_record(MadeCorpus, read_json(folder / RECORD), str(folder / RECORD), unknown="ignore")
        texts = {f"{split.name}.{language}" for split in record.splits for language in split.sha256}
        return texts | {f"{text}{ending}" for text in texts for ending in (".xz", ".gz")} | {RECORD, gold.GOLD}

    check_replaceable(folder, "a corpus made by this command", ours, force)
