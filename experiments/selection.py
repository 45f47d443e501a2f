"""``select``: select the pairs of large corpora that resemble a domain, by bilingual cross-entropy difference (Axelrod,
He and Gao 2011).

Paper: 4.1

Each pair (s, t) gets the score [H_in(s) - H_out(s)] + [H_in(t) - H_out(t)], cross-entropies per word: H_in by a
language model of the domain, H_out by a model of as many pairs drawn from the corpora themselves. The pairs with the
lowest scores are kept, up to the requested number of words.

As in that work, the models are of order 4, and their vocabulary is the words that occur at least twice in the domain,
all others being the unknown word. Unlike there, they are smoothed by interpolated modified Kneser-Ney (Chen and Goodman
1998), in NumPy: among the maintained libraries, the fast ones need a compiler to install, and the others are far too
slow for hundreds of millions of words. N-grams are kept in one sorted array per order, so that a whole chunk of text is
looked up at once.

    p(w | h) = max(c(h w) - D(c(h w)), 0) / c(h) + gamma(h) p(w | h'),      h' = h without its first word

c counts occurrences for the highest order and for n-grams that begin a sentence, and the number of different preceding
words for all others. D takes three values per order, for counts of 1, 2, and 3 or more, estimated from the counts of
counts. gamma(h) is the mass freed by the discounts, so that the probabilities sum to 1. Unigrams back off to the
uniform distribution over everything that can be predicted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nmt.cli.lines import stage_bars
from nmt.cli.options import JSON, Commands, add_number, print_result, whole
from nmt.data.corpus import read_pairs
from nmt.data.prepare import default_workers
from nmt.data.text import Tokenizer
from nmt.data.tokenised import (
    CHUNK,
    Corpus,
    Inspected,
    PairTokenizer,
    chunks,
    cleaned_text,
    executor,
    inspect,
    ordered_map,
)
from nmt.errors import InputError
from nmt.files import check_replaceable, staging

TEXTS, ORDER_FILE = "selected", "selected.tsv"
"""Names of the files that are written; a language code follows the first."""
ORDER = 4
LEAST = 2
"""Minimum number of occurrences in the domain of a word in the models' vocabulary."""
_SEED = 2011


@dataclass(frozen=True, kw_only=True, eq=False)
class Selected:
    """The selected pairs.

    Attributes:
        masks: for each corpus the mask of its selected pairs, [lines].
        differences: for each corpus the score of its pairs in nats per word, [lines]; infinite for an unusable pair.
        words: number of words of the source side of the selected pairs.
        pairs: their number.
        threshold: the largest score of a selected pair; None if all usable pairs were selected.
    """

    masks: list[NDArray[np.bool_]]
    differences: list[NDArray[np.float32]]
    words: int
    pairs: int
    threshold: float | None


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "select",
        description="Write the pairs of corpora that are most similar to those of a domain, by cross-entropy "
        "difference (Axelrod et al. 2011), as two parallel texts.",
        parents=[JSON],
    )
    parser.add_argument(
        "--corpus", nargs=2, action="append", required=True, type=Path, metavar=("SRC", "TGT"), dest="corpora",
        help="two parallel files (plain, .gz or .xz); repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--domain", nargs=2, required=True, type=Path, metavar=("SRC", "TGT"), help="two parallel files of the domain"
    )
    words = whole(1, 10**12)
    parser.add_argument(
        "--words", type=words, required=True, metavar="N", help=f"most Moses words of the source side to keep; {words}"
    )
    parser.add_argument("--source-lang", required=True, metavar="CODE", help="language of SRC, such as en")
    parser.add_argument("--target-lang", required=True, metavar="CODE", help="language of TGT, such as fr")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help=f"writes FOLDER/{TEXTS}.CODE and FOLDER/{ORDER_FILE}"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing selection")
    add_number(parser, "--workers", whole(1, 256), "number of processes", default=default_workers())
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    languages = options.source_lang, options.target_lang
    tokenizer = PairTokenizer(Tokenizer(languages[0]), Tokenizer(languages[1]), None)
    names = {f"{TEXTS}.{language}" for language in languages} | {ORDER_FILE}
    check_replaceable(options.out, "a selection", lambda: names, options.force)
    with stage_bars(lambda stage: {"unit": " corpora" if stage == "read" else " pairs", "unit_scale": True}) as show:
        files = [*options.corpora, options.domain]
        inspected = []
        for number, (source, target) in enumerate(files, 1):
            inspected.append(inspect(Corpus(source=source, target=target), languages))
            show("read", number, len(files))
        *corpora, domain = inspected
        total, done = sum(corpus.source.lines for corpus in corpora), 0

        def count(more: int) -> None:
            nonlocal done
            done += more
            show("select", done, total)

        with executor(options.workers if total > 2 * CHUNK else 1) as pool:
            found = select(corpora, domain, options.words, tokenizer, pool, count)
    write_selected(found, corpora, languages, options.out)
    result = {"folder": str(options.out), "pairs": found.pairs, "words": found.words, "threshold": found.threshold}
    limit = "" if found.threshold is None else f", difference up to {found.threshold:.3f} nats per word"
    print_result(options.json, result, f"{options.out}: {found.pairs:,} pairs, {found.words:,} words{limit}")


