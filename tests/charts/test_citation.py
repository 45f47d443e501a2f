"""Citations: the command draws the same figure, LaTeX sets the sentence as typed, files carry the signature."""

import html
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.charts.citation import Citation
from nmt.config import SearchSettings
from nmt.files import in_latex
from nmt.results import Alignment
from nmt.texts import CHARTS

ROOT = Path(__file__).parents[2]


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
    for changed, expected in (
        ({"no_unk": True}, "no"),
        ({"replace_unk": "copy"}, "copy"),
        ({"no_unk": True, "replace_unk": "copy"}, "no"),
    ):
        assert citation(**changed).signature.endswith(f"|unk:{expected}")


def test_latex_has_caption_and_alternative_text() -> None:
    latex = citation().latex()
    assert r"The cat's 50 \% \_asleep\_." in latex
    alternative = CHARTS.latex_alternative.partition("{values}")[0]
    assert f"alt={{{alternative}" in latex
    assert latex.count("{") == latex.count("}")


@pytest.mark.parametrize("text", ["a\\b", "{x}", "~^", "50% #1 $x_y$ &"])
def test_no_sign_keeps_its_meaning(text: str) -> None:
    assert f"``{in_latex(text)}''." in replace(citation(), sentence=text).latex()


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
