"""Files of other programs, written here as those programs print them: each is read as what it is, or refused."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from nmt.alignments.formats import READERS, checks, read, recognised
from nmt.alignments.formats.checks import Content, Given, LackingError
from nmt.errors import InputError
from nmt.results import END, Alignment
from nmt.results.links import Gold
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
    "Marian soft, no text": Sample("".join(f"{soft(one)}\n" for one in ENDS), "translations", BOTH, expected(ENDS)),
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
    **{
        f"words as {source}, {target}": Sample(
            lines_of_json(
                [{source: pair[0], target: pair[1], name: one.tolist()} for pair, one in zip(PAIRS, NONE, strict=True)]
            ),
            "json",
            Given(),
            expected(NONE),
        )
        for source, target, name in (
            ("tokens_src", "tokens_tgt", "cross_attentions"),
            ("src_tokens", "tgt_tokens", "attention"),
            ("source_tokens", "target_tokens", "weights"),
            ("encoder_tokens", "decoder_tokens", "cross_attention"),
        )
    },
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


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.given.source])
def test_what_a_file_lacks_is_asked_for(name: str) -> None:
    """By each reader; a file of words of other sentences, or of fewer, is refused. Links need no words."""
    sample = SAMPLES[name]
    if sample.format not in ("pharaoh", "naacl"):
        with pytest.raises(LackingError, match=r"(source|target) words: give a file"):
            read(sample.text, given=Given(part=sample.given.part))
    for given in (replace(sample.given, source=SOURCES[:2]), replace(sample.given, source=(*SOURCES, "x"))):
        if sample.format in ("pharaoh", "naacl"):
            given = replace(given, target=TARGETS)
        with pytest.raises(InputError, match=r"\d alignments, but \d lines of"):
            read(sample.text, given=given)


@pytest.mark.parametrize("text", ["0.5,0.5\n0.25,0.75\n", "0,8\t0,1\n0,2\t0,9\n", "0.5,0.5 1\n", "0.5,0.2 0.5,0.1\n"])
def test_other_numbers_are_not_soft_alignments_without_a_text(text: str) -> None:
    """A row in each line, decimal commas, rows of different lengths, rows that do not sum to 1."""
    assert recognised(text) != "translations"
    with pytest.raises(InputError):
        read(text, given=Given(source=["a b"] * text.count("\n"), target=["c d"] * text.count("\n")))


def test_words_may_be_the_subwords_of_a_text() -> None:
    """The text of Marian and fairseq may be joined, and the weights are of its pieces."""
    source, target = ("▁Old ▁bo ats",), ("▁Les ▁barqu es",)
    row = soft(np.full((4, 4), 0.25))
    (found,) = read(f"Les barques ||| {row}\n", given=Given(source=source, target=target)).alignments
    assert (found.source, found.target) == ((*source[0].split(), END), (*target[0].split(), END))
    (found,) = read(f"H-0\t-1\tLes barques\nA-0\t{row}\n", given=Given(source=source, target=target)).alignments
    assert found.target == (*target[0].split(), END)
    with pytest.raises(InputError, match="sentence 1: the words that are given are not those of the file"):
        read(f"Les barques ||| {row}\n", given=Given(source=source, target=("▁Les ▁bar ▁fermés",)))


REMARK = "# Sentence pair (1) source length"
LINE = "Les barques rentrent ||| "
S = "Old boats row home"


@pytest.mark.parametrize(
    ("text", "given", "named"),
    [
        (LINE + "0-0 1-1 4-2\n", Given(source=(S,)), "source word 5 and target word 3.* 4 and 3 words"),
        (LINE + "0-0 1-1 5-2 4-3\n", Given(source=(S,)), "source word 6 and target word 3.* 4 and 3 words"),
        (LINE + "0-0 1-1 2-2 3-3 3-4\n", Given(source=(S,)), "links for 5 target tokens, but 3 target words"),
        (LINE + "0-0 1-1\n", Given(source=(S,)), "links for 2 target tokens, but 3 target words"),
        (LINE + "0-0 3-0 0-9\n", Given(source=(S,)), "target word 10"),
        (LINE + "0.5,0.5 1,0\n", Given(source=(S,)), r"2 rows of weights, but 3 target words \(4 "),
        (LINE + "0.5,0.5 1,0 1,0\n", Given(source=(S,)), r"2 weights in its first row, but 4 source words \(5 "),
        (LINE + "0.5,0.2,0,0 1,0,0,0 1,0,0,0\n", Given(source=(S,)), r"row 1 sums to 0\.7"),
        (LINE + "1,0,0,0 1,0 1,0,0,0\n", Given(source=(S,)), "row 2 has 2 weights"),
        (LINE + "1,0 1,0\n\n" + LINE + "1,0 1,0\n", Given(source=("a",) * 3), "line 2 does not have the form"),
        (
            "x ||| 1,0 0,1\ny ||| 1\n",
            Given(source=("a", "b")),
            "sentence 2 has 0 more weights than source words and 0 more rows.* others have 1 and 1",
        ),
        ("0 ||| x ||| 0-0 ||| F0= 1 ||| 2\nx ||| 0-0\n", Given(source=("a", "b")), "line 2 does not have the form"),
        ("S-0\ta\nH-0\t-1\tx\n", Given(), "no alignments.* --print-alignment"),
        ("S-0\ta\nH-0\t-1\tx\nA-0\t0 1\n", Given(), "sentence 1: '0 1' is not what --print-alignment"),
        ("S-0\ta\nH-0\t-1\tx\nP-0\t-1 -1 -1\nA-0\t0-0 0-1\n", Given(), "scores for 2 tokens, but 1 target words"),
        ("S-0\ta b\nH-0\t-1\tx\nA-0\t0.5,0.5\n", Given(), "sentence 1 has 0 more weights.* others have 1 and 1"),
        ("S-0\ta b\nH-0\t-1\tx\nA-0\t2-0\n", Given(), "source word 3"),
        ("S-0\ta b\nH-0\t-1\tx\nA-0\t0-0\n", Given(source=("c d",)), "the words that are given are not those"),
        (giza(HARD).replace("source length 5", "source length 6"), Given(), "line 1 counts other words"),
        (giza(HARD).replace(" bridge (", " bridge pont ("), Given(), "line 1 counts other words"),
        (
            f"{REMARK} 1 target length 1 alignment score : 1\nx\nNULL ({{ }}) a ({{ 2 }})\n",
            Given(),
            "source word 1 and target word 2",
        ),
        (giza(HARD).replace("pair (2)", "pair (1)"), Given(), "line 4 has the number of another"),
        (giza(HARD).replace("# Sentence pair (2)", "# pair 2"), Given(), "line 4 should begin"),
        ("1 1 1 S\n1 2 2 X\n", Given(), "line 2: '1 2 2 X' is not"),
        ("1 1 1 S\n1 0 2\n", Given(), "line 2: '1 0 2' is not"),
        ("1 1 1 S\n1 3 2\n", Given(source=("a b",), target=("x y",)), "source word 3 and target word 2"),
        ("0\t0-0\n2\t0-0\n", Given(), "not numbered one after the other"),
        ("0-0 2-1\n", Given(source=("a b",), target=("x y",)), "source word 3"),
        ("1-1\n1-0\n", Given(base=1), "line 2: 1-0 has the number 0, .* from 1$"),
        (json.dumps({"hypotheses": [["x"]], "attention": None}), Given(source=("a",)), "no weights .target..source."),
        (json.dumps([[[0.5, 0.5]]]), BOTH, "no weights .target..source."),
        (json.dumps([[[[1.0], [1.0, 0.0]]]]), BOTH, "1 alignments, but 3 lines"),
        (
            json.dumps([[[[1.0], [1.0, 0.0]]]]),
            Given(source=("a",), target=("x",)),
            "layers, heads and rows are not all",
        ),
        (json.dumps(HEADS[0].tolist()), Given(source=SOURCES[:1], target=TARGETS[:1], part="2"), "2 layers of 3 heads"),
        (json.dumps(HEADS[0].tolist()), Given(source=SOURCES[:1], target=TARGETS[:1], part="x"), "no part x"),
        (json.dumps(HEADS[0].tolist()), Given(source=SOURCES[:1], target=TARGETS[:1], part="0.0.0"), "no part"),
        (
            json.dumps({"inter": [[0, 0]], "fwd": [[0, 0]]}),
            Given(source=("a",), target=("x",)),
            "by inter, fwd: choose",
        ),
        (json.dumps({"inter": [[-1, 0]]}), Given(source=("a",), target=("x",)), "negative"),
        (json.dumps({"inter": [[1, 0]]}), Given(source=("a",), target=("x",)), "source word 2"),
        (lines_of_json([{"inter": [[0, 0]]}, {}]), Given(source=("a",) * 2, target=("x",) * 2), "sentence 2 has no"),
        (json.dumps({"sequence_attributions": []}), Given(), "JSON of inseq is not read"),
        (
            report_matrix(["a"], ["x"], np.ones((2, 1))),
            Given(source=("b",)),
            "source words that are given are not those",
        ),
        (
            report_matrix(["a"], ["x"], np.ones((2, 1))).replace("a", "a b"),
            Given(),
            "1 weights in its first row, but 2",
        ),
    ],
)
def test_what_does_not_fit_is_refused(text: str, given: Given, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(text, "upload.txt", given)


def test_a_table_cuts_words_which_are_then_asked_for() -> None:
    """OpenNMT prints seven characters of a source word and ten of a target word."""
    source, target, matrix = ["crossing", "it"], ["traverseront", "cela"], np.array([[1, 0], [0.5, 0.5], [0, 1]])
    text = report_matrix(source, target, matrix)
    for given, side in ((Given(), "source"), (Given(source=[" ".join(source)]), "target")):
        with pytest.raises(LackingError, match=f"the {side} words"):
            read(text, given=given)
    (found,) = read(text, given=Given(source=[" ".join(source)], target=[" ".join(target)])).alignments
    assert_same(found, Alignment(source=tuple(source), target=(*target, END), weights=matrix))


def test_a_list_may_leave_sentences_out() -> None:
    """They keep their places: what comes after is not taken for them."""
    given = Given(source=("a", "b", "c d"))
    soft_, hard_ = ("0 ||| x ||| {} ||| F0= 1 ||| 2\n2 ||| y z ||| {} ||| F0= 1 ||| 2\n".format(*each) for each in (
        ("1,0 0,1", "1,0,0 0,1,0 0,0,1"), ("0-0 1-1", "0-0 1-1 2-2"),
    ))  # fmt: skip
    first, blank, last = read(soft_, given=given).alignments
    assert (first.source, blank.source, last.source) == (("a", END), (), ("c", "d", END))
    content = read(hard_, given=given)
    assert [sorted(one.sure) for one in content.links] == [[(0, 0)], [], [(0, 0), (1, 1)]]
    assert content.words == ((("a",), ("x",)), (("b",), ()), (("c", "d"), ("y", "z")))
    rows = read("1 1 1 S\n1 2 2 P\n3 2 1\n").links  # rows of NAACL: S and no mark are sure
    assert [(sorted(one.sure), sorted(one.possible)) for one in rows] == [
        ([(0, 0)], [(0, 0), (1, 1)]), ([], []), ([(1, 0)], [(1, 0)]),
    ]  # fmt: skip


def test_links_of_a_threshold_have_the_end_mark_of_the_whole_file() -> None:
    """Marian's --alignment 0.2 writes no link for some words; the end-of-sentence token is one position further."""
    content = read("x y z ||| 0-0 1-0 2-3\nv w ||| 0-1\n", given=Given(source=("a b", "c")))
    assert [sorted(one.sure) for one in content.links] == [[(0, 0), (1, 0)], [(0, 1)]]