def write_selected(found: Selected, corpora: Sequence[Inspected], languages: tuple[str, str], out: Path) -> None:
    """Write the selected pairs in their order in the corpora, and beside them ``ORDER_FILE``: for each pair the number
    of its corpus and of its line, from 1, and its score, from which the order of the selection follows."""
    with staging(out) as folder, ExitStack() as stack:
        names = (*(f"{TEXTS}.{language}" for language in languages), ORDER_FILE)
        left, right, order = (
            stack.enter_context((folder / name).open("w", encoding="utf-8", newline="\n")) for name in names
        )
        order.write("corpus\tline\tdifference\n")
        for number, (corpus, mask, scores) in enumerate(zip(corpora, found.masks, found.differences, strict=True), 1):
            pairs = read_pairs(corpus.corpus.source, corpus.corpus.target, languages=languages)
            for line, pair in enumerate(pairs):
                if mask[line]:
                    left.write(f"{pair.source.text}\n")
                    right.write(f"{pair.target.text}\n")
                    order.write(f"{number}\t{line + 1}\t{scores[line]:.6g}\n")


def select(
    corpora: Sequence[Inspected],
    domain: Inspected,
    words: int,
    tokenizer: PairTokenizer,
    pool: Executor | None,
    on_pairs: Callable[[int], None] = lambda more: None,
) -> Selected:
    """Score all pairs of ``corpora`` and keep the best, up to ``words`` words of the source side.

    Pairs with a blank side, or a line too long to be a sentence, are never kept; the length of the others plays no
    part. ``tokenizer`` has no maximum length. ``on_pairs`` is called with each increment
    of the number of pairs scored.

    The corpora are read twice, the first time for the random draw. Memory is needed for the domain (four language
    models) and for some 30 bytes per pair. The same input gives the same pairs. Raises InputError if the domain or the
    corpora have no usable pair, and if the best pair has more words.
    """
    assert tokenizer.max_length is None
    inside = list(_tokenised(domain, None, tokenizer, pool))
    drawn = _drawn([corpus.source.lines for corpus in corpora], domain.source.lines)
    outside = [
        part
        for corpus, lines in zip(corpora, drawn, strict=True)
        for part in _tokenised(corpus, lines, tokenizer, pool)
    ]
    for parts, what in ((inside, f"in {domain.source.path} and {domain.target.path}"), (outside, "in the corpora")):
        if not any(len(part.lines) for part in parts):
            raise InputError(f"no pair {what} to base the selection on")
    source = _Side([part.source for part in inside], [part.source for part in outside])
    target = _Side([part.target for part in inside], [part.target for part in outside])
    del inside, outside

    scores = [np.full(corpus.source.lines, np.inf, dtype=np.float32) for corpus in corpora]
    lengths = [np.zeros(corpus.source.lines, dtype=np.int32) for corpus in corpora]
    for corpus, score, length in zip(corpora, scores, lengths, strict=True):
        for part in _tokenised(corpus, None, tokenizer, pool):
            if len(part.lines):
                sentences = source.words.encode(_sentences(part.source))
                other = target.words.encode(_sentences(part.target))
                score[part.lines] = source.difference(sentences) + target.difference(other)
                length[part.lines] = sentences.lengths
            on_pairs(part.read)
    return _best(words, scores, lengths)


