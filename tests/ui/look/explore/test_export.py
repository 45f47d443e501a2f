"""Exports: the command draws the same figure, LaTeX sets the sentence as typed, files carry the signature."""

from __future__ import annotations

import html
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

import nmt
from nmt.charts.figure3 import figure3
from nmt.config import SearchSettings
from nmt.results import Alignment
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.export import Citation, escaped_latex, weights_table

ROOT = Path(__file__).parents[4]


def citation(run: str = "scrubber-128", target: str = "", **changes: object) -> Citation:
    own = SearchSettings()
    return Citation(
        checkpoint=run,
        weights_sha256="ab" * 32,
        update=7,
        sentence="The cat's 50 % _asleep_.",
        target=target,
        translation="Le chat dort.",
        search=own.changed(**changes),  # type: ignore[arg-type]
        own=own,
        precision="fp32",
        values="alignment weights alpha",
    )


@pytest.mark.slow
@pytest.mark.parametrize("one", [citation(beam=3), citation(target="Le chat dort.")], ids=["own", "typed"])
def test_the_command_draws_the_figure(one: Citation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checkpoints").symlink_to(ROOT / "checkpoints")
    monkeypatch.chdir(tmp_path)
    exec(one.command, {})
    model = nmt.load(ROOT / "checkpoints" / "scrubber-128", precision="fp32")
    drawn = model.align(one.sentence, one.target) if one.target else model.translate(one.sentence, beam=3)
    assert (tmp_path / "alignment.pdf").read_bytes() == nmt.heatmap(drawn).to_bytes("pdf")


def test_only_settings_other_than_the_runs_own_are_named() -> None:
    assert "beam" not in citation().command
    assert "beam=5, no_unk=True" in citation(beam=5, no_unk=True).command.replace("length_penalty=0.0, ", "")


def test_the_signature_names_what_determines_the_figure() -> None:
    signature = citation(beam=5).signature
    for part in (
        "run:scrubber-128",
        "update:7",
        "ab" * 32,
        "beam:5",
        "lp:0",
        "precision:fp32",
        "unk:kept",
        "target:own",
    ):
        assert part in signature
    assert "target:typed" in citation(target="x").signature


def test_latex_has_caption_and_alternative_text() -> None:
    latex = citation().latex()
    assert r"The cat's 50 \% \_asleep\_." in latex
    alternative = strings.LATEX_ALTERNATIVE.partition("{values}")[0]
    assert f"alt={{{alternative}" in latex
    assert latex.count("{") == latex.count("}")


@pytest.mark.parametrize("text", ["a\\b", "{x}", "~^", "50% #1 $x_y$ &"])
def test_no_sign_keeps_its_meaning(text: str) -> None:
    escaped = escaped_latex(text)
    for command in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}"):
        escaped = escaped.replace(command, "")
    for sign in "&%$#_{}":
        assert escaped.count(sign) == escaped.count("\\" + sign)


@pytest.mark.parametrize(("kind", "mark"), [("pdf", b"/Subject"), ("svg", b"Jointly|run:"), ("png", b"Description")])
def test_files_carry_the_signature(kind: str, mark: bytes) -> None:
    alignment = Alignment(source=("a",), target=("b",), weights=np.ones((1, 1), np.float32))
    figure = nmt.heatmap(alignment)
    about = citation().about
    assert mark in figure.to_bytes(kind, about)
    assert mark not in figure.to_bytes(kind)
    assert figure.to_bytes(kind, about) == figure.to_bytes(kind, about)


def test_files_carry_the_command_where_there_is_one() -> None:
    alignment = Alignment(source=("a",), target=("b",), weights=np.ones((1, 1), np.float32))
    one = citation()
    drawing = nmt.heatmap(alignment).to_bytes("svg", one.about).decode()
    assert html.unescape(drawing).count(one.command) == 1
    assert one.command not in replace(one, redrawable=False).about


SOURCE, TARGET = ("the", 'a "q", b', "the", "</s>"), ("<b>", "$x$", "</s>")


@pytest.fixture
def alignment() -> Alignment:
    weights = np.random.default_rng(1).random((3, 4))
    return Alignment(source=SOURCE, target=TARGET, weights=weights / weights.sum(axis=1, keepdims=True))


def test_repeated_words_keep_their_columns(alignment: Alignment) -> None:
    table = weights_table(alignment)
    assert list(table.columns) == ["1 the", '2 a "q", b', "3 the", "4 </s>"]
    assert table["3 the"].to_numpy() == pytest.approx(alignment.weights[:, 2])


ALPHA = Alignment(source=("the", "cat"), target=("le", "chat"), weights=np.array([[0.9, 0.1], [0.02, 0.98]]))


def test_a_file_has_a_page_for_each_panel_and_says_where_they_are_from() -> None:
    figures = [figure3(ALPHA, caption="first"), figure3(ALPHA, caption="second")]
    pdf = PdfReader(io.BytesIO(figures[0].pages(figures, "from here")))
    assert [name in page.extract_text() for page, name in zip(pdf.pages, ("first", "second"), strict=True)] == [
        True
    ] * 2
    assert pdf.metadata is not None
    assert pdf.metadata["/Subject"] == "from here"
