"""The three files of SoftAlignments, written here as it writes them, and what can be wrong with them."""

import numpy as np
import pytest

from nmt.alignments.formats import read as read_any
from nmt.alignments.formats.soft_alignments import read
from nmt.errors import InputError
from nmt.results import END, Alignment
from tests.alignments.examples import assert_same, random_alignment


def files_of(alignments: list[Alignment]) -> list[str]:
    """Source positions outside, target positions inside, a comma behind every entry; the end mark as <EOS>."""
    ali, src, trg = "var alignments = [\n", "var sources = [\n", "var targets = [\n"
    for one in alignments:
        ali += "["
        for j in range(len(one.source)):
            for i in range(len(one.target)):
                ali += f"[{j}, {float(one.weights[i, j])!r}, {i}], "
        ali += "], \n"
        src += '["' + '", "'.join(one.source).replace(END, "<EOS>") + '"], \n'
        trg += '["' + '", "'.join(one.target).replace(END, "<EOS>") + '"], \n'
    return [ali + "\n]", src + "]", trg + "]"]


@pytest.mark.parametrize("separator", ["", "\n", ";\n", "\ufeff"])
def test_the_three_files_in_any_order(separator: str) -> None:
    alignments = [random_alignment(seed, end=seed % 2 == 0) for seed in range(6)]
    files = files_of(alignments)
    more = "var confidences = [\n[99.8, 6.1, 1.2, 0.05, 10.0, 40, 12.5], \n]"
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        text = separator.join([*(files[k] for k in order), more])
        for found in (read(text), read_any(text.encode()).alignments):
            assert len(found) == len(alignments)
            for one, expected in zip(found, alignments, strict=True):
                assert_same(one, expected)


def test_words_are_read_as_they_stand_in_the_file() -> None:
    words = ("&quot;", "&apos;", "], ]", ",]", "var sources = [", "<img onerror=1>", "$x$", "한국어", END)
    alignment = Alignment(source=words, target=words, weights=np.eye(len(words)))
    (found,) = read("".join(files_of([alignment])))
    assert_same(found, alignment)
    (found,) = read('var sources=[["a\\"b\\u003c\\\\"]]; var targets=[["x"]]; var alignments=[[[0,1,0]]];')
    assert found.source == ('a"b<\\',)


def test_pairs_that_are_not_named_have_no_weight() -> None:
    (found,) = read('var sources = [["a", "b"]]\nvar targets = [["x"]]\nvar alignments = [[[1, 1, 0]]]')
    assert found.weights.tolist() == [[0, 1]]


def files(ali: str = "[[[0, 1, 0]]]", src: str = '[["a"]]', trg: str = '[["x"]]') -> str:
    return f"var alignments = {ali}\nvar sources = {src}\nvar targets = {trg}"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("var alignments = [[[0, 1, 0]]]\nvar targets = [[]]", r"^the file \.src\.js "),
        ("alert(1)", r"'alert\(1\)'.* var NAME = "),
        (files() + "\nalert(1)", r"'alert\(1\)'.* var NAME = "),
        (files(ali="[[[0, 1, 0]"), "variable alignments "),
        (files(src='[["a]]'), "variable sources "),
        (files(ali="[" * 100_000), "variable alignments "),
        (files(ali="[[], []]"), "2 alignments, 1 source and 1 target"),
        (files(ali="[]", src="[]", trg="[]"), "^the file .*alignment"),
        (files(ali="7"), "alignments, sources and targets .* list"),
        (files(ali="[7]"), "sentence 1.*alignment .* list"),
        (files(ali="[[[0, 1]]]"), r"sentence 1.*\[0, 1\].*\[source, weight, target\]"),
        (files(ali='[[[0, "1", 0]]]'), r"sentence 1.*\[0, '1', 0\].*\[source, weight, target\]"),
        (files(ali="[[[0, true, 0]]]"), r"sentence 1.*\[0, True, 0\].*\[source, weight, target\]"),
        (files(ali="[[[1, 1, 0]]]"), r"sentence 1.*\[1, 1, 0\].* 1 source and 1 target"),
        (files(ali="[[[0, 1, -1]]]"), r"sentence 1.*\[0, 1, -1\].* 1 source and 1 target"),
        (files(ali="[[[0, 1, 0.5]]]"), r"sentence 1.*\[0, 1, 0\.5\].* 1 source and 1 target"),
        (files(ali="[[[0, NaN, 0]]]"), "sentence 1.*nan"),
        (files(ali=f"[[[0, 1{'0' * 400}, 0]]]"), "sentence 1.* large"),
        (files(ali="[[[0, -1, 0]]]"), "sentence 1, row 1.*-1"),
        (files(ali="[[[0, 0.5, 0]]]"), r"sentence 1, row 1.* 0\.5\b.* 1$"),
        (files(src='["a"]'), "sentence 1.*words.* strings"),
        (files(src='[["\\ud800"]]'), "surrogate"),
        (
            files(
                ali=f"[{'[],' * 4}[]]",
                src=f"[{','.join([str(['w'] * 1500)] * 5)}]".replace("'", '"'),
                trg=f"[{','.join([str(['w'] * 1500)] * 5)}]".replace("'", '"'),
            ),
            "4,000,000",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(text)
