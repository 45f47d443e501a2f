"""Preparation of parallel corpora into a prepared folder.

Three passes run, and none holds the text in memory. The first pass reads every file, so that errors are reported
before the work begins. The second pass tokenises into temporary files and counts words. The third pass encodes these
files with the vocabularies. The same input and settings give the same folder, byte for byte.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from nmt.data.vocabulary import SPECIAL, Kind, Shortlist, Vocabulary, unknown_share, write_word_counts
from nmt.errors import InputError
from nmt.files import check_replaceable, read_json, sha256_of, staging, write_json, write_text
from nmt.records import as_record, to_data
from nmt.texts import say, term

OnProgress = Callable[[str, int, int], None]
"""Progress callback: the stage, the number of pairs (or files) done, and their total."""

_STEP = 5_000

_RUN_SETTINGS = "config.json"
"""The file that marks a run folder (nmt.runs.folder, which this package must not import)."""


@dataclass(frozen=True)
class VocabularySettings:
    """Settings of a vocabulary to be built.

    Attributes:
    kind: "words" (shortlist), "unigram" or "bpe" (SentencePiece).
    size: number of ids, the two special ones included. The default is the paper's size.
    """

    kind: Kind = "words"
    size: int = 30_000

    def __post_init__(self) -> None:
        if self.kind not in ("words", "unigram", "bpe"):
            raise InputError(f"unknown vocabulary kind {self.kind!r}; choose words, unigram or bpe")
        if self.size <= len(SPECIAL):
            raise InputError(f"a vocabulary of size {self.size} has no room for words; the minimum is 3")


@dataclass(frozen=True, kw_only=True)
class PrepareSettings:
    """Settings of the preparation of corpora.

    Attributes:
        source_language, target_language: codes such as "en".
        max_length: largest number of words of either side of a training pair, end-of-sentence token not counted. None
            = no limit. Paper: 4.2 (30 and 50).
        source_vocabulary, target_vocabulary: the vocabularies to build.
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
        if self.max_length is not None and self.max_length < 1:
            raise InputError(f"a maximum length of {self.max_length} leaves no sentences")
        if not 0 <= self.bpe_dropout < 1:
            raise InputError(f"BPE-dropout must be a probability below 1, not {self.bpe_dropout:g}")
        if self.bpe_dropout and self.vocabularies_from is None:
            check_bpe(self.source_vocabulary.kind, self.target_vocabulary.kind)


def check_bpe(*kinds: Kind) -> None:
    """Raise InputError for a vocabulary kind that does not support BPE-dropout."""
    for kind in kinds:
        if kind != "bpe":
            raise InputError(f"BPE-dropout needs BPE vocabularies on both sides, not {kind}")


@dataclass(frozen=True)
class _Built:
    """A vocabulary and its requested size. The size is None if the vocabulary comes from another folder."""

    vocabulary: Vocabulary
    asked: int | None

    @property
    def record(self) -> VocabularyRecord:
        return VocabularyRecord(self.vocabulary.kind, len(self.vocabulary), self.asked)


@dataclass(kw_only=True)
class _Count:
    """Counter of a stage. It calls the progress callback with the sum of all increments."""

    on_progress: OnProgress
    stage: str
    total: int
    done: int = 0

    def __call__(self, more: int) -> None:
        self.done += more
        self.on_progress(self.stage, self.done, self.total)


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
    """Prepare training pairs from ``corpora`` and development pairs from ``dev`` (may be empty) in ``out``.

    Raises InputError for unusable files and incompatible settings, and then leaves no files. Raises InputError if
    ``out`` exists, unless it is empty, or it is a prepared folder and ``force`` is true.
    """
    out = Path(out)
    check_replaceable(out, "a prepared folder", lambda: {MANIFEST, *Manifest.load(out).files}, force)
    if not corpora:
        raise InputError("there are no corpora to prepare")
    if settings.bpe_dropout and any(corpus.links is not None for corpus in corpora):
        raise InputError("BPE-dropout cannot be combined with word links")
    taken_over = _vocabularies_of(settings)
    languages = settings.source_language, settings.target_language
    inspected = list(_inspected([*corpora, *dev], languages, on_progress))
    train_corpora, dev_corpora = inspected[: len(corpora)], inspected[len(corpora) :]
    total = sum(corpus.source.lines for corpus in train_corpora + dev_corpora)
    processes = default_workers() if workers is None else workers
    if total <= 2 * CHUNK:
        processes = 1  # not worth starting others

    with staging(out) as folder:
        on_pairs = _Count(on_progress=on_progress, stage="tokenise", total=total)
        source, target = Tokenizer(settings.source_language), Tokenizer(settings.target_language)
        tokenizer = PairTokenizer(source, target, settings.max_length)
        dev_tokenizer = PairTokenizer(source, target, None)
        with executor(processes) as pool:
            train = tokenise_split(train_corpora, tokenizer, folder / "train", pool, on_pairs)
            _require_pairs(train, "for training")
            dev_split = tokenise_split(dev_corpora, dev_tokenizer, folder / "dev", pool, on_pairs, keep_raw=True)
            if dev_corpora:
                _require_pairs(dev_split, "for development")
            built = taken_over or list(
                ordered_map(
                    _build,
                    [
                        (train.source_counts, settings.source_vocabulary, source.language in MANY_CHARACTERS),
                        (train.target_counts, settings.target_vocabulary, target.language in MANY_CHARACTERS),
                    ],
                    pool,
                )
            )
        built[0].vocabulary.save(folder, "source")
        built[1].vocabulary.save(folder, "target")
        write_word_counts(folder, train.source_counts)
        dev_in_train = _repeated(dev_split, train) if dev_corpora else 0
        encode = _Encoder(
            folder=folder, source=built[0].vocabulary, target=built[1].vocabulary, on_progress=on_progress
        )
        train_record = encode("train", train, settings.bpe_dropout)
        dev_record = encode("dev", dev_split)
        for side, lines in (("source", dev_split.raw_source), ("target", dev_split.raw_target)):
            write_text(folder / f"dev.{side}.txt", "".join(f"{line}\n" for line in lines))
        manifest = Manifest(
            source_language=settings.source_language,
            target_language=settings.target_language,
            max_length=settings.max_length,
            source_vocabulary=built[0].record,
            target_vocabulary=built[1].record,
            train=train_record,
            dev=dev_record,
            files={path.name: FileRecord(path.stat().st_size, sha256_of(path)) for path in sorted(folder.iterdir())},
            bpe_dropout=settings.bpe_dropout,
            vocabularies_from="" if settings.vocabularies_from is None else settings.vocabularies_from.resolve().name,
            dev_in_train=dev_in_train,
        )
        write_json(folder / MANIFEST, to_data(manifest))
    return manifest


