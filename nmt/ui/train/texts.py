"""Parallel texts for a training: by the name of a corpus, by path, or uploaded; checked by preparing them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import streamlit as st

from nmt.answers.keys import task_key
from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.answers.store import cache_folder
from nmt.config import TrainingConfig
from nmt.data.batching import TrainingOrder
from nmt.data.corpora.get import get
from nmt.data.corpora.registry import CORPORA
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.tokenised import Corpus
from nmt.data.uploads import Upload, pairs_of, write_pairs
from nmt.data.vocabulary import Kind
from nmt.files import changed_at
from nmt.results import Languages
from nmt.ui import strings as shared
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import ROOT
from nmt.ui.components import show_rows
from nmt.ui.train import strings

EXAMPLE = "grammar-ko"
"""The corpus that a class can learn from in minutes."""
_WITHOUT_TRAIN = ("hansards", "alibi", "europarl-de", "kftt", "news", None)
"""Builders of corpora that are only measured on."""
_SENTENCES = 4


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Where the texts of a training are, and how they are to be read.

    Attributes:
        corpus: name of a known corpus; "" for the files ``train`` and ``dev``, source first.
    """

    corpus: str = ""
    train: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    languages: Languages
    vocabulary: Kind = "words"
    size: int = 30_000
    vocabularies_from: Path | None = None
    max_length: int | None = 50


@dataclass(frozen=True)
class PrepareTask(Task[Path]):
    """Preparation of texts in the cache; the result is the prepared folder, which may be gone later."""

    texts: Texts

    @cached_property
    def key(self) -> str:
        return task_key("prepare", repr(self.texts), *(changed_at(path) for path in self.texts.train))

    @property
    def folder(self) -> Path:
        return cache_folder() / "prepared" / hashlib.sha256(self.key.encode()).hexdigest()[:16]

    def stored(self) -> Path | None:
        return self.folder if self.folder.is_dir() else None

    def run(self, progress: ProgressReporter) -> Path:
        texts, pair = self.texts, self.texts.languages
        train, dev = texts.train, texts.dev
        if texts.corpus:
            places = [place / "corpora" / CORPORA[texts.corpus].folder for place in (ROOT / "data", cache_folder())]
            home = next((place for place in places if place.is_dir()), places[-1])
            if not home.is_dir():
                with progress.stage(strings.FETCH, 0) as show:
                    get(texts.corpus, home.parent, on_progress=lambda _, done, all: show(_bytes(done, all)))
            train, dev = (
                tuple(_file(home, split, code) for code in (pair.source, pair.target)) for split in ("train", "dev")
            )
        vocabulary = VocabularySettings(texts.vocabulary, texts.size)
        settings = PrepareSettings(
            source_language=pair.source,
            target_language=pair.target,
            max_length=texts.max_length,
            source_vocabulary=vocabulary,
            target_vocabulary=vocabulary,
            vocabularies_from=texts.vocabularies_from,
        )
        corpora, validation = ([Corpus(source=files[0], target=files[1])] for files in (train, dev))
        with progress.stage(strings.PREPARE, 0) as show:
            prepare(
                corpora,
                validation,
                settings,
                self.folder,
                workers=1,
                on_progress=lambda _, done, all: show(Progress(done, all)),
            )
        return self.folder


def _bytes(done: int, all: int | None) -> Progress:
    return Progress(done // 1_000_000, (all or 0) // 1_000_000, unit="MB")


def _file(home: Path, split: str, code: str) -> Path:
    return next((path for path in sorted(home.glob(f"{split}.{code}*"))), home / f"{split}.{code}")


def ask_texts(where: str) -> Texts | None:
    """Ask for texts in the way ``where``, a key of ``strings.WHERE``; None until they are given, which is said. Raises
    InputError for an upload that cannot be used."""
    if where == "example":
        st.caption(strings.EXAMPLE_CAPTION)
        return Texts(corpus=EXAMPLE, languages=Languages("ko", "en"))
    if where == "corpus":
        known = {n: c.title for n, c in CORPORA.items() if c.builder not in _WITHOUT_TRAIN}
        name = choose_one(st.selectbox, strings.CORPUS, known, key="corpus")
        first, second = CORPORA[name].languages
        ways = {f"{a}-{b}": _way(a, b) for a, b in ((first, second), (second, first))}
        source, _, target = choose_one(st.segmented_control, strings.DIRECTION, ways, key="way").partition("-")
        return Texts(corpus=name, languages=Languages(source, target))
    with st.container(horizontal=True):
        codes = list(shared.LANGUAGES)
        source, target = (
            st.selectbox(title, codes, index=codes.index(first), format_func=shared.LANGUAGES.__getitem__, key=title)
            for title, first in ((strings.SOURCE, "en"), (strings.TARGET, "fr"))
        )
    pair = Languages(str(source), str(target))
    if where == "path":
        paths = [Path(typed.strip()) for title in strings.PATHS if (typed := st.text_input(title, key=title)).strip()]
        if len(paths) == len(strings.PATHS):
            return Texts(train=tuple(paths[:2]), dev=tuple(paths[2:]), languages=pair)
        st.info(strings.GIVE_PATHS, icon=":material/description:")
        return None
    files = [st.file_uploader(title, key=title, max_upload_size=64) for title in strings.FILES]
    given = [Upload(file.name, file.getvalue()) for file in files if file is not None]
    if not given:
        st.info(strings.GIVE_FILES, icon=":material/upload:")
        return None
    written = write_pairs(pairs_of(given), cache_folder() / "texts")
    return Texts(train=written["train"], dev=written["dev"], languages=pair)


def _way(source: str, target: str) -> str:
    return shared.PAIR.format(source=shared.LANGUAGES[source], target=shared.LANGUAGES[target])


def show_checked(folder: Path, settings: TrainingConfig) -> Prepared:
    """Show what the preparation found, and the beginning of the first minibatch."""
    prepared = open_prepared(folder)
    rows = []
    for title, record in (
        (strings.FOR_TRAINING, prepared.manifest.train),
        (strings.FOR_VALIDATION, prepared.manifest.dev),
    ):
        read, kept = (sum(getattr(corpus, what) for corpus in record.corpora) for what in ("read", "kept"))
        dropped = [f"{n:,} {why.replace('_', ' ')}" for c in record.corpora for why, n in c.dropped.items() if n]
        lengths = [side.words / max(1, record.pairs) for side in (record.source, record.target)]
        unknown = [side.unknown_share for side in (record.source, record.target)]
        values = (
            title,
            f"{kept:,} of {read:,}",
            ", ".join(dropped),
            *(f"{n:.1f}" for n in lengths),
            *(f"{u:.1%}" for u in unknown),
        )
        rows.append(dict(zip(strings.CHECKED, values, strict=True)))
    show_rows(rows, {}, key="checked")
    split, sides = prepared.train, (prepared.source_vocabulary, prepared.target_vocabulary)
    first = next(TrainingOrder(split, settings).batches())
    with st.expander(strings.FIRST_BATCH.format(count=len(first.examples))):
        for number in first.examples.pairs[:_SENTENCES].tolist():
            for vocabulary, ids in zip(
                sides, (split.source(number).tolist(), split.target(number).tolist()), strict=True
            ):
                st.text(f"{' '.join(vocabulary.tokens(ids))}\n{' '.join(map(str, ids))}")
    return prepared
