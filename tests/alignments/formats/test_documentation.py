"""The examples of docs/alignment-files.md are what is written, and its numbers those that hold."""

import json
from pathlib import Path

import numpy as np
import pytest

from nmt.alignments.formats import FORMATS, checks, file_name, read
from nmt.alignments.policy import Policy
from nmt.results import END, Alignment
from tests.alignments.examples import CHOICES, assert_same

SECTION = (Path(__file__).parents[3] / "docs" / "alignment-files.md").read_text(encoding="utf-8")
EXAMPLE = Alignment(
    source=("We", "sleep", ".", END),
    target=("Nous", "dormons", ".", END),
    weights=np.array([[0.75, 0.125, 0, 0.125], [0.25, 0.75, 0, 0], [0, 0, 0.75, 0.25], [0, 0, 0.25, 0.75]]),
)


def example(title: str) -> str:
    """The lines that are set in below a heading."""
    lines = SECTION.split(f"## {title}\n")[1].split("\n## ")[0].split("\n")
    return "".join(f"{line[4:]}\n" for line in lines if line.startswith("    "))


@pytest.mark.parametrize(
    ("name", "title"), [("csv", "CSV"), ("nematus", "Nematus, SoftAlignments"), ("pharaoh", "Pharaoh")]
)
def test_examples_are_what_is_written(name: str, title: str) -> None:
    written = FORMATS[name].write([EXAMPLE], Policy(), "mine").removeprefix("\ufeff").replace("\r\n", "\n")
    assert example(title).strip() == written.strip()


def test_the_example_of_json_is_the_beginning_of_each_part() -> None:
    written = FORMATS["json"].write([EXAMPLE], Policy(), "mine")
    position = 0
    for part in example("JSON").replace("\n", "").split("…"):
        part = " ".join(part.split()).removeprefix(",").strip("} ]")
        position = written.index(part, position) + len(part)
    fields = {*json.loads(written), *json.loads(written)["sentences"][0]}
    assert all(f"`{field}`" in SECTION or f'"{field}"' in SECTION for field in fields)


def test_the_example_of_the_web_page_can_be_read_once_it_is_whole() -> None:
    triples = [[j, float(EXAMPLE.weights[i, j]), i] for i in range(4) for j in range(4)]
    lines = example("SoftAlignments' web page").split("\n")
    assert lines[0].startswith(f"var alignments = [{json.dumps([triples[0]])[:-1]}, {json.dumps(triples[1])}, …], ]")
    (found,) = read("\n".join([f"var alignments = [{json.dumps(triples)}, ]", *lines[1:]])).alignments
    assert_same(found, EXAMPLE)


def test_limits_choices_and_names_are_the_ones_that_hold() -> None:
    prose = " ".join(SECTION.split())
    for limit, unit in (
        (checks.MAX_BYTES, "bytes"),
        (checks.MAX_SENTENCES, "sentences"),
        (checks.MAX_TOKENS, "words per side"),
        (checks.MAX_TOKEN_CHARACTERS, "characters per word"),
    ):
        assert f"{limit:,} {unit}" in prose
    assert f"within {checks.TOLERANCE}" in prose
    assert f"`{file_name('pharaoh', Policy(), 'mine')}`" in prose
    for field, values in CHOICES.items():
        written = ", ".join(f"`{value}`" if isinstance(value, str) else str(value) for value in values)
        assert f"| `{field}` | {written} |" in prose
