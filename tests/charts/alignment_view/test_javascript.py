"""The view's JavaScript: its own unit tests, its linter, and its colours against Python's."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nmt.charts.colour_scales import DIFFERENCE, SCALES
from tests.charts.node import CHARTS, JS, ROOT, evaluate

OXLINT = shutil.which("oxlint", path=str(Path(sys.executable).parent))


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    assert OXLINT is not None
    command = [OXLINT, "--config", str(ROOT / ".oxlintrc.json"), str(folder)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("folder", [ROOT / "nmt", ROOT / "tests"], ids=lambda path: path.name)
def test_the_linter_finds_nothing(folder: Path) -> None:
    found = lint(folder)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize(
    "text",
    [
        'import { absent } from "./focus.js";\nexport const one = absent;\n',
        "export const one = absent;\n",
        "export function one(two) {\n  const three = 3;\n  return two;\n}\n",
        "export function one(two) {\n  return two == 3;\n}\n",
    ],
    ids=["import of a missing name", "unknown name", "unused constant", "loose equality"],
)
def test_the_linter_finds_faults(text: str, tmp_path: Path) -> None:
    shutil.copy(JS / "focus.js", tmp_path)
    assert lint(tmp_path).returncode == 0
    (tmp_path / "faulty.js").write_text(text, encoding="utf-8")
    assert lint(tmp_path).returncode == 1


@pytest.mark.parametrize("name", [*SCALES, "difference"])
def test_the_browser_has_the_colours_of_python(name: str) -> None:
    scale = {**SCALES, "difference": DIFFERENCE}[name]
    values = [*np.linspace(scale.low - 0.1, scale.high + 0.1, 241).tolist(), 1e-4, 2e-3]
    given = {"scale": scale.to_dict(), "values": values}
    module = CHARTS / "js" / "colour_scale.js"
    places = evaluate(module, "given.values.map((value) => m.position(given.scale, value))", given)
    expected = scale.positions(np.array(values))
    assert places == pytest.approx(expected, abs=1e-12)
    colours = evaluate(module, "given.values.map((value) => m.colour(given.scale, value))", given)
    assert np.abs(np.array(colours) - scale.colours(expected).astype(int)).max() <= 1  # half values round either way
