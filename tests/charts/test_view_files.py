"""Modules as one script do what they do as modules, by node's word; frame, style and script of a view fit together."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from nmt.charts.view_files import one_script, view_files
from nmt.instrument import FOLDER as INSTRUMENT
from nmt.instrument import app_files
from tests.charts.node import CHARTS, run_node
from tests.charts.view_data import VIEWS as SHOWN_BY_THE_INSTRUMENT

VIEWS = sorted(path.parent.parent.name for path in CHARTS.glob("*/js/component.js"))
MODULES = {
    "main.js": """
import { twice, name as nameOfB } from "./parts/b.js";
import {
  Counter,
  START,
} from "./c.js";

const name = "main";
const counter = new Counter();
export const result = [name, nameOfB, twice(counter.next()), START, "</scr" + "ipt>"];
export function again() {
  return twice(counter.next());
}
export async function* numbers() {
  yield START;
}
export default function main() {
  return result;
}
""",
    "parts/b.js": """
import { log, START as start } from "../c.js";

export const name = "b"; // another than main's
export function twice(number) {
  log.push("twice");
  return start + 2 * number;
}
""",
    "c.js": """
export const START = 40;
export const log = [];
log.push("c"); // once, whoever imports it
export class Counter {
  value = log.length;
  next() {
    return (this.value += 1);
  }
}
""",
}
ENTRIES = ("app", "page", "widget")
"""The modules of the instrument that mount it in a host."""


def written(folder: Path, modules: Mapping[str, str]) -> Path:
    """Write the modules; the first one is returned."""
    for name, text in modules.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.lstrip("\n"), encoding="utf-8")
    return folder / next(iter(modules))


def test_the_script_exports_what_the_module_exports(tmp_path: Path) -> None:
    entry = written(tmp_path, MODULES)
    script = tmp_path / "one.mjs"
    script.write_text(one_script(entry), encoding="utf-8")
    use = "console.log(Object.keys(m).sort(), m.result, m.again(), m.again(), m.default());"
    as_modules, as_script = (
        run_node("--input-type=module", "--eval", f'import * as m from "{path.as_uri()}"; {use}')
        for path in (entry, script)
    )
    assert as_script == as_modules
    assert "main" in as_modules


def test_the_script_knows_no_path_of_this_machine(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    first.mkdir()
    second.mkdir()
    script = one_script(written(first, MODULES))
    assert script == one_script(written(second, MODULES))
    assert str(tmp_path) not in script


@pytest.mark.parametrize(
    "text",
    [
        'import * as c from "./c.js";',
        'import c from "./c.js";',
        'import "./c.js";',
        'import { START } from "elsewhere";',
        '  import { START } from "./c.js";',
        "const a = 1;\nexport { a };",
        'export * from "./c.js";',
        "export default 1;",
        "export let a = 1;",
        'export const end = "</script>";',
    ],
)
def test_other_forms_are_refused(text: str, tmp_path: Path) -> None:
    entry = written(tmp_path, {"main.js": text, "c.js": MODULES["c.js"]})
    with pytest.raises(ValueError, match=r"main\.js"):
        one_script(entry)


def test_circles_are_refused_by_name(tmp_path: Path) -> None:
    names = ["a.js", "b.js", "c.js"]
    circle = {
        name: f'import {{ next as after }} from "./{other}";\nexport const next = 1;\n'
        for name, other in zip(names, [*names[1:], names[0]], strict=True)
    }
    with pytest.raises(ValueError, match=r"a\.js -> b\.js -> c\.js -> a\.js"):
        one_script(written(tmp_path, circle))


def test_a_missing_module_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        one_script(written(tmp_path, {"main.js": 'import { a } from "./gone.js";\n'}))


@pytest.mark.parametrize("name", ENTRIES)
def test_all_modules_of_the_instrument_but_the_other_entries_are_in_its_script(name: str) -> None:
    folder = INSTRUMENT / "js"
    script = one_script(folder / f"{name}.js")
    views = [path for view in SHOWN_BY_THE_INSTRUMENT for path in (CHARTS / view / "js").glob("*.js")]
    assert len(views) > 10
    for path in (*folder.glob("*.js"), *views):
        place = (
            path.relative_to(folder).as_posix() if path.parent == folder else f"../../charts/{path.relative_to(CHARTS)}"
        )
        other = path.parent == folder and path.stem in ENTRIES and path.stem != name
        assert (f'modules["{place}"]' in script) == (not other), place
    films = 'modules["../../charts/js/step_channel.js"]' in script
    assert films == (name == "app")  # films are in the app alone


@pytest.mark.parametrize("name", [*VIEWS, "instrument"])
def test_streamlit_gets_a_module_with_a_default_export(name: str) -> None:
    """Streamlit takes text without a line end for a path."""
    files = app_files() if name == "instrument" else view_files(name)
    assert re.search(r"^export default ", files.js, re.MULTILINE)
    assert "\n" in files.js
    assert "\n" in files.css
    assert "@import" not in files.css


def test_the_views_and_the_instrument_do_not_know_streamlit() -> None:
    """Only its host in the app does."""
    folders = [INSTRUMENT / "js", *(CHARTS / view / "js" for view in SHOWN_BY_THE_INSTRUMENT)]
    told = [
        path.name for folder in folders for path in folder.glob("*.js") if "setTriggerValue" in path.read_text("utf-8")
    ]
    assert told == ["app.js"]
