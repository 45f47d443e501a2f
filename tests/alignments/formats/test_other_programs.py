"""Files of other programs, written here as those programs print them: each is read as what it is, or refused."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from nmt.alignments.formats import READERS, read, recognised
from nmt.alignments.formats.checks import Content, Given
from nmt.results import END, Alignment
from tests.alignments.examples import assert_same

SOURCES = ("The bridge sings at dusk", "No", "Old boats row home")
TARGETS = ("Le pont chante au soir .", "Non .", "Les barques rentrent")
PAIRS = [(source.split(), target.split()) for source, target in zip(SOURCES, TARGETS, strict=True)]
BOTH = Given(source=SOURCES, target=TARGETS)
SOURCE = Given(source=SOURCES)
Matrix = NDArray[np.float64]


def maps(ends: tuple[bool, bool], seed: int = 0, heads: tuple[int, ...] = ()) -> list[Matrix]:
    """Weights of each pair, [target, source], with a row and a column for the end-of-sentence tokens or without."""
    random = np.random.default_rng(seed)
    shapes = [(len(target) + ends[1], len(source) + ends[0]) for source, target in PAIRS]
    return [random.dirichlet([0.4] * columns, (*heads, rows)) for rows, columns in shapes]


def expected(matrices: Sequence[Matrix]) -> list[Alignment]:
    sides = []
    for (source, target), matrix in zip(PAIRS, matrices, strict=True):
        rows, columns = matrix.shape
        sides.append((tuple([*source, END][:columns]), tuple([*target, END][:rows])))
    return [Alignment(source=s, target=t, weights=matrix) for (s, t), matrix in zip(sides, matrices, strict=True)]


def soft(matrix: Matrix) -> str:
    return " ".join(",".join(f"{weight:.6g}" for weight in row) for row in matrix)


def hard(matrix: Matrix) -> list[tuple[int, int]]:
    return sorted((int(row.argmax()), i) for i, row in enumerate(matrix))


def pharaoh(links: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{i}-{j}" for i, j in links)


def inside(links: Sequence[tuple[int, int]], pair: int) -> frozenset[tuple[int, int]]:
    source, target = PAIRS[pair]
    return frozenset((i, j) for i, j in links if i < len(source) and j < len(target))


def report_matrix(source: Sequence[str], target: Sequence[str], matrix: Matrix, star: str = "*") -> str:
    """As OpenNMT-py formats a table."""
    lines = ["{:>10.10} ".format("") + "".join(f"{word:>10.7} " for word in source)]
    for word, row in zip([*target, END], matrix, strict=True):
        cells = [f"{weight:{star if k == row.argmax() else ' '}>10.7f} " for k, weight in enumerate(row)]
        lines.append(f"{word:>10.10} " + "".join(cells))
    return "\n".join(lines) + "\n"


def giza(links: Sequence[Sequence[tuple[int, int]]]) -> str:
    """As GIZA++ prints a direction: a target word has at most one link."""
    lines = []
    for number, ((source, target), one) in enumerate(zip(PAIRS, links, strict=True), start=1):
        numbers = [[j + 1 for i, j in one if i == k] for k in range(len(source))]
        null = [j + 1 for j in range(len(target)) if j not in {j for _, j in one}]
        fields = [("NULL", null), *zip(source, numbers, strict=True)]
        lines += [
            f"# Sentence pair ({number}) source length {len(source)} target length {len(target)} "
            "alignment score : 1.2e-05",
            " ".join(target) + " ",
            "".join(f"{word} ({{ {''.join(f'{j} ' for j in js)}}}) " for word, js in fields),
        ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Sample:
    """A file, what has to be given beside it, and its content: alignments or links."""

    text: str
    format: str
    given: Given
    alignments: Sequence[Alignment] = ()
    links: Sequence[frozenset[tuple[int, int]]] = ()


def text_lines(fields: Sequence[str], separator: str = " ||| ") -> str:
    return "".join(f"{target}{separator}{field}\n" for target, field in zip(TARGETS, fields, strict=True))


ENDS, NONE, SOURCE_END = maps((True, True)), maps((False, False)), maps((True, False))
HARD_ENDS, HARD = [hard(one) for one in ENDS], [hard(one) for one in NONE]
LINKS = [inside(links, k) for k, links in enumerate(HARD)]
LINKS_OF_ENDS = [inside(links, k) for k, links in enumerate(HARD_ENDS)]
HEADS = maps((True, True), heads=(2, 3))


def n_best(fields: Sequence[str], more: str = "") -> str:
    """As Marian: the second hypothesis of each sentence is not to be read."""
    lines = []
    for number, (target, field) in enumerate(zip(TARGETS, fields, strict=True)):
        lines.append(f"{number} ||| {target} ||| {field}{more} ||| F0= -1.25 F1= 0.5 ||| -0.3125")
        lines.append(f"{number} ||| other ||| {field.split(' ')[0]}{more} ||| F0= -9 F1= 0.5 ||| -1e-05")
    return "\n".join(lines) + "\n"


def fairseq(fields: Sequence[str], *, words: bool = True) -> str:
    """Not in the order of the sentences, and with lines of the log."""
    lines = ["2021-03-01 12:00:00 | INFO | fairseq_cli.generate | loading model(s)"]
    for k in (2, 0, 1):
        if words:
            scores = " ".join(["-0.1234"] * (len(PAIRS[k][1]) + 1))
            lines += [f"S-{k}\t{SOURCES[k]}", f"T-{k}\treference", f"H-{k}\t-0.31\t{TARGETS[k]}"]
            lines += [f"D-{k}\t-0.31\t{TARGETS[k]}", f"P-{k}\t{scores}"]
        lines.append(f"A-{k}\t{fields[k]}")
        if words:
            lines += [f"H-{k}\t-0.5\tother", f"A-{k}\t0-0"]
    return "\n".join([*lines, "Generate test with beam=5: BLEU4 = 30.1"]) + "\n"


def lines_of_json(values: Sequence[object]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def methods(links: Sequence[Sequence[tuple[int, int]]]) -> list[dict[str, object]]:
    return [{"mwmf": [[0, 0]], "itermax": [list(link) for link in one]} for one in links]


SAMPLES: dict[str, Sample] = {
    "Marian soft": Sample(text_lines([soft(one) for one in ENDS]), "translations", SOURCE, expected(ENDS)),
    "Marian soft, word scores": Sample(
        text_lines([f"{soft(one)} ||| WordScores= -0.1 -0.2" for one in ENDS]), "translations", SOURCE, expected(ENDS)
    ),
    "Marian hard": Sample(text_lines([pharaoh(one) for one in HARD_ENDS]), "translations", SOURCE, (), LINKS_OF_ENDS),
    "Marian n-best soft": Sample(n_best([soft(one) for one in ENDS]), "translations", SOURCE, expected(ENDS)),
    "Marian n-best hard": Sample(
        n_best([pharaoh(one) for one in HARD_ENDS], " ||| WordScores= -0.1"), "translations", SOURCE, (), LINKS_OF_ENDS
    ),
    "fairseq soft": Sample(fairseq([soft(one) for one in ENDS]), "fairseq", Given(), expected(ENDS)),
    "fairseq hard": Sample(fairseq([pharaoh(one) for one in HARD]), "fairseq", Given(), (), LINKS),
    "fairseq, lines A alone": Sample(fairseq([pharaoh(one) for one in HARD], words=False), "fairseq", BOTH, (), LINKS),
    "OpenNMT report_align": Sample(text_lines([pharaoh(one) for one in HARD]), "translations", SOURCE, (), LINKS),
    "OpenNMT report_align, scores": Sample(
        text_lines([f"{pharaoh(one)} ||| 0-0.98765 1-1.00000" for one in HARD]), "translations", SOURCE, (), LINKS
    ),
    "Sockeye, links": Sample(text_lines([pharaoh(one) for one in HARD], "\t"), "translations", SOURCE, (), LINKS),
    "Moses n-best": Sample(
        "".join(
            f"{k} ||| {TARGETS[k]}  ||| LM0= -20.5 WordPenalty0= -3 ||| -3.5 ||| {pharaoh(one)}\n"
            for k, one in enumerate(HARD)
        ),
        "translations",
        SOURCE,
        (),
        LINKS,
    ),
    "Sockeye, matrix": Sample(
        "".join(
            f"{k} ||| {TARGETS[k]} ||| -0.5 ||| {SOURCES[k]} ||| {len(PAIRS[k][0])} ||| {len(PAIRS[k][1])}\n"
            + "".join(" ".join(f"{weight:f}" for weight in row) + "\n" for row in one.T)
            + "\n"
            for k, one in enumerate(NONE)
        ),
        "nematus",
        Given(),
        expected(NONE),
    ),
    "GIZA++": Sample(giza(HARD), "giza", Given(), (), LINKS),
    "CTranslate2": Sample(
        lines_of_json(
            [
                {"hypotheses": [target, ["x"]], "scores": [-0.5, -1], "attention": [one.tolist(), [[1.0]]]}
                for (_, target), one in zip(PAIRS, SOURCE_END, strict=True)
            ]
        ),
        "json",
        SOURCE,
        expected(SOURCE_END),
    ),
    "source, target, attention": Sample(
        json.dumps(
            [
                {"source": source, "target": target, "attention": one.tolist()}
                for (source, target), one in zip(PAIRS, NONE, strict=True)
            ]
        ),
        "json",
        Given(),
        expected(NONE),
    ),
    "Sockeye JSON, matrix": Sample(
        lines_of_json(
            [
                {"sentence_id": k, "translation": TARGETS[k], "score": 0.3, "alignments": one.tolist()}
                for k, one in enumerate(NONE)
            ]
        ),
        "json",
        SOURCE,
        expected(NONE),
    ),
    "Sockeye JSON, n-best": Sample(
        lines_of_json(
            [
                {
                    "translation": TARGETS[k],
                    "translations": [TARGETS[k], "x"],
                    "alignments": [[*map(list, one)], [[0, 0]]],
                }
                for k, one in enumerate(HARD)
            ]
        ),
        "json",
        SOURCE,
        (),
        LINKS,
    ),
    "Hugging Face": Sample(
        lines_of_json([one.tolist() for one in HEADS]), "json", BOTH, expected([one.mean(axis=(0, 1)) for one in HEADS])
    ),
    "Hugging Face, a layer": Sample(
        lines_of_json([one.tolist() for one in HEADS]),
        "json",
        replace(BOTH, part="1"),
        expected([one[1].mean(axis=0) for one in HEADS]),
    ),
    "Hugging Face, a head": Sample(
        lines_of_json(
            [
                {"source": [*source, END], "target": [*target, END], "cross_attentions": one.tolist()}
                for (source, target), one in zip(PAIRS, HEADS, strict=True)
            ]
        ),
        "json",
        Given(part="1.2"),
        expected([one[1, 2] for one in HEADS]),
    ),
    "SimAlign, JSON": Sample(lines_of_json(methods(HARD)), "json", replace(BOTH, part="itermax"), (), LINKS),
    "SimAlign, JSON with words": Sample(
        lines_of_json(
            [
                {"src": SOURCES[k], "tgt": TARGETS[k], "alignments": {"inter": [[i, j] for i, j in one]}}
                for k, one in enumerate(HARD)
            ]
        ),
        "json",
        Given(),
        (),
        LINKS,
    ),
    "SimAlign, a file": Sample(
        "".join(f"{k}\t{pharaoh(one)}\n" for k, one in enumerate(HARD)), "numbered", Given(), (), LINKS
    ),
    "awesome-align": Sample("".join(f"{pharaoh(one)}\n" for one in HARD), "pharaoh", BOTH, (), LINKS),
    "NAACL": Sample(
        "".join(f"{k + 1:04} {i + 1} {j + 1} S\n" for k, one in enumerate(HARD) for i, j in one),
        "naacl",
        BOTH,
        (),
        LINKS,
    ),
    "OpenNMT attn_debug": Sample(
        "\nSENT 1: ['The', 'bridge']\nPRED 1: Le pont\n"
        + "".join(report_matrix(*pair, one) for pair, one in zip(PAIRS, maps((False, True)), strict=True)),
        "table",
        Given(),
        expected(maps((False, True))),
    ),
    "eole attn_debug": Sample(
        "[2025-01-01 10:00:00,000 INFO] "
        + "".join(report_matrix(*pair, one, star=" ") for pair, one in zip(PAIRS, maps((False, True)), strict=True)),
        "table",
        Given(),
        expected(maps((False, True))),
    ),
}
LONG_WORDS = {"eole attn_debug": TARGETS, "OpenNMT attn_debug": TARGETS}


def assert_content(content: Content, sample: Sample) -> None:
    assert len(content.alignments) == len(sample.alignments)
    for found, one in zip(content.alignments, sample.alignments, strict=True):
        assert_same(found, one, tolerance=2e-6)
    assert [gold.sure for gold in content.links] == [*sample.links]
    assert all(gold.sure == gold.possible for gold in content.links)
    if sample.links and (sample.given.source or content.words):
        assert [(list(s), list(t)) for s, t in content.words] == PAIRS


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_is_read_as_its_program_meant_it(name: str, end: str) -> None:
    sample = SAMPLES[name]
    assert recognised(sample.text) == sample.format
    assert_content(read(sample.text.replace("\n", end).encode(), "upload.txt", sample.given), sample)
    assert_content(read(f"\ufeff{sample.text}".encode(), "wrong-suffix.csv", sample.given), sample)


@pytest.mark.parametrize("name", SAMPLES)
def test_no_file_is_in_two_formats(name: str) -> None:
    lines = [line for line in SAMPLES[name].text.split("\n") if line.strip()][:50]
    assert [format_ for format_, reader in READERS.items() if reader.recognise(lines)] == [SAMPLES[name].format]