class _Side:
    """The models of the domain and of the rest for one language, over the words of the domain."""

    def __init__(self, inside: Sequence[str], outside: Sequence[str]) -> None:
        counts = Counter(word for text in inside for word in text.split())
        self.words = WordIds(sorted(word for word, count in counts.items() if count >= LEAST))
        self._inside, self._outside = (
            LanguageModel(self.words.encode(chain.from_iterable(map(_sentences, texts))), self.words, ORDER)
            for texts in (inside, outside)
        )

    def difference(self, text: WordIdSentences) -> NDArray[np.float64]:
        """H_in - H_out of each sentence, nats per word."""
        return self._inside.cross_entropies(text) - self._outside.cross_entropies(text)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Part:
    """Some pairs of a corpus, tokenised: words joined by spaces, one sentence per line.

    Attributes:
        lines: line index of each pair, from 0, without unusable pairs.
        read: number of pairs read.
    """

    lines: NDArray[np.int64]
    source: str
    target: str
    read: int


def _tokenised(
    corpus: Inspected, wanted: NDArray[np.bool_] | None, tokenizer: PairTokenizer, pool: Executor | None
) -> Iterator[_Part]:
    """Tokenise all pairs of a corpus, or those selected by the mask ``wanted``, [lines]."""
    usable: list[list[int]] = []
    read: list[int] = []

    def batches() -> Iterator[list[tuple[str, str]]]:
        pairs = enumerate(read_pairs(corpus.corpus.source, corpus.corpus.target, languages=tokenizer.languages))
        for chunk in chunks(pairs, CHUNK):
            texts, numbers = [], []
            for number, pair in chunk:
                if wanted is None or wanted[number]:
                    sides = [cleaned_text(line, Counter()) for line in (pair.source, pair.target)]
                    if sides[0] and sides[1]:
                        texts.append((sides[0], sides[1]))
                        numbers.append(number)
            usable.append(numbers)
            read.append(len(chunk))
            yield texts

    for number, chunk in enumerate(ordered_map(tokenizer, batches(), pool)):
        lines = np.array(usable[number], dtype=np.int64)[chunk.kept]
        usable[number] = []
        yield _Part(lines=lines, source=chunk.lines[0], target=chunk.lines[1], read=read[number])


def _sentences(text: str) -> Iterable[list[str]]:
    return (line.split(" ") for line in text.split("\n")[:-1])


def _drawn(lines: Sequence[int], number: int) -> list[NDArray[np.bool_]]:
    """Draw ``number`` pairs at random from corpora with these numbers of ``lines``; return a mask for each corpus."""
    mask = np.zeros(sum(lines), dtype=bool)
    random = np.random.default_rng(_SEED)
    mask[random.choice(len(mask), min(number, len(mask)), replace=False, shuffle=False)] = True
    return np.split(mask, np.cumsum(lines)[:-1])


def _best(words: int, differences: list[NDArray[np.float32]], lengths: Sequence[NDArray[np.int32]]) -> Selected:
    """Select the pairs with the lowest scores; ties go to the first."""
    score, length = np.concatenate(differences), np.concatenate(lengths)
    order = np.argsort(score, kind="stable")[: np.isfinite(score).sum()]
    total = np.cumsum(length[order], dtype=np.int64)
    kept = int(np.searchsorted(total, words, side="right"))
    if not kept:
        raise InputError(f"the pair most similar to the domain has {total[0]:,} words, and {words:,} were asked for")
    selected = np.zeros(len(score), dtype=bool)
    selected[order[:kept]] = True
    return Selected(
        masks=np.split(selected, np.cumsum([len(part) for part in differences])[:-1]),
        differences=differences,
        words=int(total[kept - 1]),
        pairs=kept,
        threshold=float(score[order[kept - 1]]) if kept < len(order) else None,
    )


