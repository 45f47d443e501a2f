"""The corpora known by name: addresses, licences, checksums and citations.

Addresses and checksums were taken from the places named in ``Source.checked``. They were entered without network access
and never tried; a file that has moved is reported in one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nmt.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file to download.

    Attributes:
        url: its address.
        file: its local name.
        checksum: such as "sha256:…"; None if none is known, or none can exist.
        checked: where address and checksum were taken from.
        bytes: its size, if known.
    """

    url: str
    file: str
    checksum: str | None
    checked: str
    bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class KnownCorpus:
    """A corpus of English and another language.

    Attributes:
        name: its name in ``corpus get``.
        title: a description.
        home: its page.
        licence: the terms of the texts.
        citation: its authors and publication.
        pairs: approximate number of pairs.
        folder: subfolder of the output folder that its files are written to.
        sources: the files to download.
        texts: SHA-256 of the texts built ("train.en", uncompressed) in the corpora that the released runs were trained
            on, where these can be reproduced.
        note: a remark for the reader.
        languages: source and target language.
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
    languages: tuple[str, str] = ("en", "fr")


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
            url="https://d2l-data.s3-accelerate.amazonaws.com/fra-eng.zip",
            file="fra-eng.zip",
            checksum="sha1:94646ad1522d915e7b0f9296181140edcf86a4f5",
            checked="the book Dive into Deep Learning, which keeps this copy of manythings.org's file for its readers",
        ),
    ),
    note="a copy that does not change; whether it is the file of 2019-04-07 of the released runs is not known",
)

_TATOEBA_LATEST = replace(
    _TATOEBA,
    name="tatoeba-latest",
    pairs=230_000,
    sources=(
        Source(
            url="https://www.manythings.org/anki/fra-eng.zip",
            file="fra-eng-latest.zip",
            checksum=None,
            checked="the page itself; the file there grows, so there is no checksum",
        ),
    ),
    note="what the page has today",
)

_ANKI = "the page itself; the file there grows, so there is no checksum"

_TATOEBA_DE = replace(
    _TATOEBA,
    name="tatoeba-de",
    pairs=250_000,
    folder="tatoeba-de",
    sources=(
        Source(url="https://www.manythings.org/anki/deu-eng.zip", file="deu-eng.zip", checksum=None, checked=_ANKI),
    ),
    note="what the page has today; the released runs were trained on its file of 2018-05-13. The same English "
    "sentences are held out as for French",
    languages=("en", "de"),
)

_TATOEBA_JA = replace(
    _TATOEBA_DE,
    name="tatoeba-ja",
    pairs=100_000,
    folder="tatoeba-ja",
    sources=(
        Source(url="https://www.manythings.org/anki/jpn-eng.zip", file="jpn-eng.zip", checksum=None, checked=_ANKI),
    ),
    note="what the page has today; the released runs were trained on its file of 2020-11-22. The same English "
    "sentences are held out as for French",
    languages=("en", "ja"),
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
            url=f"https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/{name}.{language}.gz",
            file=f"{name}.{language}.gz",
            checksum=None,
            checked="the repository's own tree; the texts made of it are compared with those of the released runs",
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

_MULTI30K_DE = replace(
    _MULTI30K,
    name="multi30k-de",
    folder="multi30k-de",
    sources=tuple(
        Source(
            url=f"https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/{name}.{language}.gz",
            file=f"{name}.{language}.gz",
            checksum=None,
            checked="the repository's own tree; the texts made of it are compared with those of the released runs",
        )
        for name in _MULTI30K_FILES
        for language in ("en", "de")
    ),
    texts={
        "train.en": "f7cb7c7d411f6039a15de94de8c4d1709fada7b7474791598fd18451ec62427d",
        "train.de": "550c2612c7ae45ed46754e67c3011fde500b1bf88592a376e2ed6126903766f7",
        "dev.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
        "dev.de": "c02c1d05fb89dba12b00503a2744b1105d45fef287501fd701b4fea5b1fca3e5",
        "test2016.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
        "test2016.de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
        "test2017.en": "89f1090381c6663a596cb69df930ed331b1f3869a0863774ab9471748ab29f45",
        "test2017.de": "0ae2c070897390d162c867271596ca6d6c9bc4fdcf6bb153621eb46eb19a027b",
        "test2017-mscoco.en": "61426c11a797dcf771149e10de1c311912182a96db3bcd1b9af0a34e8694df0f",
        "test2017-mscoco.de": "6fa27772f7927065df845bac373d0d743fe91930f83f541ff320b7e6398d394c",
    },
    languages=("en", "de"),
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
            url=f"https://github.com/justicecanada/laws-lois-xml/archive/{_LAWS_COMMIT}.zip",
            file=f"laws-lois-xml-{_LAWS_COMMIT[:7]}.zip",
            checksum=None,
            checked="a commit of November 2025, whose hash identifies its content; the zip file is made anew for each "
            "download, so it has no checksum, and the download cannot be resumed",
        ),
    ),
    note="the released runs were trained on an earlier version, filtered by an aligner's scores (corpus build-laws "
    "--scores)",
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
            url=f"{_STATMT}/wmt13/training-parallel-europarl-v7.tgz",
            file="training-parallel-europarl-v7.tgz",
            checksum="sha256:0224c7c710c8a063dfd893b0cc0830202d61f4c75c17eb8e31836103d27d96e7",
            checked=_TFDS,
            bytes=657_632_379,
        ),
        Source(
            url=f"{_STATMT}/wmt14/training-parallel-nc-v9.tgz",
            file="training-parallel-nc-v9.tgz",
            checksum="sha256:cb8953f292298e6877ae433c98912b927cb0766b303f4540512ddd286c748485",
            checked=_TFDS,
            bytes=80_418_416,
        ),
        Source(
            url=f"{_STATMT}/wmt13/training-parallel-un.tgz",
            file="training-parallel-un.tgz",
            checksum=None,
            checked=_PAGE,
        ),
        Source(
            url=f"{_STATMT}/wmt13/training-parallel-commoncrawl.tgz",
            file="training-parallel-commoncrawl.tgz",
            checksum="sha256:c7a74e2ea01ac6c920123108627e35278d4ccb5701e15428ffa34de86fa3a9e5",
            checked=_TFDS,
            bytes=918_311_367,
        ),
        Source(
            url=f"{_STATMT}/wmt10/training-giga-fren.tar", file="training-giga-fren.tar", checksum=None, checked=_PAGE
        ),
        *(
            Source(
                url=f"https://statmt.org/wmt{year:02}/test.tgz",
                file=f"wmt{year:02}-test.tgz",
                checksum=f"md5:{md5}",
                checked=_SACREBLEU,
            )
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
            url="https://statmt.org/wmt14/test-full.tgz",
            file="test-full.tgz",
            checksum="md5:a8cd784e006feb32ac6f3d9ec7eb389a",
            checked=_SACREBLEU,
        ),
    ),
    note="several gigabytes; docs/wmt14.md has the commands from here to Table 1",
)

_NEWS = KnownCorpus(
    name="news",
    title="The news tests of WMT: 2008 to 2011 as train, 2012 and 2013 as dev, newstest2014, the paper's test set",
    home="https://www.statmt.org/wmt14/translation-task.html",
    licence="for research (WMT)",
    citation="Bojar et al.: Findings of the 2014 Workshop on Statistical Machine Translation (2014), and those of the "
    "years before",
    pairs=19_000,
    folder="news",
    sources=tuple(source for source in _WMT14.sources if "test" in source.file),
)

_GOLD_HANSARDS = KnownCorpus(
    name="gold-hansards",
    title="Word links of the Canadian Hansards, sure and possible",
    home="https://web.eecs.umich.edu/~mihalcea/wpt/",
    licence="for research; the texts are the Parliament of Canada's",
    citation="Och, Ney: A comparison of alignment models for statistical machine translation (2000); Mihalcea, "
    "Pedersen: An evaluation exercise for word alignment (2003)",
    pairs=447,
    folder="alignment-gold/hansards",
    sources=(
        Source(
            url="https://web.eecs.umich.edu/~mihalcea/wpt/data/English-French.test.tar.gz",
            file="English-French.test.tar.gz",
            checksum=None,
            checked="scripts for word alignment that are public, such as lilt/alignment-scripts",
        ),
    ),
    note="all 447 pairs of the shared task; the released runs are measured on 247 of them",
)

_GOLD_ALIBI = KnownCorpus(
    name="gold-alibi",
    title="French short stories and their English translations, words linked by hand",
    home="https://github.com/fyvo/AlibiWordAlignments",
    licence="CC BY-SA 4.0",
    citation="Xu, Yvon: Novel elicitation and annotation schemes for sentential and sub-sentential alignments of "
    "bitexts (2016)",
    pairs=260,
    folder="alignment-gold/alibi",
    sources=(
        Source(
            url="https://github.com/fyvo/AlibiWordAlignments/archive/refs/heads/main.zip",
            file="AlibiWordAlignments.zip",
            checksum=None,
            checked="the repository itself, as it is today; the zip file is made anew for each download",
        ),
    ),
)

_GOLD_EUROPARL_DE = KnownCorpus(
    name="gold-europarl-de",
    title="Word links of German and English sentences of Europarl, lower case, sure links only",
    home="https://github.com/bicici/SMTData",
    licence="for research",
    citation="Biçici: The Regression Model of Machine Translation (2011)",
    pairs=50,
    folder="alignment-gold/europarl-de",
    sources=(
        Source(
            url="https://github.com/bicici/SMTData/raw/7e73489d40b806ec19b499887fc31cf0ca2dc23e/"
            "German-English_WordAlignment.zip",
            file="German-English_WordAlignment.zip",
            checksum=None,
            checked="a commit of the repository, whose hash identifies its content",
        ),
    ),
    languages=("en", "de"),
)

_GOLD_KFTT = KnownCorpus(
    name="gold-kftt",
    title="Word links of Wikipedia's articles on Kyoto, Japanese and English",
    home="https://www.phontron.com/kftt/",
    licence="CC BY-SA 3.0",
    citation="Neubig: The Kyoto Free Translation Task (2011)",
    pairs=582,
    folder="alignment-gold/kftt",
    sources=(
        Source(
            url="https://www.phontron.com/kftt/download/kftt-alignments.tar.gz",
            file="kftt-alignments.tar.gz",
            checksum=None,
            checked="the page itself; no checksum is published",
        ),
    ),
    note="the test part of its links; cut into words by KyTea",
    languages=("en", "ja"),
)

CORPORA: Mapping[str, KnownCorpus] = {
    corpus.name: corpus
    for corpus in (
        _TATOEBA,
        _TATOEBA_LATEST,
        _TATOEBA_DE,
        _TATOEBA_JA,
        _MULTI30K,
        _MULTI30K_DE,
        _LAWS,
        _NEWS,
        _WMT14,
        _GOLD_HANSARDS,
        _GOLD_ALIBI,
        _GOLD_EUROPARL_DE,
        _GOLD_KFTT,
    )
}


def known(name: str) -> KnownCorpus:
    """Look up a corpus by name; InputError lists the names if there is none."""
    if name not in CORPORA:
        raise InputError(f"unknown corpus {name!r}; known: {', '.join(CORPORA)}")
    return CORPORA[name]


def licence_of(folder: str) -> str:
    """Licence of the known corpus whose files are in a folder of this name; "" if there is none."""
    return next((corpus.licence for corpus in CORPORA.values() if corpus.folder == folder), "")
