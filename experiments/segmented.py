"""The segmented RNNencdec, another cure for long sentences than attention: the source is cut into segments that the
model translates with confidence, and their translations are put together in order.

    python -m experiments segmented checkpoints/rnnencdec-50 < sentences.en > translations.fr
    python -m experiments segmented checkpoints/rnnencdec-50 test.en --concatenate --cuts cuts.jsonl > translations.fr

Source: Pouget-Abadie, Bahdanau, van Merrienboer, Cho and Bengio 2014, "Overcoming the Curse of Sentence Length for
Neural Machine Translation using Automatic Segmentation". There the confidence of the segment from word i to word j is

    c_ij = max_k (log p(f_k | e_ij) + log q(e_ij | f_k)) / |log(j - i + 1)|

over the best translations f_k of a beam search, with p of the RNNencdec and q of one in the other direction, and
dynamic programming finds the segmentation with the largest sum of confidences. Here

    c_ij = log p(f | e_ij) / |log(j - i + 1)|

with the f that a narrow search finds: there is no RNNencdec in the other direction, so the forward model decides alone.
A word alone has -inf, so it is a segment only if it is the whole sentence. Segments have at most ``MOST_WORDS`` words.
Capitals and full stops stay as the model writes them, as in the paper. The words of the source are those of its
tokeniser, so every cut is between two words, and the target words are detokenised once.

With --cuts FILE each line's segments are written as JSON, in order: [number of source words, of target words] each;
with --segments FILE both texts with their cuts, as `evaluate --segments` takes them.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from nmt.cli.options import Commands, add_number, whole
from nmt.config import MOST_BEAM
from nmt.data.corpus import read_lines
from nmt.evaluation.concatenation import concatenated_set
from nmt.evaluation.test_set import TestSet
from nmt.files import write_text
from nmt.inference.text_search import EncodedSentence
from nmt.inference.translator import Translator, load
from nmt.results import Translation

MOST_WORDS = 12
"""Of a segment: on concatenated captions of the dev set BLEU rises up to it, and no longer at 15."""
FINAL_BEAM = 12
"""Of the search that translates the segments that were chosen, as in the evaluations of the released runs."""

Words = tuple[str, ...]


def confidence(log_probability: float, words: int) -> float:
    """c of a segment of so many words, whose best translation has this log-probability in nats.

    >>> round(confidence(-6, 20), 2), confidence(-0.1, 1)
    (-2.0, -inf)
    """
    return log_probability / math.log(words) if words > 1 else -math.inf


def best_segmentation(confidences: Mapping[tuple[int, int], float], words: int) -> list[tuple[int, int]]:
    """The segments (start, end) that cover all words in order with the largest sum of confidences, by dynamic
    programming. Of equal sums the one whose last segment is the longest counts. ``confidences``: of the segments that
    are allowed, which must allow at least one segmentation.

    >>> best_segmentation({(0, 2): -1.0, (2, 4): -1.5, (0, 4): -3.0, (0, 3): -0.5}, 4)
    [(0, 2), (2, 4)]
    """
    best: dict[int, tuple[float, list[tuple[int, int]]]] = {0: (0.0, [])}
    for end in range(1, words + 1):
        reached = [
            (best[start][0] + confidences[start, end], -start, start)
            for start in range(end)
            if start in best and (start, end) in confidences
        ]
        if reached:
            total, _, start = max(reached)
            best[end] = total, [*best[start][1], (start, end)]
    return best[words][1]


def spans(words: int, most: int) -> Iterator[tuple[int, int]]:
    """All segments (start, end) of up to ``most`` words.

    >>> list(spans(3, 2))
    [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    """
    return ((start, end) for start in range(words) for end in range(start + 1, min(start + most, words) + 1))


def translated(model: Translator, segments: Iterable[Words], beam: int) -> Iterator[Translation]:
    """Translate segments, in order, in batches of similar length."""
    sentences = (EncodedSentence(" ".join(words), model.source.vocabulary.encode(list(words))) for words in segments)
    found = model.search(model.search_settings.changed(beam=beam, n_best=1), alpha=False).stream(sentences)
    for number, translation in enumerate(found, 1):
        yield translation
        if not number % 10_000:
            print(f"{number:,} segments", file=sys.stderr, flush=True)


def log_probabilities(model: Translator, segments: Iterable[Words], beam: int) -> dict[Words, float]:
    """log p of the best translation found of each distinct segment; a segment of one word needs none."""
    distinct = sorted({segment for segment in segments if len(segment) > 1})
    found = (each.hypotheses[0].log_probability for each in translated(model, distinct, beam))
    return dict(zip(distinct, found, strict=True))


def segmented(lines: Sequence[Words], log_p: Mapping[Words, float], most: int) -> list[list[Words]]:
    """Cut each line into its best segments of up to ``most`` words."""
    cut = []
    for words in lines:
        confidences = {
            (start, end): confidence(log_p.get(words[start:end], -math.inf), end - start)
            for start, end in spans(len(words), most)
        }
        cut.append([words[start:end] for start, end in best_segmentation(confidences, len(words))])
    return cut


def target_words(model: Translator, segments: Iterable[Words], beam: int) -> dict[Words, list[str]]:
    """The words of the best translation of each distinct segment."""
    distinct = sorted(set(segments))
    found = {}
    for segment, translation in zip(distinct, translated(model, distinct, beam), strict=True):
        encoded = translation.hypotheses[0].encoded
        assert encoded is not None, "it comes from a search"
        found[segment] = model.target.vocabulary.words(encoded.ids)
    return found


def with_cuts(text: str, segments: Sequence[Sequence[str]]) -> str:
    """The text with a bar at each cut; ``segments``: their words, which have the characters of the text. A bar of the
    text itself becomes a broken one.

    >>> with_cuts("A cat sleeps.", [["A", "cat"], ["sleeps", "."]]), with_cuts("l'eau", [["l'"], [], ["eau"]])
    ('A cat | sleeps.', "l' |  | eau")
    """
    places = [place for place, character in enumerate(text) if not character.isspace()]
    ends = accumulate(sum(map(len, segment)) for segment in segments[:-1])
    starts = [0, *([*places, len(text)][min(end, len(places))] for end in ends), len(text)]
    return " | ".join(text[start:end].strip().replace("|", "¦") for start, end in pairwise(starts))


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "segmented",
        description="Cut each sentence where an RNNencdec is confident, and translate the parts in order.",
    )
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="a run folder")
    parser.add_argument("sentences", nargs="?", metavar="SENTENCES", help="one per line (default: standard input)")
    add_number(parser, "--most-words", whole(3, 1000), "most words of a segment", default=MOST_WORDS)
    add_number(parser, "--beam", whole(1, MOST_BEAM), "beam of the search for confidences", default=1)
    parser.add_argument("--concatenate", action="store_true", help="join the lines as `evaluate --concatenate` does")
    parser.add_argument("--cuts", metavar="FILE", type=Path, help="also write the segments of each line, in numbers")
    parser.add_argument("--segments", metavar="FILE", type=Path, help="also write them as texts")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    model = load(options.run_folder, precision="fp32")
    if options.sentences is None:
        texts = sys.stdin.read().split("\n")
        texts = texts[:-1] if not texts[-1] else texts
    else:
        texts = [line.text or "" for line in read_lines(Path(options.sentences))]
    if options.concatenate:
        test = TestSet(name=None, sources=texts, references=texts, languages=model.languages)
        texts = list(concatenated_set(test).sources)
    lines = [tuple(model.source.tokenizer.tokenize(text)) for text in texts]
    log_p = log_probabilities(
        model, (line[i:j] for line in lines for i, j in spans(len(line), options.most_words)), options.beam
    )
    cut = segmented(lines, log_p, options.most_words)
    found = target_words(model, (segment for line in cut for segment in line), FINAL_BEAM)
    written = [model.target.tokenizer.detokenize([word for each in line for word in found[each]]) for line in cut]
    for translation in written:
        print(translation)
    if options.segments is not None:
        marked = (
            f"{with_cuts(text, line)} ||| {with_cuts(translation, [found[segment] for segment in line])}\n"
            for text, line, translation in zip(texts, cut, written, strict=True)
        )
        write_text(options.segments, "".join(marked))
    if options.cuts is not None:
        counts = [[[len(segment), len(found[segment])] for segment in line] for line in cut]
        write_text(options.cuts, "".join(f"{json.dumps(line)}\n" for line in counts))
