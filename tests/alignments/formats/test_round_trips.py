"""Every format that holds weights: what is written is read again, hostile words and all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nmt.alignments.formats import FORMATS, READERS, checks, file_name, read, recognised
from nmt.alignments.formats.checks import Content
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import END, Alignment
from tests.alignments.examples import HOSTILE, assert_same, hostile_alignment, random_alignment

WEIGHTS = [name for name, one in FORMATS.items() if one.holds != "links"]
ROUNDED = {"json": 6e-7}  # six decimals
PIECES = Policy(subwords="pieces")


def test_the_hostile_words_are_all_different() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE)


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("end", [True, False])
def test_hostile_words_come_back_as_they_were(name: str, end: bool) -> None:
    alignments = [hostile_alignment(seed, end=end) for seed in range(3)]
    content = read(FORMATS[name].write(alignments, PIECES, "run").encode())
    assert len(content.alignments) == 3
    for found, expected in zip(content.alignments, alignments, strict=True):
        assert_same(found, expected, tolerance=ROUNDED.get(name, 0.0))


@pytest.mark.parametrize("name", WEIGHTS)
def test_each_hostile_word_alone(name: str) -> None:
    for word in HOSTILE:
        alignment = Alignment(source=(word, END), target=(word, word, END), weights=np.array([[0.25, 0.75]] * 3))
        (found,) = read(FORMATS[name].write([alignment], PIECES, word).encode()).alignments
        assert_same(found, alignment)


SEPARATORS = st.lists(st.sampled_from(["\\", "u", "0020", "007c", "005c", "e", *"| \t\n\r\"',;={a\u3000"]), max_size=7)
ANY_WORD = SEPARATORS.map("".join) | st.text(st.characters(exclude_categories=["Cs"]), max_size=7)


@pytest.mark.parametrize("name", WEIGHTS)
@settings(max_examples=40)
@given(words=st.lists(ANY_WORD, min_size=1, max_size=20))
def test_words_of_any_characters_come_back_as_they_were(name: str, words: list[str]) -> None:
    size = len(words) + 1
    alignment = Alignment(source=(*words, END), target=(*words[::-1], END), weights=np.full((size, size), 1 / size))
    (found,) = read(FORMATS[name].write([alignment], PIECES, "").encode()).alignments
    assert_same(found, alignment, tolerance=ROUNDED.get(name, 0.0))


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_written_is_what_the_policy_leaves(name: str, seed: int) -> None:
    alignments = [random_alignment(10 * seed + k, pieces=True) for k in range(4)]
    policies = [Policy(), PIECES, Policy(end_mark="removed"), Policy(subwords="pieces", punctuation="removed")]
    policy = policies[seed % 4]
    content = read(FORMATS[name].write(alignments, policy, "run").encode())
    for found, original in zip(content.alignments, alignments, strict=True):
        assert_same(found, policy.applied(original).alignment, tolerance=ROUNDED.get(name, 0.0), words=name == "json")


@pytest.mark.parametrize("name", WEIGHTS)
def test_rows_that_a_policy_leaves_empty_are_read_again(name: str) -> None:
    alignment = Alignment(source=("a", END), target=("x", "y", END), weights=np.array([[0, 1.0], [1, 0], [0, 1]]))
    (found,) = read(FORMATS[name].write([alignment], Policy(end_mark="removed"), "").encode()).alignments
    assert found.weights.tolist() == [[0], [1]]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_recognised_by_its_text(name: str) -> None:
    text = FORMATS[name].write([hostile_alignment(0), random_alignment(1)], PIECES, "run")
    assert recognised(text) == name
    assert name in READERS


def test_other_files_are_recognised_too() -> None:
    assert recognised("var sources = [") == "softalignments"
    assert recognised('{"a": 1}\n{"a": 2}') == "json"
    assert recognised("\n0p0 1-1\n") == "pharaoh"
    assert [recognised("0-0 " * links + "word") for links in (999, 1000)] == ["", "pharaoh"]
    assert recognised(" 1 ||| a ||| 0.0 ||| b ||| 1 ||| 1\n") == "nematus"
    assert recognised(",a,b\nx,1,0\n") == "csv"


def test_file_names_say_all_that_was_chosen_and_nothing_that_a_disk_refuses() -> None:
    policy = Policy(
        subwords="pieces",
        end_mark="removed",
        punctuation="removed",
        rule="mass",
        mass=0.75,
        base=1,
        direction="target-source",
    )
    assert file_name("json", policy, "../a b:c\\<d>") == (
        "a_b_c_d.pieces.end-mark-removed.punctuation-removed.mass-0.75.from-1.target-source.json"
    )
    assert file_name("nematus", Policy(), "x" * 300) == f"{'x' * 80}.words.end-mark-kept.punctuation-kept.nematus"
    for run in ("", "...", "///"):
        assert file_name("csv", Policy(), run).startswith("alignment.words.")


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \r\n\t", "empty"),
        (b"0-0 \xff", r"UTF-8 .*byte 5\b"),
        (b" " * 16_000_001, "16,000,000"),
    ],
)
def test_files_that_are_no_text(data: bytes, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(data)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_file_is_an_input_error_or_still_a_file(name: str, seed: int) -> None:
    """Bytes of good files changed, dropped and doubled: nothing but InputError ever comes out."""
    random = np.random.default_rng(seed)
    files = [one.write([random_alignment(seed), hostile_alignment(seed)], PIECES, "run") for one in FORMATS.values()]
    files.append('var sources = [["a", "<EOS>"], ];\nvar targets = [["x"]]; var alignments = [[[0, 1.0, 0], ], ]')
    for text in files:
        data = bytearray(text.encode())
        for _ in range(int(random.integers(1, 8))):
            place = int(random.integers(0, len(data)))
            match int(random.integers(0, 3)):
                case 0:
                    data[place] = int(random.integers(0, 128))
                case 1:
                    del data[place : place + int(random.integers(1, 40))]
                case 2:
                    data[place:place] = data[place : place + int(random.integers(1, 40))]
        message, content = "", Content()
        try:
            content = READERS[name].read(checks.decoded(bytes(data)), checks.NOTHING)
        except InputError as error:
            message = str(error)
        assert "\n" not in message
        assert bool(message) != bool(content.alignments or content.links)
        for alignment in content.alignments:
            sums = alignment.weights.sum(axis=1)
            assert (abs(sums - 1) < 0.021)[sums > 0].all()
