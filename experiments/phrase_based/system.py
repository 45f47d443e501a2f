"""A phrase-based system (Koehn, Och and Marcu 2003), the kind of system that the paper compares with, by sil-thot, an
optional package (``pip install 'jointly[smt]'``): its aligner, phrase extraction, language model and stack decoder.

A translation maximises sum_n w_n f_n over eight features (``FEATURES``); the weights are tuned for BLEU on n-best lists
of the development set (Och 2003). Words without a phrase are copied.

Paper: 4.2, Table 1 (the row of Moses)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from nmt.data.links import read_links
from nmt.data.prepared import CorpusRecord, Prepared
from nmt.data.text import Tokenizer
from nmt.data.tokenised import CHUNK, Corpus, PairTokenizer, chunks, inspect, tokenise_split
from nmt.errors import InputError
from nmt.evaluation.concatenation import bleu_counts
from nmt.evaluation.metrics import bleu_of_each, bleu_tokeniser
from nmt.evaluation.rescoring import Candidates, candidate_counts, tune
from nmt.files import read_record, replacing, write_json, write_text
from nmt.results.alignment import Alignment
from nmt.results.record import SEGMENTATION, System, Tokens, map_of

if TYPE_CHECKING:
    from thot.translation import TranslationData

MOST_WORDS = 7
"""Of a phrase, on either side."""
MOST_TRANSLATIONS = 20
"""Of a source phrase: the most frequent ones."""
FEATURES = (
    *("words", "language-model", "target-length", "jumps"),
    *("source-length", "inverse", "direct", "sentence-length"),
)
"""Features of the decoder, in its order: the number of words, log p(y) of the language model, lengths of target
phrases, jumps between source phrases, lengths of source phrases, log p(x | y) and log p(y | x) of phrases, and the
length of the sentence."""

_ITERATIONS = 5
"""Of the training of each aligner."""
_ORDER = 3
"""Of the language model."""
_FREE = ("words", "target-length", "sentence-length")
"""Features whose weight may be negative."""
_SETTINGS = "phrase-based.json"
_MODEL, _LANGUAGE_MODEL, _LINKS = "model", "language-model", "links"
_JUMPS, _OPTIONS, _STACK, _LOCAL, _LONGEST = 0, 10, 10, 6, 200
"""Words that a jump may leave behind, translations tried of a phrase, hypotheses per number of translated words, the
estimate of the rest of a sentence, by its words and jumps, and the most words of a sentence, which sil-thot fixes."""
_ROUNDS, _N_BEST = 5, 50
"""Of tuning: searches with ever better weights, and the translations of each."""


@dataclass(frozen=True, kw_only=True)
class PhraseBased:
    """A system, phrase-based.json of its folder.

    Attributes:
        source_language, target_language: of the sentences.
        max_length: most words of a training sentence.
        train: the training corpora, as the prepared folder records them.
        weights: of each feature.
        dev_bleu: BLEU of the tuning sentences with these weights; None before tuning.
        dev_sentences: their number.
    """

    source_language: str
    target_language: str
    max_length: int | None
    train: tuple[CorpusRecord, ...]
    weights: tuple[float, ...] = (1.0,) * 7 + (0.0,)
    dev_bleu: float | None = None
    dev_sentences: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class PhraseTranslation:
    """A translation of a sentence.

    Attributes:
        text: detokenised.
        features: f_n, in the order of ``FEATURES``.
        score: their sum, weighted.
        segmentation: [T_y, T_x], without end-of-sentence tokens: each word of a target phrase weighs all words of its
            source phrase alike.
    """

    text: str
    features: tuple[float, ...]
    score: float
    segmentation: Alignment

    @property
    def named(self) -> dict[str, float]:
        """The features by name."""
        return dict(zip(FEATURES, self.features, strict=True))

    def system(self, rank: int, name: str, language: str) -> System:
        """The part of a record of this translation by the system of a name into a language."""
        words = self.segmentation
        return System(
            name=name,
            kind="phrase-based",
            language=language,
            rank=rank,
            text=self.text,
            source=Tokens(tokens=words.source, words=words.source_words),
            target=Tokens(tokens=words.target, words=words.target_words),
            score=self.score,
            maps=map_of(SEGMENTATION, words),
            features=self.named,
        )


def read_system(folder: Path) -> PhraseBased:
    """Read a prepared system's settings. InputError for another folder, and if sil-thot is not installed."""
    if find_spec("thot") is None:
        raise InputError("sil-thot is not installed; pip install 'jointly[smt]' installs it")
    return read_record(PhraseBased, folder / _SETTINGS)


