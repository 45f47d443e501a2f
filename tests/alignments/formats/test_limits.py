"""Files of 16 MB stop at their limits while they are read: the faults are found soon, before all of it is in memory
(`trials/large_files.py` measures that)."""

import json
import tracemalloc

import pytest

from nmt.alignments.formats import checks, read
from nmt.alignments.formats.checks import MAX_BYTES
from nmt.errors import InputError


def filled(unit: str, head: str = "", tail: str = "") -> bytes:
    """A unit as often as fits into the largest file between two other texts."""
    room = MAX_BYTES - len((head + tail).encode())
    return (head + unit * (room // len(unit.encode())) + tail).encode()


GIZA = "# Sentence pair (1) source length 1 target length 1 alignment score : 1\n"
TABLE = "x,b\n" + "a,1\n" * 1_990 + "\n"
BLOCK = "0 ||| " + "a " * 1_990 + "||| 0 ||| b ||| 1 1\n" + "1\n" * 1_990 + "\n"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("many.txt", filled("a\n"), "no known format"),
        ("many.txt", filled("a "), "no known format"),
        ("many.csv", filled("a\n"), "200,000 rows"),
        ("many.csv", filled(TABLE), "200,000 rows"),
        ("many.csv", b"x,b\n" + b"a,1\n" * 2_001, "sentence 1 has more than 2,000 words"),
        ("many.csv", b"x,b\na,1\n\nx" + b",b" * 2_001 + b"\n", "sentence 2 has more than 2,000 words"),
        ("many.csv", filled("ab,"), "2,000 words"),
        ("many.csv", filled('"\n",'), "200,000 rows"),
        ("many.csv", filled("a", '"', '"'), "line 1 .*too long"),
        (
            "many.csv",
            (("x" + ",w" * 1_990 + "\n" + ("a,1" + ",0" * 1_989 + "\n") * 1_990 + "\n") * 2)[:-1].encode(),
            "4,000,000",
        ),
        ("many.json", filled("{},", "[", "{}]"), "more than 160 MB"),
        ("many.json", filled("[],", "[", "[]]"), "more than 160 MB"),
        ("many.json", filled('"āb",', "[", '""]'), "more than 160 MB"),
        ("many.json", filled("1,", "[", "1]"), "more than 160 MB"),
        ("many.json", filled("1 "), "10,000 sentences"),
        ("many.json", b"[" * 100_000, "nested too deeply"),
        ("many.pharaoh", filled("0-0 "), "400,000 links"),
        ("many.pharaoh", filled("ab "), "'ab'"),
        ("many.pharaoh", b"0-1999\n2000-0\n", "sentence 2 has more than 2,000 words"),
        ("many.nematus", filled("ab\n"), "2,000 words"),
        ("many.nematus", filled("1 ", "0 ||| a ||| 0 ||| b ||| 1 1\n"), "2,000 words"),
        ("many.nematus", filled(BLOCK), "200,000 rows"),
        ("many.js", b'var a="' + b'\\"' * 400_000, "cannot be read"),
        ("many.js", filled("var a=1;"), "var NAME"),
        ("many.out", filled("0-0 ", "x ||| "), "400,000 links"),
        ("many.out", filled("0.5,0.5 ", "x ||| "), "2,000 words"),
        ("many.out", filled("0,", "x ||| ", "1"), "4,000,000 weights"),
        ("many.out", filled("|||"), "no known format"),
        ("many.out", filled("x ||| 0-0\n"), "400,000 lines"),
        ("many.out", b"9" * 20 + b" ||| x ||| 0-0 ||| F0= 1 ||| 2\n", "10,000 sentences"),
        ("many.out", b"A-999999999\t0-0\nH-999999999\t1\tx\n", "10,000 sentences"),
        ("many.out", filled("1 1 1 S\n"), "400,000 links"),
        ("many.out", b"999999 1 1 S\n", "10,000 sentences"),
        ("many.out", filled("1.0 ", "           a\nx "), "2,000 words"),
        ("many.out", filled(" 1", f"{GIZA}x\nNULL ({{"), "2,000 words"),
        ("many.out", filled("a ({ 1 }) ", f"{GIZA}x\nNULL ({{ }}) "), "2,000 words"),
    ],
)
def test_a_file_stops_at_its_limits(name: str, data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(data, name, checks.Given(source=["a"], target=["x"]) if name == "many.out" else checks.NOTHING)


ONE = ",a\nx,1\n\n"
RECORD = '{"source": ["a"], "target": ["x"], "weights": [[1]]}\n'
BEGUN = "0 ||| x y ||| 0 ||| a b ||| 3 3\n"
SOFT = 'var alignments=[[[0,1,0]]]; var sources=[["a"]]; var targets=[["x"]];'


@pytest.mark.parametrize(
    ("limit", "most", "name", "reaching", "beyond", "said"),
    [
        ("MAX_BYTES", len(ONE), "a.csv", ONE, ONE + "\n", "has 9 bytes; the limit is 8"),
        ("MAX_SENTENCES", 2, "a.csv", ONE * 2, ONE * 3, "more than 2 sentences"),
        ("MAX_SENTENCES", 2, "a.json", RECORD * 2, RECORD * 3, "more than 2 sentences"),
        ("MAX_SENTENCES", 2, "a.pharaoh", "0-0\n" * 2, "0-0\n" * 3, "more than 2 sentences"),
        ("MAX_TOKENS", 2, "a.csv", ",a,b\nx,1,0\ny,0,1\n", ",a,b,c\nx,1,0,0\n", "sentence 1 has more than 2 words"),
        ("MAX_TOKENS", 2, "a.csv", ONE, ",a\nx,1\ny,1\nz,1\n", "sentence 1 has more than 2 words"),
        ("MAX_TOKENS", 3, "a.pharaoh", "2-2\n", "0-0\n3-0\n", "sentence 2 has more than 3 words"),
        ("MAX_TOKENS", 3, "a.nematus", BEGUN + "1 0 0\n" * 3, BEGUN + "1 0 0\n" * 4, "4 rows of weights"),
        ("MAX_TOKENS", 3, "a.nematus", BEGUN + "1 0 0\n" * 3, BEGUN + "1 0 0\n" * 5, "of line 1 has more than 3 words"),
        ("MAX_TOKENS", 3, "a.nematus", BEGUN + "1 0 0\n" * 3, BEGUN + "1 0 0 0\n" * 3, "4 weights"),
        (
            "MAX_TOKENS",
            3,
            "a.nematus",
            BEGUN + "1 0 0\n" * 3,
            BEGUN + "1 0 0 0 0\n",
            "sentence 1 has more than 3 words",
        ),
        ("MAX_TOKEN_CHARACTERS", 3, "a.csv", ",abc\nxyz,1\n", ",abc\nwxyz,1\n", "word of more than 3 characters"),
        ("MAX_ROWS", 2, "a.csv", ",a\nx,1\ny,1\n", ",a\nx,1\ny,1\nz,1\n", "more than 2 rows"),
        ("MAX_CELLS", 5, "a.csv", ",a,b\nx,1,0\ny,0,1\n\n" + ONE, ",a,b\nx,1,0\ny,0,1\nz,1,0\n", "more than 5 weights"),
        ("MAX_LINKS", 3, "a.pharaoh", "0-0 1p1\n2-2\n", "0-0 1p1\n2-2 3p3\n", "more than 3 links"),
        ("MAX_LINKS", 0, "a.js", "var a=1;" * 97 + SOFT, "var a=1;" * 98 + SOFT, "'var targets.* is not of the form"),
    ],
)
def test_a_file_may_reach_each_limit(
    limit: str, most: int, name: str, reaching: str, beyond: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With limits that a short text reaches; and 100 variables of JavaScript."""
    monkeypatch.setattr(checks, limit, most)
    content = read(reaching.encode(), name)
    if limit == "MAX_SENTENCES":
        assert len(content.alignments) + len(content.links) == most
    with pytest.raises(InputError, match=said):
        read(beyond.encode(), name)


@pytest.mark.parametrize("unit", ["{", "[", '""', ",", '{"a":[1,2.5,"b"]},'])
def test_json_may_have_as_much_as_takes_a_given_memory(unit: str) -> None:
    """By the sizes of an object with an entry, a list with its pointer, a string and a number in CPython."""
    sizes = {"{": 240, "[": 96, '"': 44, ",": 34}
    most = 160_000_000 // sum(sizes[character] for character in unit if character in sizes)
    checks.check_json(unit * most)
    with pytest.raises(InputError, match="numbers of the file would take more than 160 MB of memory"):
        checks.check_json(unit * (most + 1))


@pytest.mark.parametrize("unit", ['{"a":0},', "[0],", '"ab",', "1.5,", "[1000,0.5,2000],"])
def test_json_that_takes_more_memory_is_refused(unit: str) -> None:
    """By the memory of the content of a short one."""
    text = f"[{unit * 9_999}{unit[:-1]}]"
    json.loads(text)
    tracemalloc.start()
    parsed = json.loads(text)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(parsed) == 10_000
    with pytest.raises(InputError, match="more than 160 MB"):
        checks.check_json(unit * (160_000_000 * 10_000 // taken + 1))