def _inspected(corpora: Sequence[Corpus], languages: tuple[str, str], on_progress: OnProgress) -> Iterator[Inspected]:
    on_progress("read", 0, len(corpora))
    for number, corpus in enumerate(corpora, start=1):
        yield inspect(corpus, languages)
        on_progress("read", number, len(corpora))


def _vocabularies_of(settings: PrepareSettings) -> list[_Built]:
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
    source, target = load_vocabulary(folder, "source"), load_vocabulary(folder, "target")
    if settings.bpe_dropout:
        check_bpe(source.kind, target.kind)
    return [_Built(source, None), _Built(target, None)]


@dataclass(frozen=True)
class _Languages:
    """The languages in a run's config.json. The other entries are not read."""

    source_language: str
    target_language: str


def _build(task: tuple[dict[str, int], VocabularySettings, bool]) -> _Built:
    counts, settings, with_bytes = task
    if settings.kind == "words":
        return _Built(Shortlist.from_counts(counts, settings.size), settings.size)
    return _Built(train_pieces(counts, settings.kind, settings.size, with_bytes), settings.size)


def _require_pairs(split: TokenisedSplit, purpose: str) -> None:
    if not len(split):
        dropped = [pair for corpus in split.corpora for pair in corpus.dropped.items()]
        reasons = tuple(say(f"errors.dropped.{why}", count=n) for why, n in dropped if n)
        raise InputError(say("errors.no_pair_left", purpose=term(purpose), reasons=reasons))


def _repeated(dev: TokenisedSplit, train: TokenisedSplit) -> int:
    """Count the development pairs that are also training pairs. Pairs are equal if their tokenised words are equal."""

    def pairs(split: TokenisedSplit) -> Iterator[int]:
        with split.source.open("rb") as source, split.target.open("rb") as target:
            yield from map(hash, zip(source, target, strict=True))

    times = Counter(pairs(dev))
    return sum(times[pair] for pair in times.keys() & pairs(train))


@dataclass(frozen=True, kw_only=True)
class _Encoder:
    """Encoder that writes the arrays of a split, and deletes the split's temporary files of words and links."""

    folder: Path
    source: Vocabulary
    target: Vocabulary
    on_progress: OnProgress

    def __call__(self, name: str, split: TokenisedSplit, bpe_dropout: float = 0.0) -> SplitRecord:
        copies = np.array(split.repeats, dtype="<i4")
        sides = (("source", split.source, self.source), ("target", split.target, self.target))
        tokens = []
        for number, (side, path, vocabulary) in enumerate(sides):
            lines = self._lines(f"encode {name}", path, len(split), number)
            if bpe_dropout:
                assert isinstance(vocabulary, Pieces)
                seed_sampling(1 + number)
                copied = (words for words, times in zip(lines, split.repeats, strict=True) for _ in range(times))
                ids: Iterable[list[int]] = (vocabulary.sampled_ids(words, bpe_dropout) for words in copied)
            else:
                ids = (vocabulary.ids(words) for words in lines)
            tokens.append(write_sentences(self.folder, name, side, ids, len(vocabulary)))
        stored, repeats = (copies, np.ones(copies.sum(), dtype="<i4")) if bpe_dropout else (1, copies)
        np.save(self.folder / f"{name}.word_lengths.npy", np.repeat(np.array(split.word_lengths, dtype="<i4"), stored))
        np.save(self.folder / f"{name}.repeats.npy", repeats)
        if split.links is not None:
            write_sentences(self.folder, name, LINKS, self._links(split, split.links), LINK_VALUES)
            split.links.unlink()
        split.source.unlink()
        split.target.unlink()
        return SplitRecord(
            pairs=len(repeats),
            pairs_per_epoch=int(repeats.sum()),
            source=SideCounts(split.source_words, tokens[0], unknown_share(self.source, split.source_counts)),
            target=SideCounts(split.target_words, tokens[1], unknown_share(self.target, split.target_counts)),
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
            split.source.open(encoding="utf-8", newline="\n") as source,
            split.target.open(encoding="utf-8", newline="\n") as target,
        ):
            for pair_links, x, y in zip(read_links(links), source, target, strict=True):
                words = [
                    vocabulary.encode(line.removesuffix("\n").split(" ")).words if pair_links.links else ()
                    for vocabulary, line in ((self.source, x), (self.target, y))
                ]
                yield over_tokens(pair_links.words, *words)