def prepare(prepared: Prepared, out: Path, on_stage: Callable[[str], None]) -> PhraseBased:
    """Build a system from exactly the training pairs of a prepared folder, whose corpora are read again, because its
    vocabularies do not have all words. Phrases are consistent with the word links of the folder if each of its corpora
    has some, else with those of the system's own aligners. What an earlier call has finished is kept.

    Raises InputError for corpora that have changed since, or that another system in the folder has not.
    """
    system = PhraseBased(
        source_language=prepared.source_language,
        target_language=prepared.target_language,
        max_length=prepared.manifest.max_length,
        train=tuple(prepared.manifest.train.corpora),
    )
    out.mkdir(parents=True, exist_ok=True)
    if not (out / _SETTINGS).exists():
        write_json(out / _SETTINGS, asdict(system))
    elif replace(read_system(out), weights=system.weights, dev_bleu=None, dev_sentences=0) != system:
        raise InputError(f"{out} is a system of other pairs; choose another folder")
    read_system(out)

    def once(name: str, make: Callable[[Path], None]) -> Path:
        if not (out / name).exists():
            on_stage(name)
            with replacing(out / name) as path:
                make(path)
        return out / name

    for side, lines in (("source", prepared.dev_source), ("target", prepared.dev_target)):
        write_text(out / f"dev.{side}.txt", "".join(f"{line}\n" for line in lines))
    for name, content in _TABLES.items():
        write_text(out / name, content)
    pairs = once("pairs", lambda path: _write_pairs(system, path, out / _LINKS))
    for ending in _ALIGNERS:
        if not (out / f"{_MODEL}{ending}.yml").exists():
            on_stage(f"{_MODEL}{ending}")
            _train_aligner(pairs, out, ending)
    links = once(_LINKS, lambda path: _write_links(pairs, out, path))
    once(f"{_MODEL}.ttable", lambda path: extract_phrases(links, path))
    once(_LANGUAGE_MODEL, lambda path: count_ngrams(pairs, path))
    return system


def _write_pairs(system: PhraseBased, path: Path, links: Path) -> None:
    """Write a line for each training pair: how often it counts, its source words and its target words, separated by
    tabs. If every corpus has word links, also write those, into ``links``."""
    corpora = [Corpus(source=Path(c.source.path), target=Path(c.target.path), repeat=c.repeat) for c in system.train]
    if all(c.links for c in system.train):
        links_of = [(Path(c.links.path), c.links_base) for c in system.train if c.links]
        corpora = [replace(c, links=path, links_base=base) for c, (path, base) in zip(corpora, links_of, strict=True)]
    inspected = [inspect(corpus) for corpus in corpora]
    for now, record in zip(inspected, system.train, strict=True):
        for file, before in ((now.source, record.source), (now.target, record.target), (now.links, record.links)):
            if file and before and file.sha256 != before.sha256:
                raise InputError(f"{file.path} is not the file that was prepared; prepare it again")
    tokenizer = PairTokenizer(Tokenizer(system.source_language), Tokenizer(system.target_language), system.max_length)
    with TemporaryDirectory(dir=path.parent) as folder:
        split = tokenise_split(inspected, tokenizer, Path(folder) / "train", None, lambda _: None)
        with path.open("w", encoding="utf-8") as out, split.files[0].open() as source, split.files[1].open() as target:
            for repeat, left, right in zip(split.repeats, source, target, strict=True):
                out.write(f"{repeat}\t{_escaped(left)}\t{_escaped(right)}\n")
        if split.links:
            with replacing(links) as own, own.open("w", encoding="utf-8") as giza:
                for pair, line in zip(read_pairs(path), read_links(split.links), strict=True):
                    giza.write(giza_lines(*pair, line.words))


