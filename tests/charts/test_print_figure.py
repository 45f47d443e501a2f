"""Files for print: reproducible bytes, real text, embedded fonts, and words as typed or named."""

import io
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from defusedxml import ElementTree
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, fontManager
from PIL import Image
from pypdf import PdfReader

from nmt import InputError
from nmt.charts import figure3
from nmt.charts.print_figure import (
    BASE,
    BOXES,
    JAPANESE,
    PrintFigure,
    fonts_for,
    printable,
    text_width,
    typesetting,
    visible,
    wrapped,
)
from nmt.results import Alignment
from nmt.results.record import LEAVE_ONE_OUT, record_of_map
from tests.charts.printed import drawn

FORMATS = ("pdf", "svg", "png")
HOSTILE = (
    *("<img onerror=1>", "<b>", "&apos;", "&amp;", "$x$", "$\\frac", "\\alpha", "_a^b", "%s{0}", "]]>", "-->"),
    *("مرحبا", "مرحبا!", "می‌خواهم", "שלום", "ñandú", "e\u0301", "😀", "x" * 90),
)
"""All of it has glyphs in DejaVu Sans."""
MISSING = {"한국어": "한국어", "漢字x": "漢字", "a\x00b\n": "\x00\n", "\ud800": "\ud800", "🇫🇷": "🇫🇷", "é한": "한"}


def square(words: tuple[str, ...]) -> Alignment:
    return Alignment(source=words, target=words, weights=np.eye(len(words)))


