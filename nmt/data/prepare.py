"""Preparation of parallel corpora into a prepared folder.

Three passes run, and none holds the text in memory. The first pass reads every file, so that errors are reported
before the work begins. The second pass tokenises into temporary files and counts words. The third pass encodes these
files with the vocabularies. The same input and settings give the same folder, byte for byte.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from nmt.data.line_words import MANY_CHARACTERS
from nmt.data.links import LINK_VALUES, LINKS, over_tokens, read_links
from nmt.data.prepared import (
    MANIFEST,
    FileRecord,
    Manifest,
    Prepared,
    SideCounts,
    SplitRecord,
    VocabularyRecord,
    open_prepared,
    write_sentences,
)
from nmt.data.subwords import Pieces, load_vocabulary, seed_sampling, train_pieces
from nmt.data.text import Tokenizer, check_language
from nmt.data.tokenised import (
    CHUNK,
    Corpus,
    Inspected,
    PairTokenizer,
    TokenisedSplit,
    executor,
    inspect,
    ordered_map,
    tokenise_split,
)
from nmt.data.vocabulary import Kind, Shortlist, Vocabulary, unknown_share, write_word_counts
from nmt.errors import InputError
from nmt.files import check_replaceable, read_json, sha256_of, staging, write_json, write_text
from nmt.records import as_record, to_data
from nmt.texts import say, term

OnProgress = Callable[[str, int, int], None]
"""Progress callback: the stage, the number of pairs (or files) done, and their total."""

SIDES = ("source", "target")
_STEP = 5_000

_RUN_SETTINGS = "config.json"
"""The file that marks a run folder (nmt.runs.folder, which this package must not import)."""


@dataclass(frozen=True)
class VocabularySettings:
    """Settings of a vocabulary to be built. kind: "words" (shortlist), "unigram" or "bpe" (SentencePiece). size: number
    of ids, the two special ones included, at least 3. The default is the paper's size."""

    kind: Kind = "words"
    size: int = 30_000


@dataclass(frozen=True, kw_only=True)
class PrepareSettings:
    """Settings of the preparation of corpora.

    Attributes:
        max_length: largest number of words of either side of a training pair, end-of-sentence token not counted. None =
            no limit. Paper: 4.2 (30 and 50).
        vocabularies_from: a prepared folder or a run folder whose vocabularies are used. None = build new vocabularies.
        bpe_dropout: probability that a merge of two subwords is skipped (Provilkov et al. 2020). Unless it is 0, a
            training pair is stored as often as its corpus is repeated, with a new segmentation each time.
    """

    source_language: str
    target_language: str
    max_length: int | None = 50
    source_vocabulary: VocabularySettings = field(default_factory=VocabularySettings)
    target_vocabulary: VocabularySettings = field(default_factory=VocabularySettings)
    vocabularies_from: Path | None = None
    bpe_dropout: float = 0.0

    def __post_init__(self) -> None:
        check_language(self.source_language)
        check_language(self.target_language)
        if self.bpe_dropout and self.vocabularies_from is None:
            check_bpe(self.source_vocabulary.kind, self.target_vocabulary.kind)


def check_bpe(*kinds: Kind) -> None:
    """Raise InputError for a vocabulary kind that does not support BPE-dropout."""
    for kind in kinds:
        if kind != "bpe":
            raise InputError(f"BPE-dropout needs BPE vocabularies on both sides, not {kind}")


def default_workers() -> int:
    """Default number of processes: one per processor, eight at most."""
    return min(8, os.cpu_count() or 1)


