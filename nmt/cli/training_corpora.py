"""Training corpora of a run, given as files and recognised by their checksums."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nmt.data.tokenised import Corpus
from nmt.errors import InputError
from nmt.files import sha256_of
from nmt.runs.folder import RunInfo
from nmt.runs.provenance import read_provenance


def training_corpora_of(info: RunInfo, files: Sequence[Sequence[str]]) -> tuple[Corpus, ...]:
    """The corpora of --seen-in. InputError unless they are the run's training corpora, each of them, judged by their
    checksums."""
    if not files:
        return ()
    provenance = read_provenance(info.path)
    if provenance is None:
        raise InputError(f"{info.name} does not say which corpora it was trained on, which --seen-in needs")
    used = {(corpus.source_sha256, corpus.target_sha256): corpus for corpus in provenance.train}
    corpora = {}
    for source, target in files:
        checksums = sha256_of(Path(source)), sha256_of(Path(target))
        if checksums not in used:
            raise InputError(f"{source} and {target} are not a corpus that {info.name} was trained on")
        corpora[checksums] = Corpus(source=Path(source), target=Path(target))
    missing = [corpus.target for checksums, corpus in used.items() if checksums not in corpora]
    if missing:
        raise InputError(f"--seen-in lacks {', '.join(missing)}, on which {info.name} was trained too")
    return tuple(corpora.values())