@pytest.fixture
def only_dejavu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed."""
    monkeypatch.setattr(fontManager, "get_font_names", lambda: [BASE])


def svg_texts(figure: PrintFigure) -> list[str]:
    root = ElementTree.fromstring(figure.to_bytes("svg"))
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def fonts_of(pdf: bytes) -> list[dict]:
    (page,) = PdfReader(io.BytesIO(pdf)).pages
    return [font.get_object() for font in page["/Resources"]["/Font"].values()]


def example(k: int) -> PrintFigure:
    """The k-th of three figures, drawn anew."""
    if k == 0:
        return drawn(square(("$x$", "<b>", "مرحبا")), caption="a")
    if k == 1:
        return drawn(square(("the", "sea")), scale="colour-blind safe")
    return drawn(square(tuple("abcdefg")), LEAVE_ONE_OUT)


def test_the_same_figure_gives_the_same_bytes_whatever_was_made_before() -> None:
    one, other = example(0), example(0)
    assert [one.to_bytes(format) for format in FORMATS] == [other.to_bytes(f) for f in reversed(FORMATS)][::-1]


@pytest.mark.thorough
@pytest.mark.slow
def test_eight_threads_give_the_bytes_of_one() -> None:
    jobs = [(k, format) for k in range(3) for format in FORMATS]
    alone = [example(k).to_bytes(format) for k, format in jobs]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda job: example(job[0]).to_bytes(job[1]), jobs * 2))
    assert together == alone * 2


def test_the_users_own_settings_change_nothing_and_stay() -> None:
    figure = example(1)
    expected = [figure.to_bytes(format) for format in FORMATS]
    theirs = {"font.family": ["monospace"], "savefig.facecolor": "red", "pdf.fonttype": 3, "savefig.bbox": "tight"}
    with matplotlib.rc_context(theirs):
        assert [figure.to_bytes(format) for format in FORMATS] == expected
        assert {key: matplotlib.rcParams[key] for key in theirs} == theirs


@pytest.mark.usefixtures("only_dejavu")
def test_hostile_words_are_text_as_typed_in_svg() -> None:
    figure = drawn(square(HOSTILE), caption="<i>$y$ &lt; $z$")
    assert figure.missing_glyphs == {}
    found = svg_texts(figure)
    assert found[: len(HOSTILE)] == [*HOSTILE]
    assert [found.count(word) for word in HOSTILE] == [2] * len(HOSTILE)
    assert "<i>$y$ &lt; $z$" in found
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(figure.to_bytes("svg")).iter()}
    assert names.isdisjoint({"img", "image", "script", "b", "i", "a"})


@pytest.mark.usefixtures("only_dejavu")
def test_hostile_words_are_text_with_embedded_fonts_in_pdf() -> None:
    pdf = drawn(square(HOSTILE)).to_bytes("pdf")
    text = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    for word in HOSTILE:
        if word.isascii():
            assert text.count(word) >= 2
    assert {"😀", "ñandú", "é"} <= set(unicodedata.normalize("NFC", text).split())
    assert "(cid" not in text
    for font in fonts_of(pdf):
        (descendant,) = font["/DescendantFonts"]
        assert font["/Subtype"] == "/Type0"
        assert "/ToUnicode" in font
        assert "/FontFile2" in descendant["/FontDescriptor"]


@pytest.mark.usefixtures("only_dejavu")
def test_missing_glyphs_are_named_with_a_warning_and_the_files_still_made() -> None:
    with pytest.warns(UserWarning, match="한국어") as caught:
        figure = figure3(record_of_map(square((*MISSING, "plain", "a\u200bb"))))
    assert caught[0].filename == __file__
    assert figure.missing_glyphs == MISSING
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing more of matplotlib's
        files = {format: figure.to_bytes(format) for format in FORMATS}
    assert "한국어" in PdfReader(io.BytesIO(files["pdf"])).pages[0].extract_text()
    assert {font["/Subtype"] for font in fonts_of(files["pdf"])} == {"/Type3"}  # boxes are drawings
    words = [word.translate({0: "\ufffd", 10: "\ufffd", 0xD800: "\ufffd"}) for word in MISSING]
    assert svg_texts(figure)[: len(words)] == words


@pytest.mark.usefixtures("only_dejavu")
def test_missing_are_all_characters_that_the_fonts_table_does_not_have() -> None:
    table = TTFont(findfont(BASE)).getBestCmap()
    characters = [chr(code) for code in range(0x21, 0x3000, 61) if chr(code).isprintable()]
    with pytest.warns(UserWarning, match="font"):
        figure = drawn(square(tuple(characters)))
    assert set(figure.missing_glyphs) == {c for c in characters if ord(c) not in table}
    assert 0 < len(figure.missing_glyphs) < len(characters)


def _font_file(folder: Path, family: str, characters: str, *, truetype: bool) -> Path:
    """Write a font in which each of the characters is a black square."""
    names = [f"glyph{k}" for k in range(len(characters))]
    builder = FontBuilder(1000, isTTF=truetype)
    builder.setupGlyphOrder([".notdef", *names])
    builder.setupCharacterMap({ord(character): name for character, name in zip(characters, names, strict=True)})
    glyphs = {}
    for name in (".notdef", *names):
        pen = TTGlyphPen(None) if truetype else T2CharStringPen(1000, None)
        pen.moveTo((0, 0))
        for corner in ((0, 700), (700, 700), (700, 0)):
            pen.lineTo(corner)
        pen.closePath()
        glyphs[name] = pen.glyph() if truetype else pen.getCharString()
    compact = family.replace(" ", "")
    if truetype:
        builder.setupGlyf(glyphs)
    else:
        builder.setupCFF(compact, {}, glyphs, {})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular", "psName": compact})
    builder.setupOS2(usWeightClass=400)
    builder.setupPost()
    path = folder / f"{compact}.{'ttf' if truetype else 'otf'}"
    builder.save(path)
    return path


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs fonts of black squares beside DejaVu Sans, whatever else is installed."""
    before, names = list(fontManager.ttflist), [BASE]
    monkeypatch.setattr(fontManager, "get_font_names", lambda: names)

    def install(family: str, characters: str, *, truetype: bool = True) -> None:
        fontManager.ttflist = [entry for entry in fontManager.ttflist if entry.name != family]
        fontManager.addfont(_font_file(tmp_path, family, characters, truetype=truetype))
        names.append(family)
        fontManager._findfont_cached.cache_clear()

    yield install
    fontManager.ttflist = before
    fontManager._findfont_cached.cache_clear()


@pytest.fixture(params=["TrueType", "CFF"])
def installed(request: pytest.FixtureRequest, install: Callable[..., None]) -> str:
    """A font with U+D55C (han), as if it were installed."""
    install("Noto Sans Test", "한", truetype=request.param == "TrueType")
    return str(request.param)


