"""The corpora known by name: addresses, licences, checksums and citations, read from corpora.toml."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nmt.errors import InputError
from nmt.files import read_toml


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file to download. file: its local name. checked: where the address and the checksum come from. checksum: such
    as "sha256:…". None if no checksum is known or can exist. bytes: size of the file. None if unknown."""

    url: str
    file: str
    checked: str
    checksum: str | None = None
    bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class KnownCorpus:
    """A corpus of English and another language, or of several languages.

    Attributes:
        name, title: the name in ``corpus get``, and a description.
        home: the page of the corpus.
        licence: the terms of the texts.
        citation: authors and publication.
        pairs: approximate number of pairs.
        folder, parts: subfolder of the output folder, and folders with a part of the pairs.
        builder: the function that makes the splits from the downloaded files, a key of ``BUILDERS``
            (nmt.data.corpora.get, release.corpora.builders). None for a corpus that no command makes: ``note`` then
            says how to make its files.
        sources: the files to download. Empty for a corpus that the program itself writes.
        texts: SHA-256 of each uncompressed text, such as "train.en", that the released runs were trained on. Empty if
            these texts cannot be reproduced.
        translated: the models that wrote a side, and their method. "" if people wrote both sides.
        languages: English and the other language, or all languages of the corpus.
    """

    name: str
    title: str
    home: str
    licence: str
    citation: str
    pairs: int
    folder: str
    languages: tuple[str, ...]
    builder: str | None = None
    sources: tuple[Source, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    parts: tuple[str, ...] = ()
    translated: str = ""


_FILE = read_toml(dict[str, tuple[KnownCorpus, ...]], Path(__file__).with_name("corpora.toml"))
CORPORA: Mapping[str, KnownCorpus] = {corpus.name: corpus for corpus in _FILE["corpus"]}


def known(name: str) -> KnownCorpus:
    """Look up a corpus by name. Raises InputError, which lists all names, for an unknown name."""
    if name not in CORPORA:
        raise InputError(f"unknown corpus {name!r}; known: {', '.join(CORPORA)}")
    return CORPORA[name]


def in_folder(name: str) -> KnownCorpus | None:
    """The known corpus whose files, or part of them, are in a folder of this name. None if there is no such corpus."""
    return next((corpus for corpus in CORPORA.values() if name in (corpus.folder, *corpus.parts)), None)
