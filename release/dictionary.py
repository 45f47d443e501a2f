"""``dictionary``: learn replacements for [UNK] from the word links of training pairs."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from nmt.cli.lines import progress
from nmt.cli.options import JSON, RUN, Commands, add_base, add_texts, name_base, print_result
from nmt.data.corpus import read_pairs
from nmt.data.links import counts_from_one, read_links
from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID
from nmt.errors import InputError
from nmt.files import write_text
from nmt.results.links import Link
from nmt.runs.folder import DICTIONARY, read_run
from release.checksums import renew_checksum


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "dictionary",
        description="Learn a replacement for [UNK] per source word, from word links; target words in the run's "
        "vocabulary are excluded.",
        parents=[RUN, JSON],
    )
    add_texts(parser, note="; several files", required=True, several=True)
    parser.add_argument(
        "--links",
        nargs="+",
        required=True,
        metavar="FILE",
        help="links i-j over Moses words, one sentence pair per line; one file per --source file",
    )
    add_base(parser)
    parser.add_argument("--out", metavar="FILE", help=f"file to write (default RUN/{DICTIONARY}, which the run uses)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if len(options.source) != len(options.target):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.target)} target files")
    if len(options.links) != len(options.source):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.links)} files of links")
    run = read_run(options.run_folder)
    vocabulary = load_vocabulary(run.path, "target")
    tokenizers = Tokenizer(run.source_language), Tokenizer(run.target_language)
    out = Path(options.run_folder, DICTIONARY) if options.out is None else Path(options.out)
    counts = LinkCounts(lambda word: UNK_ID not in vocabulary.ids([word]))
    texts = zip(options.source, options.target, options.links, strict=True)
    base = options.base
    linked = (pair for s, t, links in texts for pair in linked_words(Path(s), Path(t), Path(links), *tokenizers, base))
    with progress("dictionary", None) as show:
        for pairs, pair in enumerate(linked, start=1):
            counts.add(pair)
            show(pairs)
    for path in map(Path, options.links if base == 0 else ()):
        if path.is_file() and counts_from_one(path):
            name_base(path, "--base")
    entries = counts.entries()
    if not entries:
        raise InputError("no word that the run cannot write is linked: nothing to write")
    write_dictionary(out, entries)
    if out.name == DICTIONARY:
        renew_checksum(out.parent, DICTIONARY)
    result = {"dictionary": str(out), "entries": len(entries), "pairs": pairs}
    print_result(options.json, result, f"{out}: {len(entries):,} words, from {pairs:,} sentence pairs")


@dataclass(frozen=True, kw_only=True)
class DictionaryEntry:
    """A line of the file.

    Attributes:
        source, target: Moses words.
        count: number of links between them.
        share: fraction of all counted links of the source word, above 0 and at most 1.
    """

    source: str
    target: str
    count: int
    share: float


@dataclass(frozen=True)
class LinkedWords:
    """The Moses words of a sentence pair and the links between them, from 0."""

    source: Sequence[str]
    target: Sequence[str]
    links: Iterable[Link]


class LinkCounts:
    """Number of links of each pair of words.

    Args:
        known: target words that are not counted. A model needs no entry for a word of its vocabulary: where it writes
            [UNK], it means another word.
    """

    def __init__(self, known: Callable[[str], bool]) -> None:
        self._known = known
        self._counts: dict[str, Counter[str]] = {}

    def add(self, pair: LinkedWords) -> None:
        counted = [not self._known(word) for word in pair.target]
        for i, j in pair.links:
            if counted[j]:
                self._counts.setdefault(pair.source[i], Counter())[pair.target[j]] += 1

    def entries(self) -> list[DictionaryEntry]:
        """List, for each source word, the target word linked with it most often; ties go to the first in code point
        order. Sorted by source word."""
        dictionary_entries = []
        for source, targets in sorted(self._counts.items()):
            target, count = min(targets.items(), key=lambda item: (-item[1], item[0]))
            share = count / targets.total()
            dictionary_entries.append(DictionaryEntry(source=source, target=target, count=count, share=share))
        return dictionary_entries


def linked_words(
    source: Path, target: Path, links: Path, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer, base: int = 0
) -> Iterator[LinkedWords]:
    """Yield the pairs of a corpus that have links, reading lazily. ``base``: number of the first word in the file.

    Raises:
        InputError: a file cannot be read or has more lines than another, or a link is malformed or beyond the words
            that the tokenisers produce; names file and line.
    """
    languages = source_tokenizer.language, target_tokenizer.language
    pairs = zip_longest(read_pairs(source, target, languages=languages), read_links(links, base=base))
    for number, (pair, linked) in enumerate(pairs, start=1):
        if pair is None or linked is None:
            ended, other = (source, links) if pair is None else (links, source)
            raise InputError(f"{ended} ends before line {number}, but {other} is longer")
        if not linked.links or pair.source.text is None or pair.target.text is None:
            continue
        words = source_tokenizer.tokenize(pair.source.text), target_tokenizer.tokenize(pair.target.text)
        linked.check(len(words[0]), len(words[1]))
        yield LinkedWords(*words, linked.words)


def write_dictionary(path: Path, entries: Iterable[DictionaryEntry]) -> None:
    """Write one entry per line, ``source TAB target TAB count TAB share``, atomically."""
    write_text(path, "".join(f"{each.source}\t{each.target}\t{each.count}\t{each.share:.3f}\n" for each in entries))