def test_an_installed_font_steps_in(installed: str) -> None:
    word = square(("한", "sea"))
    figure = drawn(word)
    assert figure.missing_glyphs == {}
    pdf = figure.to_bytes("pdf")
    assert pdf == drawn(word).to_bytes("pdf")
    fonts = fonts_of(pdf)
    assert any("NotoSansTest" in str(font.get("/BaseFont", font.get("/Name"))) for font in fonts)
    # What is not TrueType must not be embedded as if it were.
    assert {font["/Subtype"] for font in fonts} == {"/Type0" if installed == "TrueType" else "/Type3"}
    assert "한" in PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    left = np.asarray(Image.open(io.BytesIO(figure.to_bytes("png"))).convert("L"))[:, : 3 * 40]
    assert (left == 0).sum() > 18 * 18  # the black square of 6.3 points


@pytest.mark.usefixtures("only_dejavu")
def test_joined_letters_are_narrower_than_the_same_letters_apart() -> None:
    """Arabic is shaped: beh has a short form within a word, and lam and alef become one glyph."""
    joined, apart = drawn(square(("ببب",))), drawn(square(("ب\u200cب\u200cب",)))
    assert joined.width < apart.width - 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb\u200d", "ab"),
        ("\u0628\u200c\u0628", "\u0628\u200c\u0628"),
        ("\u0628\u00ad\u0628", "\u0628\u0628"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
    ],
    ids=["Latin letters", "Arabic with a non-joiner", "Arabic with a soft hyphen", "Devanagari with a joiner"],
)
def test_joiners_alone_are_seen_and_only_between_letters_that_join(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_invisible_characters_move_no_letter_and_stay_in_svg() -> None:
    typed, seen = drawn(square(("a\u200bb", "\ufeffc\u00ad"))), drawn(square(("ab", "c")))
    assert typed.to_bytes("pdf") == seen.to_bytes("pdf") == PrintFigure.pages([typed])
    assert (typed.width, typed.height) == (seen.width, seen.height)
    assert "a\u200bb" in svg_texts(typed)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("fig.jpg", "not 'jpg'"),
        ("fig", "and needs that suffix"),
        ("fig.pdf.txt", "not 'txt'"),
        ("fig.", "and needs that suffix"),
    ],
)
def test_other_endings_are_refused_and_nothing_written(name: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"\.pdf, \.svg or \.png, {problem}$"):
        drawn(square(("a",))).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_ending_decides_in_any_case(tmp_path: Path) -> None:
    figure = drawn(square(("a",)))
    for name, beginning in {"a.PDF": b"%PDF-", "a.svg": b"<?xml", "a.png": b"\x89PNG"}.items():
        figure.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(beginning)


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.pdf"):
        drawn(square(("a",))).save(tmp_path / "none" / "a.pdf")


def test_what_is_too_large_for_a_format_is_refused_not_shrunk() -> None:
    wide = drawn(Alignment(source=("a",), target=("x" * 20_000,), weights=np.ones((1, 1))))
    for format in ("pdf", "png"):
        with pytest.raises(InputError, match="SVG"):
            wide.to_bytes(format)
    assert "x" * 20_000 in svg_texts(wide)


def blank(width: int, height: int) -> PrintFigure:
    """An empty page of so many points."""
    return PrintFigure(["a"], lambda _: Figure(figsize=(width / 72, height / 72)))


@pytest.mark.parametrize(
    ("width", "height", "pixels"),
    [
        (2666, 2667, 3),  # nine times 7,110,222 points are fewer than 64 million
        (2667, 2667, 2),
        (21_845, 100, 3),  # matplotlib draws fewer than 2**16 pixels on a side
        (100, 21_846, 2),
        (4000, 4000, 2),
        (4000, 4001, 1),
        (32_768, 100, 1),
        (8000, 8000, 1),
        (65_535, 100, 1),
        (5213, 12_277, 0),  # 64,000,001
        (65_536, 100, 0),
    ],
)
def test_a_png_has_three_pixels_per_point_or_as_many_as_it_may(width: int, height: int, pixels: int) -> None:
    figure = blank(width, height)
    if pixels:
        assert figure._scale("png") == pixels
    else:
        with pytest.raises(InputError, match=rf"^{width} x {height} .* SVG$"):
            figure._scale("png")


