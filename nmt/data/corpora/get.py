"""Download and build a known corpus by name, and record the result beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from nmt.data.corpora import phrasebook, published
from nmt.data.corpora.download import download
from nmt.data.corpora.parallel import Built, WrittenSplit
from nmt.data.corpora.registry import KnownCorpus, known
from nmt.errors import InputError
from nmt.files import check_replaceable, read_json, staging, write_json
from nmt.records import as_record, to_data

DOWNLOADS = "downloads"
RECORD = "corpus.json"
GOLD = "gold"
"""Name of the links of a word-aligned corpus."""

OnProgress = Callable[[str, int, int | None], None]
"""Progress callback: the file being downloaded, or "documents"; bytes (documents) done; their total, if known."""
Builder = Callable[[KnownCorpus, Path, Path, OnProgress], Built]
"""What makes the splits of a corpus: from the corpus, the folder of its downloads and the folder to write."""


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


def _tatoeba(corpus: KnownCorpus, downloads: Path, part: Path, _: OnProgress) -> Built:
    return Built(splits=published.build_tatoeba(downloads / corpus.sources[0].file, part, corpus.languages[1]))


def _multi30k(corpus: KnownCorpus, downloads: Path, part: Path, _: OnProgress) -> Built:
    return Built(splits=published.build_multi30k(downloads, part, corpus.languages[1]))


BUILDERS: Mapping[str, Builder] = {
    "tatoeba": _tatoeba,
    "multi30k": _multi30k,
    "grammar-ko": lambda corpus, downloads, part, _: Built(splits=phrasebook.build_grammar(part)),
    "phrasebook": lambda corpus, downloads, part, _: Built(splits=phrasebook.build(part)),
}


def command_for(name: str) -> str:
    """The command that gets a known corpus."""
    program = "jointly" if known(name).builder in BUILDERS else "python -m release"
    return f"{program} corpus get {name}"


def get(
    name: str, out: Path, *, force: bool = False, on_progress: OnProgress, builders: Mapping[str, Builder] = BUILDERS
) -> MadeCorpus:
    """Download the corpus ``name`` into ``out/downloads`` and make its files in a folder of ``out``.

    Existing files are not fetched again. The folder is created atomically; an existing one is replaced if ``force`` is
    true and it contains nothing but a corpus made by this function. ``builders``: those that there are, by name.

    Raises InputError for an unknown name, a corpus that no command makes, an existing folder that must not be replaced,
    and any failure of downloading or building (nmt.data.corpora.download).
    """
    corpus = known(name)
    if corpus.builder is None:
        raise InputError(f"no command makes {name}: {corpus.note}; it is at {corpus.home}")
    if corpus.builder not in builders:
        raise InputError(f"`{command_for(name)}` makes {name}, in a checkout of the program")
    folder = out / corpus.folder
    check_out(folder, force)
    downloads = out / DOWNLOADS / corpus.folder
    for source in corpus.sources:
        download(source.url, downloads / source.file, source.checksum, partial(on_progress, source.file))
    with staging(folder) as part:
        built = builders[corpus.builder](corpus, downloads, part, on_progress)
        return recorded(corpus, folder, built, [source.url for source in corpus.sources], part)


def recorded(corpus: KnownCorpus, folder: Path, built: Built, sources: Sequence[str], part: Path) -> MadeCorpus:
    """Describe what was built, also in a file beside it. ``part``: the folder until it is complete."""
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


def check_out(folder: Path, force: bool) -> None:
    """Raise InputError unless ``folder`` may be written (nmt.files): it may hold a corpus made by ``get``."""

    def ours() -> set[str]:
        record = as_record(MadeCorpus, read_json(folder / RECORD), str(folder / RECORD), unknown="ignore")
        texts = {f"{split.name}.{language}" for split in record.splits for language in split.sha256}
        return texts | {f"{text}{ending}" for text in texts for ending in (".xz", ".gz")} | {RECORD, GOLD}

    check_replaceable(folder, "a corpus made by this command", ours, force)
