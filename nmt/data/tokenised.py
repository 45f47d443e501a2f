"""Tokenisation of the corpora: clean, tokenise, drop long pairs, count words. Several processes share the work. Results
come in order, and the number of pending items is bounded.
"""

from __future__ import annotations

import multiprocessing
import signal
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Literal, TypeVar

from nmt.data.corpus import CorpusFile, Line, check_parallel, inspect_file, read_pairs, read_text
from nmt.data.links import LinkedLine, read_links
from nmt.data.prepared import CorpusRecord
from nmt.data.text import Tokenizer, clean_line
from nmt.data.text_files import REFERENCE, SOURCE
from nmt.results.alignment import UNKNOWN
from nmt.results.links import format_links

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def executor(workers: int) -> Iterator[Executor | None]:
    """Yield a pool of ``workers`` processes, or None if ``workers`` is at most 1: the caller then works by itself.
    After Ctrl-C, which the processes of the pool ignore, this process cancels their pending work.

    The processes are spawned, not forked. After a process has used SentencePiece, SentencePiece hangs in its forks.
    """
    if workers <= 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item], pool: Executor | None) -> Iterator[Result]:
    """Apply a function to items in order, like ``map``. At most 8 results wait to be consumed."""
    if pool is None:
        yield from map(function, items)
        return
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(pool.submit(function, item))
        if len(pending) >= 8:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Split items into lists of ``size`` items. The last list may be shorter.

    >>> list(chunks("abc", 2))
    [['a', 'b'], ['c']]
    """
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


MAX_CHARACTERS = 10_000
"""Maximum number of characters of a line. A longer line is no sentence and is not tokenised."""

CHUNK = 2_000
"""Number of pairs handed to a process at once."""


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Two parallel files, with an optional file of word links (nmt.data.links). ``repeat``: how often a pair counts in
    an epoch. ``links_base``: number of the first word in ``links``."""

    source: Path
    target: Path
    repeat: int = 1
    links: Path | None = None
    links_base: Literal[0, 1] = 0


@dataclass(frozen=True, kw_only=True)
class Inspected:
    """A corpus whose files are valid: each was read to its end. source, target, links: records of the files."""

    corpus: Corpus
    source: CorpusFile
    target: CorpusFile
    links: CorpusFile | None = None


def inspect(corpus: Corpus, languages: tuple[str, str] = ("", "")) -> Inspected:
    """Read all files to their ends. Raises InputError for any defect (nmt.data.corpus)."""
    source = inspect_file(corpus.source, read_text(corpus.source, SOURCE, languages[0]))
    target = inspect_file(corpus.target, read_text(corpus.target, REFERENCE, languages[1]))
    check_parallel(source, target)
    links = None if corpus.links is None else inspect_file(corpus.links)
    if links is not None:
        check_parallel(source, links)
    return Inspected(corpus=corpus, source=source, target=target, links=links)


@dataclass(frozen=True, kw_only=True)
class TokenisedChunk:
    """The pairs of a chunk that serve for training. ``kept``: their indices in the chunk. ``lines``: for source and
    target, a line for each pair, with spaces between words. ``counts``: number of each word of source and target.
    ``dropped``: number of omitted pairs by reason (``CorpusRecord``)."""

    kept: list[int]
    lines: tuple[str, str]
    word_lengths: list[int]
    counts: tuple[Counter[str], Counter[str]]
    dropped: Counter[str]


@dataclass(frozen=True)
class PairTokenizer:
    """Picklable tokeniser of chunks of pairs."""

    source: Tokenizer
    target: Tokenizer
    max_length: int | None

    @property
    def languages(self) -> tuple[str, str]:
        """Codes of source and target."""
        return self.source.language, self.target.language

    def __call__(self, pairs: list[tuple[str, str]]) -> TokenisedChunk:
        indices, lengths = [], []
        lines: tuple[list[str], list[str]] = ([], [])
        counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        dropped: Counter[str] = Counter()
        for index, (left, right) in enumerate(pairs):
            words = self.source.tokenize(left), self.target.tokenize(right)
            length = max(map(len, words))
            if not all(words):
                dropped["blank"] += 1
            elif self.max_length is not None and length > self.max_length:
                dropped["too_long"] += 1
            elif UNKNOWN in left or UNKNOWN in right:  # a model trained on "[UNK]" may spell it out
                dropped["written_with_[UNK]"] += 1
            else:
                indices.append(index)
                lengths.append(length)
                for side in (0, 1):
                    lines[side].append(" ".join(words[side]) + "\n")
                    counts[side].update(words[side])
        texts = "".join(lines[0]), "".join(lines[1])
        return TokenisedChunk(kept=indices, lines=texts, word_lengths=lengths, counts=counts, dropped=dropped)


@dataclass(kw_only=True)
class TokenisedSplit:
    """A tokenised split. Entries 0 and 1 of the first fields are those of source and target.

    Attributes:
        files: the files of words (see ``TokenisedChunk.lines``).
        raw: the cleaned, untokenised lines of the kept pairs. [] unless requested.
        counts: how often each word occurs in an epoch.
        words: number of words, each pair counted once.
        links: the file of word links of the kept pairs. Pairs of corpora without links have empty lines. None if
            no corpus has links.
        word_lengths: number of Moses words of the longer side of each kept pair.
        repeats: how often each kept pair counts in an epoch.
    """

    files: tuple[Path, Path]
    raw: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    counts: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    words: list[int] = field(default_factory=lambda: [0, 0])
    links: Path | None = None
    word_lengths: array[int] = field(default_factory=lambda: array("i"))
    repeats: array[int] = field(default_factory=lambda: array("i"))
    corpora: list[CorpusRecord] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.repeats)


