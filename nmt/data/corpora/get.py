"""Download and build a known corpus by name, and write its record into its folder.

Corpora published as sentence pairs are built here: Tatoeba's pairs (manythings.org/anki), and Multi30k, task 1.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from nmt.data.corpora import phrasebook
from nmt.data.corpora.download import download
from nmt.data.corpora.parallel import Built, SentencePair, WrittenSplit, sentence_key, share, tidy, write_split
from nmt.data.corpora.registry import KnownCorpus, known
from nmt.data.corpus import read_pairs
from nmt.errors import InputError
from nmt.files import check_replaceable, read_json, staging, write_json
from nmt.records import as_record, to_data

DOWNLOADS = "downloads"
RECORD = "corpus.json"
GOLD = "gold"
"""Name of the links of a word-aligned corpus."""

OnProgress = Callable[[str, int, int | None], None]
"""Progress callback. Arguments: the name of a download or "documents"; bytes or documents done; the total if known."""
Builder = Callable[[KnownCorpus, Path, Path, OnProgress], Built]
"""Function that makes the splits of a corpus from the corpus, the folder of its downloads and the folder to write."""


@dataclass(frozen=True, kw_only=True)
class MadeCorpus:
    """Record of a corpus that was built, stored in corpus.json.

    Attributes:
        name, licence, citation: these fields of ``KnownCorpus``.
        folder, splits: path of the corpus, and the splits that were written.
        sources: addresses of the downloads, or a folder of XML.
        as_released: whether the released runs were trained on exactly these texts. None if unknown.
        dropped, unreadable: as in ``Built``.
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


BUILDERS: Mapping[str, Builder] = {
    "tatoeba": lambda corpus, downloads, part, _: Built(
        splits=build_tatoeba(downloads / corpus.sources[0].file, part, corpus.languages[1])
    ),
    "multi30k": lambda corpus, downloads, part, _: Built(splits=build_multi30k(downloads, part, corpus.languages[1])),
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
    """Download the corpus ``name`` into ``out/downloads`` and write its splits to a folder of ``out``, atomically.
    Existing files are not fetched again. If ``force`` is true, an existing folder is replaced, provided it holds only a
    corpus made by this function. ``builders``: available builders by name.

    Raises InputError for an unknown name, a corpus that no command makes, and a folder that must not be replaced.
    InputError also if downloading (nmt.data.corpora.download) or building fails.
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
    """Return the record of a built corpus, and write it into ``part``, the temporary folder of the corpus."""
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
    """Raise InputError unless ``folder`` may be written (nmt.files). With ``force`` it may hold a corpus of ``get``."""

    def ours() -> set[str]:
        record = as_record(MadeCorpus, read_json(folder / RECORD), str(folder / RECORD), unknown="ignore")
        texts = {f"{split.name}.{language}" for split in record.splits for language in split.sha256}
        return texts | {f"{text}{ending}" for text in texts for ending in (".xz", ".gz")} | {RECORD, GOLD}

    check_replaceable(folder, "a corpus made by this command", ours, force)


DEV_SHARE, TEST_SHARE = 0.008, 0.018
"""Shares of the distinct English sentences that become dev and test."""


TATOEBA_MEMBERS = {"fr": "fra.txt", "de": "deu.txt", "ja": "jpn.txt", "ko": "kor.txt"}
"""Name of the file in the archive, by language."""


def build_tatoeba(archive: Path, folder: Path, language: str = "fr") -> list[WrittenSplit]:
    """Write train, dev and test from the zip file.

    A hash of the letters of an English sentence decides its split. No sentence of dev or test is therefore in train,
    even with other punctuation. Dev and test hold the same sentences for every language. Each sentence has its first
    translation. Repeated pairs count once.
    """
    splits: dict[str, dict[SentencePair, None]] = {"train": {}, "dev": {}, "test": {}}
    held_out: set[str] = set()
    for pair in _tatoeba_pairs(archive, TATOEBA_MEMBERS[language]):
        key = sentence_key(pair.en)
        where = share(key)
        name = "dev" if where < DEV_SHARE else "test" if where < DEV_SHARE + TEST_SHARE else "train"
        if name != "train":
            if key in held_out:
                continue
            held_out.add(key)
        splits[name][pair] = None
    return [write_split(folder, name, pairs, ("en", language)) for name, pairs in splits.items()]


def _tatoeba_pairs(archive: Path, member: str) -> Iterator[SentencePair]:
    """Yield the pair of each line: English, a tab, the translation and, in newer files, a tab and the attribution."""
    try:
        with ZipFile(archive) as file:
            names = [name for name in file.namelist() if PurePosixPath(name).name == member]
            lines = file.read(names[0]).split(b"\n") if names else []
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputError(f"{archive} is damaged or not an archive: {error}") from None
    if not lines:
        raise InputError(f"there is no {member} in {archive}")
    for number, line in enumerate(lines[:-1] if not lines[-1] else lines, start=1):
        try:
            columns = line.decode("utf-8").split("\t")
        except UnicodeDecodeError:
            raise InputError(f"{member} in {archive}, line {number}: not valid UTF-8") from None
        if len(columns) < 2:
            raise InputError(f"{member} in {archive}, line {number}: no tab between two sentences")
        pair = SentencePair(tidy(columns[0]), tidy(columns[1]))
        if all(pair):
            yield pair


MULTI30K_SPLITS = {
    "train": "train",
    "dev": "val",
    "test2016": "test_2016_flickr",
    "test2017": "test_2017_flickr",
    "test2017-mscoco": "test_2017_mscoco",
}
"""Name of each split, and the stem of its files."""


def build_multi30k(downloads: Path, folder: Path, language: str = "fr") -> list[WrittenSplit]:
    """Write all pairs of every split from ``NAME.en.gz`` and ``NAME.LANGUAGE.gz``, tidied. Raises as ``read_pairs``."""
    written = []
    for name, stem in MULTI30K_SPLITS.items():
        read = read_pairs(*(downloads / f"{stem}.{code}.gz" for code in ("en", language)))
        pairs = [SentencePair(tidy(pair.source.text or ""), tidy(pair.target.text or "")) for pair in read]
        written.append(write_split(folder, name, pairs, ("en", language)))
    return written
