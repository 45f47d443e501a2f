"""The builders of all known corpora, and the laws from a folder of their XML."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from nmt.data.corpora import get
from nmt.data.corpora.get import Builder, MadeCorpus, OnProgress, check_out, recorded
from nmt.data.corpora.parallel import Built
from nmt.data.corpora.registry import KnownCorpus, known
from nmt.files import staging
from release.corpora import gold, laws, wmt14


def build_laws(
    xml: Path, out: Path, *, scores: Sequence[Path] = (), force: bool = False, on_progress: OnProgress
) -> MadeCorpus:
    """Build the laws from a folder of their XML (release.corpora.laws.build) in ``out/canada-laws``; raises the errors
    of ``nmt.data.corpora.get.get``."""
    corpus = known("canada-laws")
    folder = out / corpus.folder
    check_out(folder, force)
    with staging(folder) as part:
        built = laws.build(xml, part, scores, partial(on_progress, "documents"))
        return recorded(corpus, folder, built, [str(xml), *map(str, scores)], part)


def _laws(corpus: KnownCorpus, downloads: Path, part: Path, on_progress: OnProgress) -> Built:
    return laws.build_archive(downloads / corpus.sources[0].file, part, partial(on_progress, "documents"))


def _gold(corpus: KnownCorpus, downloads: Path, part: Path, _: OnProgress) -> Built:
    archive = downloads / corpus.sources[0].file
    return Built(splits=gold.build(archive, corpus.builder or "", corpus.languages, part))


BUILDERS: Mapping[str, Builder] = {
    **get.BUILDERS,
    "canada-laws": _laws,
    "news": lambda corpus, downloads, part, _: Built(splits=wmt14.build_news(downloads, part)),
    "wmt14": lambda corpus, downloads, part, _: Built(splits=wmt14.build_wmt14(downloads, part)),
    **dict.fromkeys(gold.SETS, _gold),
}
