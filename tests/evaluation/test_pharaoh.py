"""Gold files and files of links: what is read, and how faults are named."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.alignments.formats.checks import NOTHING
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import read_gold, read_maps
from nmt.results.links import Gold, format_links, parse_links

LENGTHS = [(3, 4), (1, 1)]


def write(folder: Path, text: str) -> Path:
    path = folder / "gold"
    path.write_text(text, encoding="utf-8")
    return path


def test_sure_links_are_possible_too_and_repeats_count_once(tmp_path: Path) -> None:
    gold = read_gold(write(tmp_path, "0-0 1p2 2-3 0-0 1p2 2p3\n\n"), LENGTHS)
    sure = frozenset({(0, 0), (2, 3)})
    assert gold == [Gold(sure, sure | {(1, 2)}), Gold(frozenset(), frozenset())]


WORDS = st.integers(0, 2**16 - 1)
LINK_SETS = st.frozensets(st.tuples(WORDS, WORDS), max_size=12)


@given(st.lists(LINK_SETS, min_size=1, max_size=5))
def test_links_that_are_written_are_read(links: list[frozenset[tuple[int, int]]]) -> None:
    with TemporaryDirectory() as folder:
        path = write(Path(folder), "".join(format_links(one) + "\n" for one in links))
        assert [one.sure for one in read_maps(path, None, NOTHING).links] == links
        assert read_gold(path) == [Gold(one, one) for one in links]


@given(st.frozensets(st.tuples(WORDS, WORDS), max_size=12), st.data())
def test_gold_links_that_are_written_are_read(possible: frozenset[tuple[int, int]], data: st.DataObject) -> None:
    sure = frozenset(link for link in sorted(possible) if data.draw(st.booleans()))
    fields = [f"{i}-{j}" for i, j in sure] + [f"{i}p{j}" for i, j in possible]
    assert Gold.of(parse_links(" ".join(data.draw(st.permutations(fields))))) == Gold(sure, possible)


@given(st.text("0123456789-p \t٠a") | st.text())
def test_any_line_is_links_or_an_input_error(line: str) -> None:
    try:
        gold = Gold.of(parse_links(line))
    except InputError:
        assert not all(re.fullmatch(r"[0-9]{1,5}[-p][0-9]{1,5}", field) for field in line.split())
    else:
        fields = {*format_links(gold.sure).split(), *format_links(gold.possible).replace("-", "p").split()}
        assert {re.sub(r"0*([0-9]+)([-p])0*([0-9]+)", r"\1\2\3", field) for field in line.split()} <= fields


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("0-0\n0:0\n", "line 2.*'0:0'"),
        ("0-0 1\n\n", "line 1.*'1'"),
        ("-1-0\n\n", "line 1.*'-1-0'"),
        ("0-0\n0x0\n", "line 2.*'0x0'"),
        ("3-0\n\n", "line 1.* 3-0 .* 3 and 4 "),
        ("0-0\n0p1\n", "line 2.* 0p1 .* 1 and 1 "),
        ("0-0\n", " 1 lines.* 2 sentence pairs"),
        ("0-0\n\n5-5\n", " 3 lines.* 2 sentence pairs"),
    ],
)
def test_a_fault_is_named_with_its_file_and_line(text: str, named: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=rf"{re.escape(str(path))}\b.*{named}"):
        read_gold(path, LENGTHS)


def test_an_aligner_has_no_possible_links(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: '0p0'"):
        read_maps(write(tmp_path, "0p0\n\n"), None, NOTHING)


def test_without_the_sentences_only_the_form_is_checked(tmp_path: Path) -> None:
    (links,) = read_maps(write(tmp_path, "9-9\n"), None, NOTHING).links
    assert links.sure == frozenset({(9, 9)})