def prepare(
    corpora: Sequence[Corpus],
    dev: Sequence[Corpus],
    settings: PrepareSettings,
    out: str | Path,
    *,
    force: bool = False,
    workers: int | None = None,
    on_progress: OnProgress = lambda stage, done, total: None,
) -> Manifest:
    """Prepare training pairs from ``corpora`` and development pairs from ``dev`` (may be empty) in ``out``. Raises
    InputError, and leaves no files, for unusable files and incompatible settings. InputError also if ``out`` has other
    content or, unless ``force`` is true, is a prepared folder."""
    out = Path(out)
    check_replaceable(out, "a prepared folder", lambda: {MANIFEST, *Manifest.load(out).files}, force)
    if not corpora:
        raise InputError("there are no corpora to prepare")
    if settings.bpe_dropout and any(corpus.links is not None for corpus in corpora):
        raise InputError("BPE-dropout cannot be combined with word links")
    vocabularies = _vocabularies_of(settings)
    chosen = settings.source_vocabulary, settings.target_vocabulary
    languages = settings.source_language, settings.target_language
    inspected: list[Inspected] = []
    on_progress("read", 0, len(corpora) + len(dev))
    for corpus in (*corpora, *dev):
        inspected.append(inspect(corpus, languages))
        on_progress("read", len(inspected), len(corpora) + len(dev))
    train_corpora, dev_corpora = inspected[: len(corpora)], inspected[len(corpora) :]
    total = sum(corpus.source.lines for corpus in train_corpora + dev_corpora)
    processes = default_workers() if workers is None else workers
    if total <= 2 * CHUNK:
        processes = 1  # not worth starting others

    with staging(out) as folder:
        done = 0

        def on_pairs(more: int) -> None:
            nonlocal done
            done += more
            on_progress("tokenise", done, total)

        source, target = Tokenizer(settings.source_language), Tokenizer(settings.target_language)
        tokenizer = PairTokenizer(source, target, settings.max_length)
        dev_tokenizer = PairTokenizer(source, target, None)
        with executor(processes) as pool:
            train = tokenise_split(train_corpora, tokenizer, folder / "train", pool, on_pairs)
            _require_pairs(train, "for training")
            dev_split = tokenise_split(dev_corpora, dev_tokenizer, folder / "dev", pool, on_pairs, keep_raw=True)
            if dev_corpora:
                _require_pairs(dev_split, "for development")
            if not vocabularies:
                with_bytes = [language in MANY_CHARACTERS for language in languages]
                vocabularies = list(ordered_map(_build, zip(train.counts, chosen, with_bytes, strict=True), pool))
        write_word_counts(folder, train.counts[0])
        dev_in_train = _repeated(dev_split, train) if dev_corpora else 0
        encode = _Encoder(folder=folder, vocabularies=vocabularies, on_progress=on_progress)
        train_record = encode("train", train, settings.bpe_dropout)
        dev_record = encode("dev", dev_split)
        records = []
        for side, vocabulary, lines, built in zip(SIDES, vocabularies, dev_split.raw, chosen, strict=True):
            vocabulary.save(folder, side)
            write_text(folder / f"dev.{side}.txt", "".join(f"{line}\n" for line in lines))
            asked = built.size if settings.vocabularies_from is None else None
            records.append(VocabularyRecord(vocabulary.kind, len(vocabulary), asked))
        manifest = Manifest(
            source_language=settings.source_language,
            target_language=settings.target_language,
            max_length=settings.max_length,
            source_vocabulary=records[0],
            target_vocabulary=records[1],
            train=train_record,
            dev=dev_record,
            files={path.name: FileRecord(path.stat().st_size, sha256_of(path)) for path in sorted(folder.iterdir())},
            bpe_dropout=settings.bpe_dropout,
            vocabularies_from="" if settings.vocabularies_from is None else settings.vocabularies_from.resolve().name,
            dev_in_train=dev_in_train,
        )
        write_json(folder / MANIFEST, to_data(manifest))
    return manifest


def _vocabularies_of(settings: PrepareSettings) -> list[Vocabulary]:
    """The two vocabularies of the folder ``vocabularies_from``. [] without such a folder. Raises InputError for a file,
    other languages, and BPE-dropout with vocabularies that are not BPE."""
    if settings.vocabularies_from is None:
        return []
    folder = settings.vocabularies_from
    if folder.is_file():
        raise InputError(
            f"{folder} is a file; a SentencePiece model or BPE codes of another program are not read, only the "
            "vocabularies of a prepared folder or a run"
        )
    run = folder / _RUN_SETTINGS
    theirs: Prepared | _Languages = (
        as_record(_Languages, read_json(run), str(run), unknown="ignore") if run.is_file() else open_prepared(folder)
    )
    if (theirs.source_language, theirs.target_language) != (settings.source_language, settings.target_language):
        raise InputError(f"the vocabularies of {folder} are for {theirs.source_language} to {theirs.target_language}")
    vocabularies = [load_vocabulary(folder, side) for side in SIDES]
    if settings.bpe_dropout:
        check_bpe(*(vocabulary.kind for vocabulary in vocabularies))
    return vocabularies


