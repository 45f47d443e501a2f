"""The corpora that are known by name: where from, under which licence, with which checksums, and whose work.

Addresses and checksums were taken from the places that ``Source.checked`` names. None of the addresses has been tried
from the machine that this was written on, which has no network; a file that has moved is answered with one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nmt.errors import InputError


@dataclass(frozen=True)
class Source:
    """A file to download.

    Attributes:
        url: where it is.
        file: what it is called here.
        checksum: such as "sha256:…"; None if none is known, or none can be.
        checked: who says so.
        bytes: its size, if known.
    """

    url: str
    file: str
    checksum: str | None
    checked: str
    bytes: int | None = None


@dataclass(frozen=True)
class KnownCorpus:
    """A corpus of English and French.

    Attributes:
        name: what ``corpus get`` calls it.
        title: what it is.
        home: its page.
        licence: the terms of the texts.
        citation: whose work it is.
        pairs: how many there are, about.
        folder: of the files made, below the folder given.
        sources: what is downloaded.
        texts: SHA-256 of texts made here ("train.en", uncompressed) in the corpora that the released runs were
            trained on, where the same can be made again.
        note: what is to know.
    """

    name: str
    title: str
    home: str
    licence: str
    citation: str
    pairs: int
    folder: str
    sources: tuple[Source, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


_TATOEBA = KnownCorpus(
    name="tatoeba",
    title="Sentences from tatoeba.org with their translations, short and plain",
    home="https://www.manythings.org/anki/",
    licence="CC BY 2.0 FR",
    citation="Tatoeba, by its contributors, tatoeba.org; pairs selected by manythings.org",
    pairs=164_000,
    folder="tatoeba",
    sources=(
        Source(
            "https://d2l-data.s3-accelerate.amazonaws.com/fra-eng.zip",
            "fra-eng.zip",
            "sha1:94646ad1522d915e7b0f9296181140edcf86a4f5",
            "the book Dive into Deep Learning, which keeps this copy of manythings.org's file for its readers",
        ),
    ),
    note="a copy that does not change; whether it is the file of 2019-04-07 that the released runs have is not known",
)

_TATOEBA_LATEST = replace(
    _TATOEBA,
    name="tatoeba-latest",
    pairs=230_000,
    sources=(
        Source(
            "https://www.manythings.org/anki/fra-eng.zip",
            "fra-eng-latest.zip",
            None,
            "the page itself; the file there grows, so there is no checksum",
        ),
    ),
    note="what the page has today",
)

_MULTI30K_FILES = ("train", "val", "test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")

_MULTI30K = KnownCorpus(
    name="multi30k",
    title="Descriptions of images, task 1",
    home="https://github.com/multi30k/dataset",
    licence="for research; the images' terms are Flickr's",
    citation="Elliott, Frank, Sima'an, Specia: Multi30K: Multilingual English-German Image Descriptions (2016); "
    "Elliott, Frank, Barrault, Bougares, Specia: Findings of the Second Shared Task on Multimodal Machine Translation "
    "and Multilingual Image Description (2017)",
    pairs=32_475,
    folder="multi30k",
    sources=tuple(
        Source(
            f"https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/{name}.{language}.gz",
            f"{name}.{language}.gz",
            None,
            "the repository's own tree; the texts made of it are compared with those of the released runs",
        )
        for name in _MULTI30K_FILES
        for language in ("en", "fr")
    ),
    texts={
        "train.en": "f7cb7c7d411f6039a15de94de8c4d1709fada7b7474791598fd18451ec62427d",
        "train.fr": "87fd0969fd5d58acc23d2b8d024261df5177e1120c65b54011ca634736dcd661",
        "dev.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
        "dev.fr": "3a61fe933a20608d6102b5d94dd0870ce8502d1cbec73511afff489ddab0c756",
        "test2016.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
        "test2016.fr": "dd64ea1883b68f55c887118839b434edc68b1dae3be6064c3bd5ab38033ddc6b",
        "test2017.en": "89f1090381c6663a596cb69df930ed331b1f3869a0863774ab9471748ab29f45",
        "test2017.fr": "57ee019ef4b802206799177fe667097dcd32fd031a92e86938fcbfea97f727f8",
        "test2017-mscoco.en": "61426c11a797dcf771149e10de1c311912182a96db3bcd1b9af0a34e8694df0f",
        "test2017-mscoco.fr": "7f2688662c891f60e8a1e6d27ea1986cd71efe75aef55fd383cc2bd4b4c23a67",
    },
)

_LAWS_COMMIT = "05972001e027b675c87f7ada76fc8aca44688d0b"

_LAWS = KnownCorpus(
    name="canada-laws",
    title="Consolidated federal acts and regulations of Canada",
    home="https://github.com/justicecanada/laws-lois-xml",
    licence="Open Government Licence - Canada",
    citation="Department of Justice Canada: Consolidated federal Acts and regulations, in XML",
    pairs=400_000,
    folder="canada-laws",
    sources=(
        Source(
            f"https://github.com/justicecanada/laws-lois-xml/archive/{_LAWS_COMMIT}.zip",
            f"laws-lois-xml-{_LAWS_COMMIT[:7]}.zip",
            None,
            "a commit of November 2025, whose name stands for its content; the zip file is made anew for each reader, "
            "so it has no checksum, and the download cannot be resumed",
        ),
    ),
    note="the released runs have an earlier state of it, filtered by an aligner's scores (corpus build-laws --scores)",
)

_STATMT = "https://www.statmt.org"
_TFDS = "TensorFlow Datasets, url_checksums/wmt14_translate.txt"
_SACREBLEU = "sacreBLEU 2.6.0"
_PAGE = "the task's page; no checksum is published"

_WMT14 = KnownCorpus(
    name="wmt14",
    title="News translation of WMT'14 with the paper's corpora: Europarl, News Commentary, UN, two crawled ones",
    home="https://www.statmt.org/wmt14/translation-task.html",
    licence="free for research, each corpus with its own terms (see the page)",
    citation="Bojar et al.: Findings of the 2014 Workshop on Statistical Machine Translation (2014); Koehn: Europarl, "
    "A Parallel Corpus for Statistical Machine Translation (2005); Callison-Burch et al.: Findings of the 2009 "
    "Workshop on Statistical Machine Translation (2009), for the 10^9 corpus",
    pairs=40_800_000,
    folder="wmt14",
    sources=(
        Source(
            f"{_STATMT}/wmt13/training-parallel-europarl-v7.tgz",
            "training-parallel-europarl-v7.tgz",
            "sha256:0224c7c710c8a063dfd893b0cc0830202d61f4c75c17eb8e31836103d27d96e7",
            _TFDS,
            657_632_379,
        ),
        Source(
            f"{_STATMT}/wmt14/training-parallel-nc-v9.tgz",
            "training-parallel-nc-v9.tgz",
            "sha256:cb8953f292298e6877ae433c98912b927cb0766b303f4540512ddd286c748485",
            _TFDS,
            80_418_416,
        ),
        Source(f"{_STATMT}/wmt13/training-parallel-un.tgz", "training-parallel-un.tgz", None, _PAGE),
        Source(
            f"{_STATMT}/wmt13/training-parallel-commoncrawl.tgz",
            "training-parallel-commoncrawl.tgz",
            "sha256:c7a74e2ea01ac6c920123108627e35278d4ccb5701e15428ffa34de86fa3a9e5",
            _TFDS,
            918_311_367,
        ),
        Source(f"{_STATMT}/wmt10/training-giga-fren.tar", "training-giga-fren.tar", None, _PAGE),
        *(
            Source(f"https://statmt.org/wmt{year:02}/test.tgz", f"wmt{year:02}-test.tgz", f"md5:{md5}", _SACREBLEU)
            for year, md5 in (
                (8, "0582e4e894a3342044059c894e1aea3d"),
                (9, "da227abfbd7b666ec175b742a0d27b37"),
                (10, "491cb885a355da5a23ea66e7b3024d5c"),
                (11, "b0c9680adf32d394aefc2b24e3a5937e"),
                (12, "608232d34ebc4ba2ff70fead45674e47"),
                (13, "48eca5d02f637af44e85186847141f67"),
            )
        ),
        Source(
            "https://statmt.org/wmt14/test-full.tgz",
            "test-full.tgz",
            "md5:a8cd784e006feb32ac6f3d9ec7eb389a",
            _SACREBLEU,
        ),
    ),
    note="several gigabytes; docs/wmt14.md has the commands from here to Table 1",
)

CORPORA: Mapping[str, KnownCorpus] = {
    corpus.name: corpus for corpus in (_TATOEBA, _TATOEBA_LATEST, _MULTI30K, _LAWS, _WMT14)
}


def known(name: str) -> KnownCorpus:
    """The corpus called ``name``; InputError lists the names if there is none."""
    if name not in CORPORA:
        raise InputError(f"there is no corpus {name!r}; there are {', '.join(CORPORA)}")
    return CORPORA[name]


def licence_of(folder: str) -> str:
    """The terms of the known corpus whose files are in a folder of this name; "" if there is none."""
    return next((corpus.licence for corpus in CORPORA.values() if corpus.folder == folder), "")