def test_a_pdf_is_as_long_as_its_readers_show() -> None:
    assert blank(14_400, 14_400)._scale("pdf") == 1
    for width, height in ((14_401, 9), (9, 14_401)):
        with pytest.raises(InputError, match=r"^14401 points .*SVG$"):
            blank(width, height)._scale("pdf")
        assert blank(width, height)._scale("svg") == 1


def test_a_notebook_gets_svg_and_png() -> None:
    figure = drawn(square(("a",)))
    assert figure._repr_svg_().encode() == figure.to_bytes("svg")
    assert figure._repr_png_() == figure.to_bytes("png")
    pixels = Image.open(io.BytesIO(figure.to_bytes("png"))).size
    assert pixels == pytest.approx((3 * figure.width, 3 * figure.height), abs=1)


def _japanese_fonts() -> list[str]:
    return [name for name in JAPANESE if name in set(fontManager.get_font_names())]


@pytest.mark.skipif(not _japanese_fonts(), reason="no font with Japanese is installed (Debian: fonts-vlgothic)")
def test_japanese_is_drawn_by_a_japanese_font_that_the_pdf_has_in_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = drawn(square(("猫", "は", "眠っ", "て", "いる", "。", "</s>")))
        pdf = figure.to_bytes("pdf")
    assert figure.missing_glyphs == {}
    assert {"猫", "眠っ"} <= set(PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())
    names = " ".join(font["/BaseFont"] for font in fonts_of(pdf))
    assert _japanese_fonts()[0].replace(" ", "").lower() in names.replace("-", "").lower()


def test_kanji_beside_kana_come_from_a_japanese_font(install: Callable[..., None]) -> None:
    """Where both have them: a Korean or Chinese font would draw the forms of its own country."""
    for family in ("Noto Sans KR", "VL Gothic"):
        install(family, "猫が好き漢字")
    assert fonts_for(["猫が好き"]).families == (BASE, "VL Gothic", BOXES)
    assert fonts_for(["漢字"]).families == (BASE, "Noto Sans KR", BOXES)


def test_only_families_that_are_needed_are_taken_and_what_none_can_draw_is_said(install: Callable[..., None]) -> None:
    install("Noto Sans KR", "abc한국")
    install("Symbola", "\U0001f9ed", truetype=False)
    assert fonts_for(["abc"]).families == (BASE, BOXES)
    korean = fonts_for(["a한", "국어"])
    assert korean.families == (BASE, "Noto Sans KR", BOXES)
    assert korean.truetype
    assert korean.missing == {"국어": "어"}
    assert not fonts_for(["한\U0001f9ed"]).truetype


@given(st.text())
def test_texts_that_are_drawn_can_be_written_to_xml_and_have_no_line_ends(text: str) -> None:
    drawn = printable(text)
    assert len(drawn) == len(text)
    assert drawn.splitlines() in ([], [drawn])
    drawn.encode()
    assert visible(visible(drawn)) == visible(drawn)
    assert printable(drawn) == drawn


def test_wider_texts_have_more_room() -> None:
    chosen = fonts_for(["iW"])
    assert chosen.families == (BASE, BOXES)
    with typesetting(chosen):
        assert 0 == text_width("", 9) < text_width("i", 9) < text_width("W", 9) < text_width("iW", 9)
        assert text_width("iW", 18) == pytest.approx(2 * text_width("iW", 9), rel=0.01)
        assert text_width("$iW$", 9) > text_width("iW", 9) + text_width("$", 9)  # no formula
        assert text_width("i\u180fW", 9) == text_width("iW", 9)


def test_lines_have_as_many_parts_as_there_is_room_for() -> None:
    with typesetting(fonts_for(["iW"])):
        whole = text_width("iW, iW,", 9)
        assert wrapped(["iW,", "iW,", "iW", "WWWWWWWWW"], " ", whole, 9) == ["iW, iW,", "iW", "WWWWWWWWW"]
        assert wrapped(["iW, ", "iW, ", "iW"], "", whole, 9) == ["iW, iW,", "iW"]
        assert wrapped(["iW,", "iW,"], " ", whole - 0.5, 9) == ["iW,", "iW,"]
        assert wrapped([], " ", whole, 9) == []