def _escaped(line: str) -> str:
    """Replace what ends a phrase in the files of sil-thot, and take away the end of the line."""
    return line.rstrip("\n").replace("|||", "¦¦¦")


def read_pairs(path: Path) -> Iterator[tuple[int, list[str], list[str]]]:
    """Read the training pairs: how often each counts, and the words of both sides."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            repeat, source, target = line.rstrip("\n").split("\t")
            yield int(repeat), source.split(" "), target.split(" ")


def _train_aligner(pairs: Path, out: Path, ending: str) -> None:
    """Train a hidden Markov model of word alignment (Vogel, Ney and Tillmann 1996), begun by IBM's model 1."""
    from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel

    model: Ibm1AlignmentModel = Ibm1AlignmentModel()
    for repeat, source, target in read_pairs(pairs):
        model.add_sentence_pair(*_ALIGNERS[ending](source, target), repeat)
    for following in (True, False):
        model.start_training()
        for _ in range(_ITERATIONS):
            model.train()
        model.end_training()
        model = HmmAlignmentModel(model) if following else model
    with TemporaryDirectory(dir=out) as folder:
        model.print(f"{folder}/{_MODEL}{ending}")
        lexicon = Path(folder) / f"{_MODEL}{ending}.hmm_lexnd"  # logarithms of counts, and of their sums
        table = np.fromfile(lexicon, np.dtype([("words", "<u8"), ("count", "<f4"), ("sum", "<f4")]))
        table[table["count"] - table["sum"] > math.log(1e-5)].tofile(lexicon)
        for path in sorted(Path(folder).iterdir()):  # the last one, .yml, says that all are there
            if path.suffix in (".src", ".trg", ".srctrgc"):
                path.write_bytes(b"")  # the pairs themselves, which aligning does not need
            path.replace(out / path.name)


_ALIGNERS: dict[str, Callable[[list[str], list[str]], tuple[list[str], list[str]]]] = {
    "_invswm": lambda source, target: (source, target),
    "_swm": lambda source, target: (target, source),
}
"""Which side is given, and which one is aligned with it, by the ending of a model's files."""


def _write_links(pairs: Path, out: Path, path: Path) -> None:
    """Link the words of all pairs in both directions, and combine the links by grow-diag-final-and, in GIZA's format
    with the source as the side that is numbered."""
    from thot.alignment import HmmAlignmentModel, SymmetrizationHeuristic, SymmetrizedAligner

    models = [HmmAlignmentModel() for _ in _ALIGNERS]
    for model, ending in zip(models, _ALIGNERS, strict=True):
        model.load(f"{out / _MODEL}{ending}")
    aligner = SymmetrizedAligner(*models)
    aligner.heuristic = SymmetrizationHeuristic.GROW_DIAG_FINAL_AND
    with path.open("w", encoding="utf-8") as file:
        for batch in chunks(read_pairs(pairs), CHUNK):
            found = aligner.get_best_alignments([source for _, source, _ in batch], [target for *_, target in batch])
            for (repeat, source, target), (_, matrix) in zip(batch, found, strict=True):
                file.write(giza_lines(repeat, source, target, zip(*matrix.to_numpy().nonzero(), strict=True)))


def giza_lines(repeat: int, source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]]) -> str:
    """Write a pair and its links, as positions from 0 in source and target, in GIZA's format: three lines.

    >>> print(giza_lines(2, ["a", "red", "sea"], ["une", "mer", "rouge"], [(0, 0), (2, 1), (1, 2)]), end="")
    # 2
    a red sea
    NULL ({ }) une ({ 1 }) mer ({ 3 }) rouge ({ 2 })
    """
    linked: list[list[int]] = [[] for _ in target]
    for j, i in links:
        linked[i].append(j + 1)
    words = (
        f"{word} ({{ {' '.join(map(str, sorted(own)))}{' ' * bool(own)}}})"
        for word, own in zip(target, linked, strict=True)
    )
    return f"# {repeat}\n{' '.join(source)}\nNULL ({{ }}) {' '.join(words)}\n"