@dataclass(frozen=True)
class _Languages:
    """The languages in a run's config.json. The other entries are not read."""

    source_language: str
    target_language: str


def _build(task: tuple[Mapping[str, int], VocabularySettings, bool]) -> Vocabulary:
    counts, settings, with_bytes = task
    if settings.kind == "words":
        return Shortlist.from_counts(counts, settings.size)
    return train_pieces(counts, settings.kind, settings.size, with_bytes)


def _require_pairs(split: TokenisedSplit, purpose: str) -> None:
    if not len(split):
        dropped = [pair for corpus in split.corpora for pair in corpus.dropped.items()]
        reasons = tuple(say(f"errors.dropped.{why}", count=n) for why, n in dropped if n)
        raise InputError(say("errors.no_pair_left", purpose=term(purpose), reasons=reasons))


def _repeated(dev: TokenisedSplit, train: TokenisedSplit) -> int:
    """Count the development pairs that are also training pairs. Pairs are equal if their tokenised words are equal."""

    def pairs(split: TokenisedSplit) -> Iterator[int]:
        with split.files[0].open("rb") as source, split.files[1].open("rb") as target:
            yield from map(hash, zip(source, target, strict=True))

    times = Counter(pairs(dev))
    return sum(times[pair] for pair in times.keys() & pairs(train))


@dataclass(frozen=True, kw_only=True)
class _Encoder:
    """Encoder that writes the arrays of a split, and deletes the split's temporary files of words and links."""

    folder: Path
    vocabularies: Sequence[Vocabulary]
    on_progress: OnProgress

    def __call__(self, name: str, split: TokenisedSplit, bpe_dropout: float = 0.0) -> SplitRecord:
        copies = np.array(split.repeats, dtype="<i4")
        counts = []
        for number, (side, path, vocabulary) in enumerate(zip(SIDES, split.files, self.vocabularies, strict=True)):
            lines = self._lines(f"encode {name}", path, len(split), number)
            if bpe_dropout:
                assert isinstance(vocabulary, Pieces)
                seed_sampling(1 + number)
                copied = (words for words, times in zip(lines, split.repeats, strict=True) for _ in range(times))
                ids: Iterable[list[int]] = (vocabulary.sampled_ids(words, bpe_dropout) for words in copied)
            else:
                ids = (vocabulary.ids(words) for words in lines)
            tokens = write_sentences(self.folder, name, side, ids, len(vocabulary))
            counts.append(SideCounts(split.words[number], tokens, unknown_share(vocabulary, split.counts[number])))
        stored, repeats = (copies, np.ones(copies.sum(), dtype="<i4")) if bpe_dropout else (1, copies)
        np.save(self.folder / f"{name}.word_lengths.npy", np.repeat(np.array(split.word_lengths, dtype="<i4"), stored))
        np.save(self.folder / f"{name}.repeats.npy", repeats)
        if split.links is not None:
            write_sentences(self.folder, name, LINKS, self._links(split, split.links), LINK_VALUES)
            split.links.unlink()
        for path in split.files:
            path.unlink()
        return SplitRecord(
            pairs=len(repeats),
            pairs_per_epoch=int(repeats.sum()),
            source=counts[0],
            target=counts[1],
            corpora=tuple(split.corpora),
        )

    def _lines(self, stage: str, path: Path, pairs: int, side: int) -> Iterator[list[str]]:
        """Yield the words of each line, reporting progress."""
        before, total = side * pairs, 2 * pairs
        with path.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                yield line.removesuffix("\n").split(" ")
                if number % _STEP == 0 or number == pairs:
                    self.on_progress(stage, before + number, total)

    def _links(self, split: TokenisedSplit, links: Path) -> Iterator[list[int]]:
        """Yield the token links of each pair."""
        with (
            split.files[0].open(encoding="utf-8", newline="\n") as source,
            split.files[1].open(encoding="utf-8", newline="\n") as target,
        ):
            for pair_links, x, y in zip(read_links(links), source, target, strict=True):
                words = [
                    vocabulary.encode(line.removesuffix("\n").split(" ")).words if pair_links.links else ()
                    for vocabulary, line in zip(self.vocabularies, (x, y), strict=True)
                ]
                yield over_tokens(pair_links.words, *words)