def test_a_possible_link_may_have_a_question_mark() -> None:
    (found,) = read("0-0 1?2 3p3\n").links
    assert found == Gold(frozenset({(0, 0)}), frozenset({(0, 0), (1, 2), (3, 3)}))


def test_the_direction_of_giza_can_be_turned() -> None:
    content = read(giza(HARD), given=Given(direction="target-source"))
    assert [one.sure for one in content.links] == [frozenset((j, i) for i, j in links) for links in LINKS]
    assert content.words[0] == (tuple(PAIRS[0][1]), tuple(PAIRS[0][0]))


def test_the_part_is_named_and_all_parts_are_listed() -> None:
    text = lines_of_json([one.tolist() for one in HEADS])
    content = read(text, given=replace(BOTH, part="0.1"))
    assert (content.part, content.parts) == ("0.1", ("", "0", "0.0", "0.1", "0.2", "1", "1.0", "1.1", "1.2"))
    content = read(SAMPLES["SimAlign, JSON"].text, given=SAMPLES["SimAlign, JSON"].given)
    assert (content.part, content.parts) == ("itermax", ("mwmf", "itermax"))


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"The bridge sings.\nNo, it does not.\n", "no known format; .*JSON.*Pharaoh.*fairseq.*CSV"),
        (b"No, yes\nThe bridge, at dusk\n", "no known format"),
        (b"this is good\nNULL ({ }) das ({ 1 })\n", "no known format"),
        (b"We sleep . ||| Nous dormons .\n", "two texts without alignments"),
        (b"0 ||| Nous dormons ||| F0= -1 ||| -1\n", "an n-best list without alignments"),
        (b"5.000000000000000000e-01 5.000000000000000000e-01\n" * 2, "a matrix without words"),
        (b"0.25,0.75\n1,0\n", "a matrix without words"),
        (b"0,1\n0,1\n", "a matrix without words"),
        (b"0;1\r\n0;1\r\n", "a matrix without words"),
        (b"1 0 0\n0 1 0\n", "a matrix without words"),
        (b"<!DOCTYPE html><p>a, b</p>\n", "SGML, XML or HTML"),
        (b"<s snum=1> a </s>\n", "SGML, XML or HTML"),
        (b"\x89PNG\r\n\x1a\n", "a picture, not text"),
        (b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}", "a NumPy array, not text"),
        (b"PK\x03\x04\x14\x00", "a zip file or a spreadsheet, not text"),
    ],
)
@pytest.mark.parametrize("file", ["upload.txt", "upload.csv"])
def test_what_no_reader_recognises_is_refused(data: bytes, named: str, file: str) -> None:
    with pytest.raises(InputError, match=None if file.endswith("csv") and named.startswith("no known") else named):
        read(data, file)