def extract_phrases(links: Path, path: Path) -> None:
    """Extract and count the phrase pairs that are consistent with the links (Och and Ney 2004)."""
    from thot.translation import PhraseExtractParameters, PhraseModel

    parameters = PhraseExtractParameters()
    parameters.max_target_phrase_length, parameters.constrain_source_length = MOST_WORDS, True
    model = PhraseModel()
    model.build(str(links), parameters, False)
    model.print_phrase_table(str(path), MOST_TRANSLATIONS)
    model.clear()


_TABLES = {
    "model.lambda": "0.7 0.7",
    "model.srcsegmlentable": "Uniform",
    "model.trgcutstable": "0.999",
    "model.trgsegmlentable": "Geometric",
    "language-model.weights": f"{_ORDER} 3 10 0.5 0.5 0.55 0.3 0.55 0.85 0.1 0.45 0.7",
}
"""What the decoder reads beside the phrases: how much phrases weigh against words in both smoothed probabilities of a
phrase, the kinds of its models of lengths and jumps, and the weight of each order of the language model (Jelinek and
Mercer 1980) by how often its history was seen, below 10, below 20 or more: those with the least perplexity of
Multi30k's dev set after its training pairs."""


def count_ngrams(pairs: Path, path: Path) -> None:
    """Count the n-grams of the target side; the first occurrence of each word counts as an unknown one."""
    counts: Counter[tuple[str, ...]] = Counter()
    seen: set[str] = set()
    for repeat, _, target in read_pairs(pairs):
        words = ["<s>"]
        for word in target:
            words.append(word if word in seen else "<unk>")
            seen.add(word)
        words.append("</s>")
        for n in range(1, _ORDER + 1):
            for ngram in zip(*(words[k:] for k in range(n)), strict=False):
                counts[ngram] += repeat
    total = sum(count for ngram, count in counts.items() if len(ngram) == 1)
    with path.open("w", encoding="utf-8") as file:
        for ngram, count in counts.items():
            file.write(f"{' '.join(ngram)} {counts[ngram[:-1]] if ngram[1:] else total} {count}\n")


Search = Callable[[Sequence[float], int, int], list[PhraseTranslation]]
"""From weights, the number of a sentence and a number n to the n best translations."""


@contextmanager
def decoder(folder: Path, lines: Sequence[str]) -> Iterator[Search]:
    """Load a system with the phrases that occur in some sentences, and yield a search in these sentences, which finds
    nothing for a blank one. InputError for a sentence that is too long for sil-thot."""
    from thot.alignment import AlignmentModelType
    from thot.translation import SmtDecoder, SmtModel

    system = read_system(folder)
    tokenizer, other = Tokenizer(system.source_language), Tokenizer(system.target_language)
    sentences = [[*map(_escaped, tokenizer.tokenize(line))] for line in lines]
    for number, words in enumerate(sentences, 1):
        if len(words) > _LONGEST:
            raise InputError(f"line {number} has {len(words)} words; sil-thot translates at most {_LONGEST}")
    found = {
        " ".join(words[i : i + n]) for words in sentences for i in range(len(words)) for n in range(1, MOST_WORDS + 1)
    }
    with TemporaryDirectory() as temporary:
        own, table = Path(temporary), f"{_MODEL}.ttable"
        for path in folder.glob(f"{_MODEL}*"):
            if path.suffix != ".ttable":
                (own / path.name).symlink_to(path.resolve())
        with (folder / table).open(encoding="utf-8") as whole, (own / table).open("w", encoding="utf-8") as part:
            alone = {word for words in sentences for word in words}
            for line in whole:
                if (phrase := line.split(" ||| ")[1]) in found:
                    part.write(line)
                    alone.discard(phrase)
            part.writelines(f"{word} ||| {word} ||| 1 1\n" for word in sorted(alone))  # copied
        model = SmtModel(AlignmentModelType.HMM)
        phrases = model.load_translation_model(str(own / _MODEL))
        if not (phrases and model.load_language_model(str(folder / _LANGUAGE_MODEL))):
            raise InputError(f"{folder} is not complete; phrase-based prepare goes on where it was interrupted")
    model.non_monotonicity, model.w, model.a, model.e, model.heuristic = _JUMPS, _OPTIONS, MOST_WORDS, 2, _LOCAL
    search = SmtDecoder(model)
    search.s, search.is_breadth_first = _STACK, True

    def translate(weights: Sequence[float], number: int, n: int) -> list[PhraseTranslation]:
        model.weights = list(weights)
        words = sentences[number]
        return [_translation(words, each, other) for each in search.translate_n(" ".join(words), n)] if words else []

    try:
        yield translate
    finally:
        search.clear()
        model.clear()


