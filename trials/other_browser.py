"""The app in Firefox: every page opens and is drawn, reacts to the pointer, and exports files that can be read. And the
site of the documents, opened from disk.
"""

import runpy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import numpy as np
from defusedxml.ElementTree import fromstring
from pypdf import PdfReader

import nmt
from nmt.alignments.formats import read
from nmt.results import Alignment
from nmt.texts import APP, INSTRUMENT
from trials.addresses import OWN_RUNS, ROOT, make_runs
from trials.app import served
from trials.at_rest import SETTLED
from trials.firefox import Firefox, firefox_window
from trials.random_addresses import random_address
from trials.trial import Cases, NotRun, Trial, must
from trials.window import WindowError

_RANDOM = 8
"""Random addresses of a piece."""
_SENTENCE = "the cat has never seen the sea ."
_LOOK = {"s": _SENTENCE, "models": "search"}
_HOW = {"s": _SENTENCE, "rnnsearch": "search", "rnnencdec": "encdec", "beam": "3"}
_PAINTED = """deep("[role=application] canvas, canvas[role=application]").some(canvas => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(new Uint32Array(pixels.buffer)).size > 2;
})"""
"""Whether a matrix has several colours."""
_MATRIX = 'deep("[role=application]")[0]'
_POINT = 'deep(".js-plotly-plot .scatterlayer .point")[2]'
_SVG, _PNG = "{http://www.w3.org/2000/svg}svg", b"\x89PNG\r\n\x1a\n"
_TOLERANCE = 1e-5
_SIZES = ((1280, 720), (390, 844))
"""Of a projector and of a phone."""
_BACKGROUND = "(document.body.dataset.theme = '{theme}', getComputedStyle(document.body).backgroundColor)"
_TRANSLATED = 'document.body.dataset.state === "done" && deep("svg.ribbons .ribbon").length > 5'


def _place(page: str, asked: dict[str, str], drawn: str) -> tuple[str, str]:
    return f"{page}?{urlencode(asked)}", drawn


_CURVE = 'deep(".js-plotly-plot .scatterlayer .point").length > 3'
PLACES = (
    _place("", {"s": _SENTENCE}, 'deep("svg path").length > 5'),
    _place("", _LOOK | {"show": "matrix"}, _PAINTED),
    _place("", _LOOK | {"show": "links"}, 'deep("svg.lines path.line").length > 3'),
    _place("length", {"sets": "jointly-300"}, _CURVE),
    _place("length", {"view": "together"}, 'deep(".js-plotly-plot, .panel, textarea").length > 0'),
    _place("learn", _HOW, 'deep(".drawing [data-part=alpha]").length > 0'),
    _place("learn", _HOW | {"view": "beam"}, 'deep(".tree .node").length > 3'),
    _place("learn", {"view": "training", "run": "with-steps", "s": _SENTENCE}, 'deep(".strip canvas").length > 0'),
    _place("models", {"show": "scores"}, 'deep("[data-testid=stDataFrame] canvas, table").length > 0'),
    _place("models", {"show": "cards"}, 'deep("h2, h3, h4, table").length > 0'),
)
"""The address of every place and view, and a JavaScript expression that is true when its drawing is there."""


class Reader:
    """Somebody who uses the app in Firefox.

    Args:
        firefox: the browser.
        server: address of the app.
    """

    def __init__(self, firefox: Firefox, server: str) -> None:
        self.firefox, self._server = firefox, server

    def open(self, address: str) -> None:
        """Open an address of the app, and wait until the page is at rest without an exception."""
        self.firefox.open(f"{self._server}/{address}")
        self.rest()

    def rest(self) -> None:
        self.firefox.wait_for(f"({SETTLED})()")
        exceptions = self.firefox.evaluate('deep("[data-testid=stException]").map(one => one.innerText)')
        must(not exceptions, str(exceptions))

    def press(self, label: str) -> None:
        """Click the button with this name once it is there."""
        self.firefox.wait_for(button := f'named("button:enabled", {label!r})')
        self.rest()
        self.firefox.click(button)

    def take(self, label: str) -> Path:
        """Click a button that saves a file; return the file."""
        number = len(self.firefox.downloads) + 1
        self.press(label)
        return self.firefox.downloaded(number)

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.firefox.evaluate(f"deep({selector!r}).map(one => one.innerText)")
        return found

    def fault(self) -> str:
        """What went wrong on the pages so far; "" if nothing."""
        others = self.firefox.hosts - {"127.0.0.1", ""}
        return "; ".join([*self.firefox.faults, *(f"asked {host}" for host in sorted(others))])