UNKNOWN, END = 0, 1
_FIRST_WORD = 2

_USUAL_DISCOUNTS = np.array([0.0, 0.5, 1.0, 1.5])
"""Default discounts for texts too small to estimate them from."""

Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WordIdSentences:
    """Sentences as ids.

    Attributes:
        tokens: concatenated sentences, each from its start-of-sentence to its end-of-sentence token, [N].
        starts: index in ``tokens`` of the start of each sentence, [S].
    """

    tokens: Ids
    starts: Ids

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def lengths(self) -> Ids:
        """Number of words of each sentence, without start and end tokens, [S]."""
        return np.diff(np.append(self.starts, len(self.tokens))) - 2


class WordIds:
    """Ids of words: the unknown word, the end-of-sentence token, the words, and last the start token, which is never
    predicted."""

    def __init__(self, words: Iterable[str]) -> None:
        self.ids = {word: number for number, word in enumerate(words, start=_FIRST_WORD)}

    @property
    def predicted(self) -> int:
        """Number of predictable tokens: the words, the unknown word and the end-of-sentence token."""
        return len(self.ids) + _FIRST_WORD

    @property
    def start(self) -> int:
        return self.predicted

    def encode(self, sentences: Iterable[Sequence[str]]) -> WordIdSentences:
        """Encode sentences of words as ids; a word without an id becomes the unknown word."""
        tokens: list[int] = []
        starts: list[int] = []
        for words in sentences:
            starts.append(len(tokens))
            tokens.append(self.start)
            tokens += [self.ids.get(word, UNKNOWN) for word in words]
            tokens.append(END)
        return WordIdSentences(np.array(tokens, dtype=np.int64), np.array(starts, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Order:
    """All n-grams of one order k seen in the text.

    Attributes:
        keys: index of the first k - 1 words as a (k - 1)-gram * (predicted + 1) + last word; sorted, [G_k].
        shares: discounted relative frequency of each, [G_k].
        left_over: gamma of each (k - 1)-gram as a context, 1 if it never was one, [G_{k-1}].
        seen: how often each occurs, [G_k].
    """

    keys: Ids
    shares: NDArray[np.float64]
    left_over: NDArray[np.float64]
    seen: Ids

    def find(self, keys: Ids) -> Ids:
        """Index of each n-gram, -1 for an unseen one."""
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        return np.where(self.keys[places] == keys, places, -1)


class LanguageModel:
    """Model p(w_i | w_{i-n+1} … w_{i-1}) of order n, over ``words.predicted`` words."""

    def __init__(self, text: WordIdSentences, words: WordIds, order: int) -> None:
        """Estimate the model from a text of at least one sentence, with ids of ``words``."""
        assert order >= 1
        assert len(text)
        self._words = words
        self._width = words.predicted + 1
        self.order = order
        grams = _numbered(text, self._width, order)
        self.orders: list[Order] = []
        for k, gram in enumerate(grams, start=1):
            if not len(gram.keys):  # all sentences are shorter
                break
            counts = gram.occurrences()
            if k < order:
                counts = np.where(gram.begins_sentence(), counts, gram.preceding(grams[k]))
            if k == 1:
                counts[words.start] = 0
            contexts = len(grams[k - 2].keys) if k > 1 else 1
            self.orders.append(_discounted(gram, counts, gram.keys // self._width, contexts))

    def probabilities(self, text: WordIdSentences) -> NDArray[np.float64]:
        """Probability of every token of ``text`` given those before it in its sentence, [N]; 1 for start tokens."""
        tokens = text.tokens
        single = self.orders[0]
        p: NDArray[np.float64] = single.shares[tokens] + single.left_over[0] / self._words.predicted
        before = tokens  # the number of the longest n-gram so far that ends at each token
        for first, order in enumerate(self.orders[1:], start=1):
            before = before[:-1]  # now, of the one that ends before each token from ``first`` on
            known = before >= 0
            matches = np.full(len(before), -1)
            matches[known] = order.find(before[known] * self._width + tokens[first:][known])
            share = np.where(matches >= 0, order.shares[matches], 0.0)
            p[first:] = np.where(known, share + order.left_over[before] * p[first:], p[first:])
            before = matches
        p[text.starts] = 1.0
        return p

    def cross_entropies(self, text: WordIdSentences) -> NDArray[np.float64]:
        """Mean -log p of each sentence in nats per word, end-of-sentence token included, [S]."""
        sums: NDArray[np.float64] = np.add.reduceat(-np.log(self.probabilities(text)), text.starts)
        return sums / (text.lengths + 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Grams:
    """The n-grams of order k in a text.

    Attributes:
        k: the order.
        keys: as in ``Order``, [G_k].
        at: index of the n-gram that ends at each token, -1 before the k-th token of a sentence, [N].
        depth: number of preceding tokens in the sentence, for each token, [N].
    """

    k: int
    keys: Ids
    at: Ids
    depth: Ids

    def occurrences(self) -> Ids:
        return np.bincount(self.at[self.at >= 0], minlength=len(self.keys))

    def begins_sentence(self) -> NDArray[np.bool_]:
        """Mask of the n-grams whose first word is the start token, [G_k]."""
        result = np.zeros(len(self.keys), dtype=bool)
        result[self.at[self.depth == self.k - 1]] = True
        return result

    def preceding(self, longer: _Grams) -> Ids:
        """Number of different words that precede each n-gram, that is, of (k + 1)-grams that end in it, [G_k]."""
        ends_in = np.empty(len(longer.keys), dtype=np.int64)
        present = longer.at >= 0
        ends_in[longer.at[present]] = self.at[present]
        return np.bincount(ends_in, minlength=len(self.keys))


def _numbered(text: WordIdSentences, width: int, order: int) -> list[_Grams]:
    """The n-grams of orders 1 to ``order``."""
    depth = np.arange(len(text.tokens)) - np.repeat(text.starts, text.lengths + 2)
    grams = [_Grams(k=1, keys=np.arange(width), at=text.tokens, depth=depth)]
    for k in range(2, order + 1):
        (places,) = np.nonzero(depth >= k - 1)
        keys, numbers = np.unique(grams[-1].at[places - 1] * width + text.tokens[places], return_inverse=True)
        at = np.full(len(text.tokens), -1)
        at[places] = numbers
        grams.append(_Grams(k=k, keys=keys, at=at, depth=depth))
    return grams


def _discounted(gram: _Grams, counts: Ids, context: Ids, contexts: int) -> Order:
    discounts = _discounts(counts)[np.minimum(counts, 3)]
    totals = np.bincount(context, counts, minlength=contexts)
    left = np.bincount(context, discounts, minlength=contexts)
    seen = totals > 0
    left_over = np.divide(left, totals, out=np.ones(contexts), where=seen)
    shares = np.divide(counts - discounts, totals[context], out=np.zeros(len(counts)), where=counts > 0)
    return Order(gram.keys, shares, left_over, gram.occurrences())


def _discounts(counts: Ids) -> NDArray[np.float64]:
    """Discounts D of counts 0, 1, 2, and 3 or more: D_k = k - (k + 1) Y n_{k+1} / n_k with Y = n_1 / (n_1 + 2 n_2),
    where n_k is the number of n-grams with count k."""
    n = np.bincount(np.minimum(counts, 5), minlength=6)[:5].astype(np.float64)
    if not n[1:].all():
        return _USUAL_DISCOUNTS
    k = np.arange(1, 4)
    discounts = k - (k + 1) * n[1] / (n[1] + 2 * n[2]) * n[2:] / n[1:4]
    return np.append(0.0, discounts) if (discounts > 0).all() and (discounts <= k).all() else _USUAL_DISCOUNTS
