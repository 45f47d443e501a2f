import re
from urllib.parse import urlsplit

import pytest

from nmt.data.corpora.get import MULTI30K_SPLITS
from nmt.data.corpora.registry import CORPORA, known
from nmt.errors import InputError

LENGTHS = {"md5": 32, "sha1": 40, "sha256": 64}


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA.keys())
def test_every_corpus_is_fully_described(corpus: object) -> None:
    found = known(corpus.name)  # type: ignore[attr-defined]
    assert all((found.title, found.home, found.licence, found.citation, found.pairs, found.folder))
    assert len({source.file for source in found.sources}) == len(found.sources)
    for source in found.sources:
        assert urlsplit(source.url).scheme == "https"
        assert source.checked
        if source.checksum is not None:
            algorithm, _, digest = source.checksum.partition(":")
            assert re.fullmatch(r"[0-9a-f]+", digest)
            assert len(digest) == LENGTHS[algorithm]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'wmt15'.* tatoeba, .*wmt14"):
        known("wmt15")


def test_every_file_that_a_builder_reads_is_downloaded() -> None:
    expected = {f"{stem}.{language}.gz" for stem in MULTI30K_SPLITS.values() for language in ("en", "fr")}
    assert {source.file for source in known("multi30k").sources} == expected
