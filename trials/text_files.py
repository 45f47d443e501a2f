"""Files of text that the program reads: whole, damaged, and random."""

import gzip
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from experiments.phrase_based.table import read_phrase_table
from nmt.alignments.formats import read as read_alignments
from nmt.alignments.formats.checks import NOTHING
from nmt.data.corpus import read_lines, read_text
from nmt.data.links import read_dictionary, read_links
from nmt.data.sentences import split_text
from nmt.data.text_files import is_markup
from nmt.data.uploads import Upload, lines_of, text_of
from nmt.evaluation.alignment_error_rate import read_gold, read_maps
from nmt.evaluation.test_set import from_tsv
from trials.texts import random_text
from trials.trial import Cases, Trial, drawn_bytes, must

_NUMBER = 5000


@dataclass(frozen=True)
class Reader:
    """Something that reads a file, and a file that it accepts."""

    name: str
    example: bytes
    read: Callable[[Path], object]


def _upload(path: Path) -> Upload:
    return Upload(path.name, path.read_bytes())


def _lines_kept(path: Path) -> object:
    """Check that reading an upload changes no line: the lines read make the same file, unless they are segments."""
    lines = lines_of(_upload(path))
    data = path.read_bytes()
    if not data.startswith((b"\x1f\x8b", b"\xfd7zXZ")) and not is_markup(data):
        kept = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").removesuffix(b"\n")
        must("\n".join(lines).encode().removesuffix(b"\r") == kept.removesuffix(b"\r"), "a line of the file changed")
    return lines


def _alignments(path: Path) -> object:
    return read_alignments(path.read_bytes(), path.name)


def _unnamed(path: Path) -> object:
    return read_alignments(path.read_bytes())


_LINES = "A girl reads .\nShe has never seen the sea .\n\nÉconomie ☃\r\nUn chat dort .\n".encode()
_TMX = b"""<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>A cat &amp; <ph>x</ph>.</seg></tuv><tuv xml:lang="fr"><seg>Un chat.</seg></tuv></tu>
</body></tmx>
"""
_SGM = (
    b'<srcset setid="x">\n<doc docid="a">\n<seg id="1">A cat & a girl .</seg>\n<seg id=2>Two</seg>\n</doc></srcset>\n'
)
_JSON = b'{"format": 1, "source": ["a", "b"], "target": ["x"], "weights": [[0.25, 0.75]]}\n'
READERS: tuple[Reader, ...] = (
    Reader("upload", _LINES, _lines_kept),
    Reader("upload.gz", gzip.compress(_LINES), _lines_kept),
    Reader("upload.xz", lzma.compress(_LINES), _lines_kept),
    Reader("whole text", _LINES, lambda path: split_text(text_of(_upload(path)), "en")),
    Reader("corpus", _LINES, lambda path: list(read_lines(path))),
    Reader("corpus.gz", gzip.compress(_LINES), lambda path: list(read_lines(path))),
    Reader("corpus.xz", lzma.compress(_LINES), lambda path: list(read_lines(path))),
    Reader("text", _LINES, lambda path: list(read_text(path))),
    Reader("text.tmx", _TMX, lambda path: list(read_text(path))),
    Reader("text.sgm", _SGM, lambda path: list(read_text(path))),
    Reader("upload.tmx", _TMX, lambda path: lines_of(_upload(path))),
    Reader("upload.sgm", _SGM, lambda path: lines_of(_upload(path))),
    Reader("pairs.tsv", b"she reads\telle lit\na cat\tun chat\n", lambda path: from_tsv("toy", _upload(path))),
    Reader("links", b"0-0 1-1 2p1\n\n0-0\n", lambda path: list(read_links(path))),
    Reader("gold", b"0-0 1-1 2p1\n\n0-0\n", read_gold),
    Reader("system", b"0-0 1-1\n\n0-0\n", lambda path: read_maps(path, None, NOTHING)),
    Reader("dictionary", b"cat\tchat\t3\t0.5\ngirl\tfille\t2\t1.0\n", read_dictionary),
    Reader("phrases", b"the cat ||| le chat ||| 0.5 0.1\na ||| une ||| 1 2\n", lambda p: list(read_phrase_table(p))),
    Reader("weights.json", _JSON, _alignments),
    Reader("weights.csv", b",a,b\nx,0.25,0.75\n", _alignments),
    Reader("links.pharaoh", b"0-0 1-1\n0-1\n", _alignments),
    Reader(
        "weights.nematus",
        b"0 ||| x ||| 0 ||| a b ||| 3 2\n0.25 0.5 0.25\n0.1 0.1 0.8\n",
        _alignments,
    ),
    Reader("unnamed", b"0-0 1-1\n", _unnamed),
)


def _run(random: Random, cases: Cases, folder: Path) -> None:
    for number in range(_NUMBER):
        reader = random.choice(READERS)
        done, data = drawn_file(random, reader)
        path = folder / reader.name
        path.write_bytes(data)
        with cases.case(f"{number}: {reader.name}, {done}: {data[:2000]!r}"):
            reader.read(path)


def drawn_file(random: Random, reader: Reader) -> tuple[str, bytes]:
    """Draw the contents of a file for a reader: its example damaged, or something else; returns what was done, too."""
    match random.randrange(8):
        case 0:
            return "random bytes", random.randbytes(random.choice((1, 10, 1000)))
        case 1:
            text = "\n".join(random_text(random, 6) for _ in range(random.randint(1, 5)))
            return "random text", text.encode("utf-8", "surrogatepass")
        case 2:
            encoding = random.choice(("utf-16", "utf-8-sig", "utf-16-le", "utf-32", "latin-1"))
            return f"in {encoding}", reader.example.decode("latin-1").encode(encoding)
        case 3:
            return "another file", random.choice(READERS).example
        case _:
            done: Sequence[str] = ()
            data = reader.example
            for _ in range(random.choice((1, 1, 2, 3))):
                one, data = drawn_bytes(random, data)
                done = (*done, one)
            return "; ".join(done), data


TRIAL = Trial(
    name="files",
    tried="texts, uploads, test sets, links, dictionaries, phrase tables and files of alignments: damaged, in another "
    "encoding, of another kind, random",
    holds="a result, or a sentence; no line of an upload changed",
    run=_run,
    pieces=40,
    ci=2,
    seconds=300,
    case_seconds=20,
)