def _run(random: Random, cases: Cases, folder: Path) -> None:
    runs = folder / "runs"
    make_runs(runs)
    alignment = nmt.load(runs / "search").translate(_SENTENCE).alignment
    assert alignment is not None
    with served(folder) as server, firefox_window(folder / "firefox") as firefox:
        reader = Reader(firefox, server.address)
        for address, drawn in PLACES:
            with _step(cases, reader, address):
                reader.open(address)
                firefox.wait_for(drawn)
        for _ in range(3):
            i, j = random.randrange(len(alignment.target)), random.randrange(len(alignment.source))
            with _step(cases, reader, f"hover over row {i}, column {j}"):
                _hover(reader, alignment, i, j)
        with _step(cases, reader, "hover over a point of the curve"):
            _hover_over_curve(reader)
        for kind, check in _FILES.items():
            with _step(cases, reader, f"export of alpha as {kind}"):
                check(_taken_from_look(reader, kind), alignment)
        for kind, ending in (("PDF", ".pdf"), ("SVG", ".svg"), ("PNG", ".png"), ("CSV", ".csv"), ("LaTeX", ".tex")):
            with _step(cases, reader, f"export of the curve as {kind}"):
                _check_of_curve(_taken_from_curve(reader, kind), ending)
        for _ in range(_RANDOM):
            address = str(random_address(random, OWN_RUNS))
            with _step(cases, reader, address):
                reader.open(address)


def _run_site(random: Random, cases: Cases, folder: Path) -> None:
    """Open every document in both sizes and themes, and let the page that translates translate."""
    site = folder / "site"
    if problem := runpy.run_path(str(ROOT / ".ci" / "site.py"))["build"](site):
        raise NotRun(problem)
    pages = sorted(path for path in site.rglob("*.html") if path.stem not in ("index", "jointly"))
    with firefox_window(folder / "firefox") as firefox:
        reader = Reader(firefox, "")
        for page in (site / "docs" / "index.html", *pages):
            for width, height in _SIZES:
                with _step(cases, reader, f"{page.relative_to(site)} at {width} x {height}"):
                    firefox.resize(width, height)
                    firefox.open(page.as_uri())
                    widest = firefox.evaluate("document.documentElement.scrollWidth")
                    must(widest <= width, f"it is {widest} pixels wide")
                    colours = {firefox.evaluate(_BACKGROUND.format(theme=theme)) for theme in ("light", "dark")}
                    must(len(colours) == 2, "dark is as light")
        with _step(cases, reader, "the page that translates"):
            firefox.open((site / "jointly.html").as_uri())
            firefox.wait_for(_TRANSLATED)
        with _step(cases, reader, "a search"):
            firefox.open(f"{(site / 'search.html').as_uri()}?q=coverage")
            firefox.wait_for('deep("ul.search li a").length')


@contextmanager
def _step(cases: Cases, reader: Reader, name: str) -> Iterator[None]:
    """A case, lost if Firefox fails, a script does, or a page asks another host."""
    with cases.case(name):
        reader.firefox.faults.clear()
        reader.firefox.hosts.clear()
        try:
            yield
        except WindowError as error:
            must(False, f"{error} {reader.fault()}")
        must(not (fault := reader.fault()), fault)


