"""The corpora known by name: addresses, licences, checksums and citations, read from corpora.toml."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nmt.errors import InputError
from nmt.files import read_toml


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file to download.

    Attributes:
        url: its address.
        file: its local name.
        checked: where address and checksum were taken from.
        checksum: such as "sha256:…"; None if none is known, or none can exist.
        bytes: its size, if known.
    """

    url: str
    file: str
    checked: str
    checksum: str | None = None
    bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class KnownCorpus:
    """A corpus of English and another language, or of several languages.

    Attributes:
        name: its name in ``corpus get``.
        title: a description.
        home: its page.
        licence: the terms of the texts.
        citation: its authors and publication.
        pairs: approximate number of pairs.
        folder: subfolder of the output folder that its files are written to.
        builder: what makes its splits from the downloaded files, a key of ``BUILDERS`` (nmt.data.corpora.get,
            release.corpora.builders); None for a corpus that only
            its authors' pages give, with ``note`` on how to make its files.
        sources: the files to download; none for a corpus that the program writes itself.
        texts: SHA-256 of the texts built ("train.en", uncompressed) in the corpora that the released runs were trained
            on, where these can be reproduced.
        note: a remark for the reader.
        translated: for a side that models wrote, which ones and how; "" if people wrote both.
        languages: English and the other; of a corpus in several languages all.
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
    translated: str = ""


_FILE = read_toml(dict[str, tuple[KnownCorpus, ...]], Path(__file__).with_name("corpora.toml"))
CORPORA: Mapping[str, KnownCorpus] = {corpus.name: corpus for corpus in _FILE["corpus"]}


def known(name: str) -> KnownCorpus:
    """Look up a corpus by name; InputError lists the names if there is none."""
    if name not in CORPORA:
        raise InputError(f"unknown corpus {name!r}; known: {', '.join(CORPORA)}")
    return CORPORA[name]


def in_folder(name: str) -> KnownCorpus | None:
    """The known corpus whose files are in a folder of this name; None if there is none."""
    return next((corpus for corpus in CORPORA.values() if corpus.folder == name), None)
