"""Files of 16 MB stop at their limits while they are read: the faults are found soon, before all of it is in memory
(`trials/large_files.py` measures that)."""

import pytest

from nmt.alignments.formats import read
from nmt.alignments.formats.checks import MAX_BYTES
from nmt.errors import InputError


def filled(unit: str, head: str = "", tail: str = "") -> bytes:
    """A unit as often as fits into the largest file between two other texts."""
    room = MAX_BYTES - len((head + tail).encode())
    return (head + unit * (room // len(unit.encode())) + tail).encode()


TABLE = "x,b\n" + "a,1\n" * 1_990 + "\n"
BLOCK = "0 ||| " + "a " * 1_990 + "||| 0 ||| b ||| 1 1\n" + "1\n" * 1_990 + "\n"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("many.txt", filled("a\n"), "200,000 rows"),
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
        ("many.json", filled("{},", "[", "{}]"), "100,000"),
        ("many.json", filled("[],", "[", "[]]"), "1,000,000"),
        ("many.json", filled('"āb",', "[", '""]'), "2,000,000"),
        ("many.json", filled("1,", "[", "1]"), "6,000,000"),
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
    ],
)
def test_a_file_stops_at_its_limits(name: str, data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(data, name)