def _hover(reader: Reader, alignment: Alignment, i: int, j: int) -> None:
    reader.open(PLACES[1][0])
    reader.firefox.wait_for(_PAINTED)
    rows, columns = alignment.weights.shape
    expected = [[alignment.target[i]], [alignment.source[j]]]

    def lit() -> bool:
        reader.firefox.show(f'deep(".row-words .label")[{i}]')  # a tall matrix scrolls by itself
        box = reader.firefox.box(_MATRIX)
        reader.firefox.hover(box.x + (j + 0.5) * box.width / columns, box.y + (i + 0.5) * box.height / rows)
        return [reader.texts(f".{words} .label.lit") for words in ("row-words", "column-words")] == expected

    reader.firefox.wait(f"the words {expected} are lit", lit)


def _hover_over_curve(reader: Reader) -> None:
    reader.open(PLACES[3][0])
    reader.firefox.wait_for(_CURVE)

    def told() -> bool:
        reader.firefox.show(_POINT)
        reader.firefox.hover(*reader.firefox.box(_POINT).middle)
        return bool(reader.texts(".js-plotly-plot .hoverlayer .hovertext"))

    reader.firefox.wait("the point tells its numbers", told)


def _taken_from_look(reader: Reader, kind: str) -> Path:
    reader.open(f"?{urlencode(_LOOK | {'do': 'export', 'take-format': kind})}")
    label = INSTRUMENT.by_key.export["save"].format(format=kind)
    return reader.take(label)


def _taken_from_curve(reader: Reader, kind: str) -> Path:
    reader.open(PLACES[3][0])
    reader.press(APP.export)
    return reader.take(kind)


def _check_table(path: Path, alignment: Alignment) -> None:
    (back,) = read(path.read_bytes(), path.name).alignments
    must((back.source, back.target) == (alignment.source, alignment.target), f"other words: {back.source}")
    must(np.allclose(back.weights, alignment.weights, atol=_TOLERANCE), "other weights")


def _check_pdf(path: Path, alignment: Alignment) -> None:
    text = PdfReader(path).pages[0].extract_text()
    must(all(word in text for word in alignment.source), f"words are missing: {text!r}")


def _check_svg(path: Path, alignment: Alignment) -> None:
    must(fromstring(path.read_text(encoding="utf-8")).tag == _SVG, "not an SVG")


def _check_png(path: Path, alignment: Alignment) -> None:
    must(path.read_bytes().startswith(_PNG), "not a PNG")


_FILES: dict[str, Callable[[Path, Alignment], None]] = {
    "CSV": _check_table,
    "JSON": _check_table,
    "PDF": _check_pdf,
    "SVG": _check_svg,
    "PNG": _check_png,
}


def _check_of_curve(path: Path, ending: str) -> None:
    must(path.suffix == ending, f"the file is called {path.name}")
    data = path.read_bytes()
    beginnings = {".pdf": b"%PDF", ".png": _PNG}
    must(data.startswith(beginnings.get(ending, b"")), f"it begins with {data[:20]!r}")
    if ending == ".svg":
        must(fromstring(data.decode()).tag == _SVG, "not an SVG")
    elif ending in (".csv", ".tex"):
        must(len(data.decode().splitlines()) > 1, "it has no rows")


TRIAL = Trial(
    name="firefox",
    tried="the app in Firefox, over WebDriver BiDi: every place, hovers over matrix and curve, every file that can be "
    "exported of alpha and of the curve, random addresses",
    holds="the page comes to rest and is drawn, without an exception, a fault of a script or a request to another "
    "host; the words of the cell are lit; the file can be read and has alpha",
    run=_run,
    pieces=10,
    ci=0,
    seconds=3000,
    case_seconds=150,
)

SITE = Trial(
    name="firefox-site",
    tried="the site of the documents in Firefox, opened from disk: every page, as wide as a projector and as a phone, "
    "light and dark; the page that translates; a search",
    holds="no fault of a script, no request to a host, nothing wider than the window; the sentence is translated and "
    "its ribbons are drawn",
    run=_run_site,
    pieces=1,
    ci=0,
    seconds=3000,
    case_seconds=150,
)
