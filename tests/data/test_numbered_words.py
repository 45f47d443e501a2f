"""Words that links number are cut at spaces and tabs of ASCII, in every reader; what a model reads stays as it was."""

import ast
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.aligners.pairs import RunAligner
from nmt.cli import main
from nmt.data.text import Tokenizer, word_spans
from nmt.results.links import numbered_words

ODD = ("\u00a0", "\u3000", "\u0085", "\u2003", "\u202f", "\u2028", "\x1c", "\x0b")
PACKAGE = Path(nmt.__file__).parent
READERS = ("data", "inference", "aligners", "evaluation", "inspection", "serve", "cli", "alignments")
ELSEWHERE = {
    "data/corpora/gold.py": 3,  # published sets, built once
    "data/corpora/laws.py": 1,
    "data/corpora/parallel.py": 2,
    "data/corpora/get.py": 1,
    "data/japanese.py": 1,  # a list of words of our own
    "data/line_words.py": 3,  # what a length is counted in, as sacreBLEU's TER counts it
    "data/phrase_table.py": 3,  # scores, and words that only the model reads
    "data/selection.py": 1,  # words of the tokeniser
    "data/sentences.py": 2,  # white space of a text that is cut into sentences
    "data/text.py": 1,  # the Moses tokeniser itself
    "evaluation/metrics.py": 1,  # sacreBLEU's own cuts
    "evaluation/rescoring.py": 1,  # values of features
    "evaluation/sufficient_statistics.py": 6,  # sacreBLEU's own cuts
    "inference/text_codec.py": 1,  # what the model reads of a word
}
"""How often a line may be split at any white space, and why: none of these numbers words."""


def unnumbered(path: Path) -> int:
    """How often a module splits at any white space: ``.split()`` and ``str.split`` without a separator."""
    found = 0
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            found += not node.args and not node.keywords
        found += isinstance(node, ast.Attribute) and ast.unparse(node) == "str.split"
    return found


def test_no_reader_that_numbers_words_cuts_at_other_white_space() -> None:
    paths = [path for folder in READERS for path in sorted((PACKAGE / folder).rglob("*.py"))]
    found = {path.relative_to(PACKAGE).as_posix(): unnumbered(path) for path in paths}
    assert {name: count for name, count in found.items() if count > ELSEWHERE.get(name, 0)} == {}


@pytest.mark.parametrize("space", ODD)
def test_other_white_space_is_part_of_a_word(space: str) -> None:
    assert numbered_words(f" 10{space}000  euros\t{space} ! ") == [f"10{space}000", "euros", space, "!"]
    line = f"it costs 10{space}000 euros."
    assert Tokenizer("en").line_words(line) == ["it", "costs", f"10{space}000", "euros."]
    tokens = Tokenizer("en").tokenize(line)
    assert tokens == ["it", "costs", "10", "000", "euros", "."]  # as the models were trained
    assert word_spans(line, tokens) == [0, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("space", ODD)
@pytest.mark.parametrize("pretokenised", [False, True])
def test_links_and_maps_number_the_same_words(random_runs: Path, space: str, pretokenised: bool) -> None:
    """The weights are those of the line with spaces: only the numbers of the words change."""
    model = nmt.load(random_runs / "search-words")
    odd, plain = f"the girl{space}reads the cat", "the girl reads the cat"
    aligner = RunAligner.usual(model, "attention", stand_in=False)
    one, other = (aligner.align(line, "la fille lit", pretokenised=pretokenised) for line in (odd, plain))
    assert one.source == ("the", f"girl{space}reads", "the", "cat")
    assert other.source == ("the", "girl", "reads", "the", "cat")
    merged = other.alignment.weights
    merged = np.column_stack([merged[:, 0], merged[:, 1] + merged[:, 2], merged[:, 3:]])
    assert one.alignment.weights == pytest.approx(merged, abs=1e-6)
    assert model.translate(odd).text == model.translate(plain).text


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u0085"])
def test_aer_counts_the_words_of_gold_links(
    random_runs: Path, tmp_path: Path, space: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last of four words is 3; a link to a fifth is refused."""
    (tmp_path / "source").write_text(f"the girl{space}reads the cat\n", "utf-8")
    (tmp_path / "target").write_text("la fille lit\n", "utf-8")
    texts = ["--source", str(tmp_path / "source"), "--target", str(tmp_path / "target")]
    for links, status in (("0-0 3-2", 0), ("4-2", 2)):
        (tmp_path / "gold").write_text(f"{links}\n", "utf-8")
        assert main(["aer", str(random_runs / "search-words"), *texts, "--gold", str(tmp_path / "gold")]) == status
        assert main(["aer", "--links", str(tmp_path / "gold"), *texts, "--gold", str(tmp_path / "gold")]) == status
    assert "4-2" in capsys.readouterr().err