BARS = "0 ||| le ||| chat ||| 0 ||| the cat ||| 2 2\n0.9 0.1\n0.2 0.8\n"


@pytest.mark.parametrize(
    "text",
    [
        BARS,
        BARS.replace("chat", "5"),
        "0 ||| le chat ||| 0 ||| the ||| cat ||| 2 2\n0.9 0.1\n0.2 0.8\n",
        "0 ||| le ||| 0 ||| 7 ||| 8 ||| 2 2\n1 0\n0 1\n",
        "0 ||| le ||| 3 ||| chat ||| 0 ||| cat ||| 1 1\n1\n",
        "0 ||| ||| ||| 0 ||| the ||| 1 1\n1\n",
    ],
)
def test_bars_in_a_word_of_nematus_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"no known format|n-best"):
        read(text)
    with pytest.raises(InputError, match=r"without \|\|\|"):
        READERS["nematus"].read(text, checks.NOTHING)


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_the_line_of_excel_says_what_separates_cells(separator: str) -> None:
    decimal = "." if separator == "," else ","
    rows = [["x", "a", "b" if separator == "," else "b,c,d"], ["v", f"0{decimal}5", f"0{decimal}5"]]
    text = f"sep={separator}\r\n" + "".join(separator.join(row) + "\r\n" for row in rows)
    for data in (text, f"\ufeff{text}"):
        (found,) = read(data, "x.csv").alignments
        assert (found.source, found.target) == (tuple(rows[0][1:]), ("v",))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_damaged_file_is_no_file_of_another_program(name: str) -> None:
    """Characters dropped, changed and doubled, lines left out: a refusal, or the same format, whose rows sum to 1."""
    sample = SAMPLES[name]
    random = np.random.default_rng(len(name))
    for _ in range(60):
        text = sample.text
        for _ in range(int(random.integers(1, 4))):
            place, length = int(random.integers(0, len(text) + 1)), int(random.integers(1, 12))
            match int(random.integers(0, 4)):
                case 0:
                    text = text[:place] + text[place + length :]
                case 1:
                    text = text[:place] + chr(int(random.integers(32, 127))) + text[place + 1 :]
                case 2:
                    text = text[:place] + text[place : place + length] + text[place:]
                case _:
                    lines = text.split("\n")
                    del lines[int(random.integers(0, len(lines)))]
                    text = "\n".join(lines)
        try:
            content = read(text, "upload.txt", sample.given)
        except InputError:
            continue
        assert recognised(text) == sample.format
        for alignment in content.alignments:
            sums = alignment.weights.sum(axis=1)
            assert (abs(sums - 1) < 0.021)[sums > 0].all()
