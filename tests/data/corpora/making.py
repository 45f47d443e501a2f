"""Known corpora from a site on this machine, which has all of them."""

import gzip
import hashlib
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.data.corpora import get as module
from nmt.data.corpora.get import MadeCorpus, get
from nmt.data.corpora.registry import CORPORA, KnownCorpus
from release.corpora.builders import BUILDERS
from tests.oracles.corpus_archives import gold_archives, laws_zip, multi30k_files, tatoeba_zip, wmt14_archives
from tests.oracles.site import Site

Make = Callable[..., MadeCorpus]


def silent(what: str, done: int, total: int | None) -> None:
    pass


@pytest.fixture
def make(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Get a corpus from the site, which has all of them; its checksums are those of the files there."""
    site.files |= {"fra-eng.zip": tatoeba_zip(), "fra-eng-latest.zip": tatoeba_zip(), **multi30k_files()}
    site.files |= {"deu-eng.zip": tatoeba_zip("de"), "jpn-eng.zip": tatoeba_zip("ja"), **gold_archives()}
    site.files |= {"kor-eng.zip": tatoeba_zip("ko")}
    site.files |= {CORPORA["canada-laws"].sources[0].file: laws_zip(), **wmt14_archives()}

    def here(name: str) -> KnownCorpus:
        corpus = CORPORA[name]
        sources = (
            replace(
                source,
                url=site.url(source.file),
                checksum=source.checksum and "sha256:" + hashlib.sha256(site.files[source.file]).hexdigest(),
            )
            for source in corpus.sources
        )
        return replace(corpus, sources=tuple(sources))

    monkeypatch.setattr(module, "known", here)

    def make(name: str, *, force: bool = False) -> MadeCorpus:
        return get(name, tmp_path, force=force, on_progress=silent, builders=BUILDERS)

    return make


def lines(path: Path) -> list[str]:
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    return unpack(path.read_bytes()).decode().split("\n")[:-1]