def tokenise_split(
    corpora: list[Inspected],
    tokenizer: PairTokenizer,
    stem: Path,
    pool: Executor | None,
    on_pairs: Callable[[int], None],
    keep_raw: bool = False,
) -> TokenisedSplit:
    """Tokenise corpora one after the other into ``<stem>.source.words`` and ``<stem>.target.words``. Word links, if the
    corpora have any, go into ``<stem>.links``. ``on_pairs`` gets the number of pairs of every finished chunk."""
    split = TokenisedSplit(
        files=(stem.with_name(f"{stem.name}.source.words"), stem.with_name(f"{stem.name}.target.words"))
    )
    if any(corpus.links is not None for corpus in corpora):
        split.links = stem.with_name(stem.name + ".links")
    with ExitStack() as stack:
        files = [
            None if path is None else stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
            for path in (*split.files, split.links)
        ]
        for corpus in corpora:
            _tokenise(corpus, tokenizer, split, files, pool, on_pairs, keep_raw)
    return split


def _tokenise(
    inspected: Inspected,
    tokenizer: PairTokenizer,
    split: TokenisedSplit,
    files: Sequence[IO[str] | None],
    pool: Executor | None,
    on_pairs: Callable[[int], None],
    keep_raw: bool,
) -> None:
    corpus = inspected.corpus
    dropped = Counter({"blank": 0, "too_long": 0, "line_too_long": 0, "written_with_[UNK]": 0})
    cleaned = {"control_characters": 0, "carriage_returns": 0, "byte_order_mark": 0}
    waiting: deque[list[tuple[str, str]]] = deque()
    links = None if corpus.links is None else read_links(corpus.links, base=corpus.links_base)
    waiting_links: deque[list[LinkedLine]] = deque()
    before = len(split)

    def batches() -> Iterator[list[tuple[str, str]]]:
        for chunk in chunks(read_pairs(corpus.source, corpus.target, languages=tokenizer.languages), CHUNK):
            pairs, linked = [], []
            for pair in chunk:
                links_of_line = None if links is None else next(links)
                left, right = cleaned_text(pair.source, cleaned), cleaned_text(pair.target, cleaned)
                if left is None or right is None:
                    dropped["line_too_long"] += 1
                else:
                    pairs.append((left, right))
                    linked += [] if links_of_line is None else [links_of_line]
            on_pairs(len(chunk))
            waiting_links.append(linked)
            if keep_raw:
                waiting.append(pairs)
            yield pairs

    for chunk in ordered_map(tokenizer, batches(), pool):
        links_of = _links_of(chunk, waiting_links.popleft())
        for file, text in zip(files, (*chunk.lines, links_of), strict=True):
            if file is not None:
                file.write(text)
        split.word_lengths.extend(chunk.word_lengths)
        split.repeats.extend([corpus.repeat] * len(chunk.kept))
        dropped.update(chunk.dropped)
        raw = waiting.popleft() if keep_raw else []
        for side in (0, 1):
            split.words[side] += chunk.counts[side].total()
            for word, count in chunk.counts[side].items():
                split.counts[side][word] += count * corpus.repeat
            if keep_raw:
                split.raw[side].extend(raw[index][side] for index in chunk.kept)
    split.corpora.append(
        CorpusRecord(
            source=inspected.source,
            target=inspected.target,
            repeat=corpus.repeat,
            read=inspected.source.lines,
            kept=len(split) - before,
            dropped=dropped,
            cleaned=cleaned,
            links=inspected.links,
            links_base=corpus.links_base,
        )
    )


def kept_targets(corpora: Sequence[Corpus], tokenizer: PairTokenizer) -> Iterator[str]:
    """Yield the cleaned target sentence of each pair that ``tokenizer`` does not drop. Raises as ``read_pairs``."""
    for corpus in corpora:
        for chunk in chunks(read_pairs(corpus.source, corpus.target, languages=tokenizer.languages), CHUNK):
            texts = [(cleaned_text(pair.source, Counter()), cleaned_text(pair.target, Counter())) for pair in chunk]
            pairs = [(left, right) for left, right in texts if left is not None and right is not None]
            yield from (pairs[index][1] for index in tokenizer(pairs).kept)


def _links_of(chunk: TokenisedChunk, lines: list[LinkedLine]) -> str:
    """Links of the kept pairs, one line per pair, blank if ``lines`` is []. ``lines``: links of all pairs of the chunk.
    Raises InputError for a link that exceeds the words of its pair."""
    if not lines:
        return "\n" * len(chunk.kept)
    pair_links = [lines[index] for index in chunk.kept]
    for line, source, target in zip(pair_links, *(lines.split("\n") for lines in chunk.lines), strict=False):
        line.check(source.count(" ") + 1, target.count(" ") + 1, "words of the tokeniser")
    return "".join(format_links(line.words) + "\n" for line in pair_links)


def cleaned_text(line: Line, counts: dict[str, int]) -> str | None:
    """Return a line without control characters, or None if it is too long. Count the corrections in ``counts``."""
    counts["carriage_returns"] += line.carriage_return
    counts["byte_order_mark"] += line.byte_order_mark
    if line.text is None or len(line.text) > MAX_CHARACTERS:
        return None
    text = clean_line(line.text)
    counts["control_characters"] += text != line.text
    return text