def _translation(source: Sequence[str], data: TranslationData, tokenizer: Tokenizer) -> PhraseTranslation:
    weights = np.zeros((len(data.target), len(source)), np.float32)
    for (first, last), (begin, end) in zip(
        data.source_segmentation, pairwise([0, *data.target_segment_cuts]), strict=True
    ):
        weights[begin:end, first - 1 : last] = 1 / (last - first + 1)
    words = {"source_words": tuple(range(len(source))), "target_words": tuple(range(len(data.target)))}
    segmentation = Alignment(source=tuple(source), target=tuple(data.target), weights=weights, **words)
    text, features = tokenizer.detokenize(data.target), tuple(data.score_components)
    return PhraseTranslation(text=text, features=features, score=data.score, segmentation=segmentation)


def translate(folder: Path, lines: Sequence[str], n_best: int = 1) -> Iterator[list[PhraseTranslation]]:
    """Translate sentences with the tuned weights: of each its best translations, none of a blank one."""
    weights = read_system(folder).weights
    with decoder(folder, lines) as search:
        yield from (search(weights, number, n_best) for number in range(len(lines)))


def tune_system(folder: Path, sentences: int, on_round: Callable[[int, float], None]) -> PhraseBased:
    """Tune the weights for BLEU on evenly spaced development sentences, and save the best ones.

    Each round searches with the weights so far, adds its n-best lists to those before, and takes weights that are best
    on all of these (``nmt.evaluation.rescoring``). ``on_round`` gets each round's number and the BLEU of its search.
    """
    best = system = replace(read_system(folder), dev_bleu=None)
    source, target = ((folder / f"dev.{side}.txt").read_text("utf-8").split("\n")[:-1] for side in ("source", "target"))
    rows = np.linspace(0, len(source) - 1, min(sentences, len(source))).astype(int).tolist()
    references = [target[row] for row in rows]
    tokeniser = bleu_tokeniser(system.target_language)
    pool: dict[tuple[int, str, tuple[float, ...]], None] = {}
    weights = PhraseBased.weights
    with decoder(folder, [source[row] for row in rows]) as search:
        for number in range(_ROUNDS):
            found, first = len(pool), []
            for sentence in range(len(rows)):
                candidates = search(weights, sentence, _N_BEST)
                first.append(candidates[0].text if candidates else "")
                pool.update(((sentence, each.text, each.features), None) for each in candidates)
            bleu = float(bleu_of_each(bleu_counts(first, references, tokeniser).sum(axis=0).astype(float)))
            on_round(number, bleu)
            if best.dev_bleu is None or bleu > best.dev_bleu:
                best = replace(system, weights=weights, dev_bleu=bleu, dev_sentences=len(rows))
            if len(pool) == found:
                break
            numbers, texts, features = zip(*sorted(pool, key=lambda each: each[0]), strict=True)
            lists = Candidates(sentences=np.array(numbers), texts=texts, names=FEATURES, features=np.array(features))
            lists = lists.without("jumps")  # hardly different without any jump
            lists = lists.completed(len(references))
            tuned = tune(lists, candidate_counts(lists, [references], tokeniser)).weights
            scaled = dict(zip(lists.names, (tuned / np.abs(tuned).mean()).tolist(), strict=True)) | {"jumps": 1.0}
            weights = tuple(scaled[name] if name in _FREE else max(scaled[name], 0.01) for name in FEATURES)
    write_json(folder / _SETTINGS, asdict(best))
    return best
