"""The corpora that a run was trained on, as a table for people, with code in its cells."""

from __future__ import annotations

from nmt.data.corpora.registry import licence_of
from nmt.runs.provenance import CorpusUsed, Provenance
from nmt.tables.markdown import in_code, in_markdown
from nmt.tables.table import Table


def data_table(provenance: Provenance) -> Table:
    """Training and development corpora with licences and checksums; the cells are Markdown."""
    used = [("train", corpus) for corpus in provenance.train] + [("dev", corpus) for corpus in provenance.dev]
    rows = [
        [
            use,
            in_markdown(files(corpus)),
            f"{corpus.kept:,} of {corpus.read:,}",
            f"{corpus.repeat}",
            licence(corpus),
            sums(corpus),
        ]
        for use, corpus in used
    ]
    return Table(
        title="Data",
        head=["", "files", "pairs used", "times per epoch", "licence", "SHA-256 (first 16 digits)"],
        rows=rows,
        left=6,
    )


def files(corpus: CorpusUsed) -> str:
    """Names of both files, with their folder once."""
    return f"{corpus.source}, {corpus.target.split('/')[-1]}"


def licence(corpus: CorpusUsed) -> str:
    """Licence of a known corpus, or a remark that it is unknown."""
    return licence_of(corpus.source.split("/")[0]) or "not known here"


def sums(corpus: CorpusUsed) -> str:
    """Checksums of both files and of the word links, in Markdown."""
    source, target = (in_code(digest[:16]) for digest in (corpus.source_sha256, corpus.target_sha256))
    links = f", word links {in_code(corpus.links_sha256[:16])}" if corpus.links_sha256 else ""
    return f"{source}, {target}{links}"
