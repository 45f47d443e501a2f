"""A page as text: every element that the app sends to the browser, with its texts, values and arrangement.

A text of the program is named, not written out, with what fills it: this says which sentence stands where, and
its wording may change.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any

import pandas as pd
from google.protobuf.json_format import MessageToDict
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from nmt.records import to_data
from nmt.ui.instrument import MapView
from tests.kept import each_once, together
from tests.texts_used import named_texts

_LEFT_OUT = (
    "id",
    "pageScriptHash",
    "data",
    "displayValues",
    "formId",
    "elementId",
    "allowEmpty",
    "isolateStyles",
    "jsContent",
    "cssContent",
    "htmlContent",
    "stylesheet",
)
_USUAL = {
    ("flexContainer.align", '"ALIGN_START"'),
    ("flexContainer.direction", '"VERTICAL"'),
    ("flexContainer.gapConfig.gapSize", '"SMALL"'),
    ("flexContainer.justify", '"JUSTIFY_START"'),
    ("flexContainer.wrap", '"True"'),
    ("heightConfig.useContent", '"True"'),
    ("widthConfig.useStretch", '"True"'),
    ("setValue", '"True"'),
    ("cssSourcePath", '"view.css"'),
    ("jsSourcePath", '"view.js"'),
    ("elementType", '"CAPTION"'),
}
"""What Streamlit sends of nearly every element; only something else is told."""
_SCALES = ("scale", "difference_scale", "stand_in_scale", "texts")
"""Parts of the data of a view that are tested with the view."""
_FIRST = 6
"""Of a list of other things than numbers so many are told; the others by a checksum."""
_ROWS = 6
"""Of a table so many rows are told; the others by their sum and a checksum."""
_LONG = 12
"""Lists of more numbers than this are told by their length and sum."""


def written(at: AppTest, *, keys: bool = False) -> str:
    """All elements of a page, a line for each fact, and then its address; with the keys of containers, on which the
    page's rules of style depend, if ``keys``."""
    parameters = [f"{name} = {', '.join(values)}" for name, values in sorted(_parameters(at).items())]
    return "\n".join([*_of_block(at.main, 0, keys), "# address", *parameters])


def _parameters(at: AppTest) -> dict[str, list[str]]:
    values = {name: at.query_params[name] for name in at.query_params}
    return {name: [value] if isinstance(value, str) else value for name, value in values.items()}


def _of_block(block: Block, depth: int, keys: bool) -> Iterator[str]:
    for child in block.children.values():
        if isinstance(child, Block):
            facts = MessageToDict(child.proto) if child.proto is not None else {}
            key = re.sub(r"^\$\$ID-\w+-(?=.)", "key=", facts.get("id", "")) if keys else ""
            told = " ".join(filter(None, [key, _facts(facts)]))
            if told or child.type != "flex_container":
                yield f"{'  ' * depth}{child.type or 'container'} {told}".rstrip()
                yield from _of_block(child, depth + 1, keys)
            else:  # a plain container
                yield from _of_block(child, depth, keys)
        else:
            yield from _of_element(child, depth)


def _of_element(element: Node, depth: int) -> Iterator[str]:
    room = "  " * depth
    proto = getattr(element, "proto", None)
    facts = MessageToDict(proto) if proto is not None else {}
    facts |= getattr(element, "pixels", {})  # tests/ui/conftest.py
    if element.type == "html":  # rules and scripts are tested in a browser
        facts["body"] = re.sub(r"<(style|script)>.*?</\1>", "", str(facts.get("body", "")), flags=re.DOTALL).strip()
        if not facts["body"]:
            return
    figure = facts.pop("spec", None) or facts.pop("json", None)
    value = getattr(element, "value", None)
    if isinstance(value, pd.DataFrame):
        facts.pop("data", None)
    if "componentName" in facts:
        facts["componentName"] = re.sub(r"^jointly\.|-[0-9a-f]{12}$", "", facts["componentName"])  # of its files
    simple = value is not None and value is not False and not isinstance(value, bytes | pd.DataFrame)
    chosen = f"is {_shown(value)}" if facts and simple and element.type not in _SAID else ""
    yield " ".join(filter(None, [f"{room}{element.type}", _facts(facts), chosen]))
    if isinstance(value, pd.DataFrame):
        if shown := element.proto.arrow_data.styler.display_values:
            value = convert_arrow_bytes_to_pandas_df(shown)
        rows = [f"{room}  | {' | '.join(map(_shown, row))}" for row in [list(value.columns), *value.values.tolist()]]
        first, more = (rows, []) if len(rows) <= _ROWS + 2 else (rows[: _ROWS + 1], rows[_ROWS + 1 :])
        yield from [*first, *([f"{room}  {together([[row] for row in more])}"] if more else [])]
    if figure:
        given = json.loads(figure)
        if element.type == "plotly_chart":
            del given["layout"]["template"]
        if "record" in given:
            given = _of_instrument(given)
        yield from (f"{room}  {line}" for line in each_once(list(_flat(given))))


def _of_instrument(data: dict[str, Any]) -> dict[str, Any]:
    """What the instrument is given, without what is there twice, and the usual choices of its view."""
    if data.get("field"):
        return {"typed": [data["language"], data["typed"]]}
    usual = to_data(MapView())
    view = {name: value for name, value in data["state"]["view"].items() if value != usual[name]}
    told = "as the state" if data["told"] == data["state"] else data["told"]
    rest = {name: value for name, value in data.items() if name not in ("scales", "texts", "forms", "answers")}
    return rest | {"state": data["state"] | {"view": {name: str(value) for name, value in view.items()}}, "told": told}


_SAID = (
    "markdown",
    "caption",
    "text",
    "title",
    "header",
    "subheader",
    "code",
    "info",
    "warning",
    "error",
    "success",
    "html",
    "page_link",
)


def _facts(facts: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in _told(facts) if (name, value) not in _USUAL)


def _told(facts: dict[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    for name, value in sorted(facts.items()):
        if name in _LEFT_OUT or (name.lower().endswith("id") and isinstance(value, str)):
            continue
        if isinstance(value, dict):
            yield from _told(value, f"{place}{name}.")
        elif name == "columns" and isinstance(value, str):
            yield from _told(json.loads(value), f"{place}column ")
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for k, each in enumerate(value):
                yield from _told(each if isinstance(each, dict) else {"": each}, f"{place}{name}[{k}].")
        else:
            yield f"{place}{name}", _shown(value)


def _flat(value: Any, place: str = "") -> Iterator[str]:
    """A line for each value within a figure or the data of a view."""
    if isinstance(value, dict):
        for name in sorted(value):
            if place or name not in _SCALES:
                yield from _flat(value[name], f"{place}.{name}" if place else name)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value) and not _numbers(value):
        for k, each in enumerate(value[:_FIRST]):
            yield from _flat(each, f"{place}[{k}]")
        if len(value) > _FIRST:
            yield f"{place}[{_FIRST}…] = {_sum(json.dumps(_rounded(value[_FIRST:]), sort_keys=True))}"
    elif value not in (None, "", [], False):
        yield f"{place} = {_shown(value)}"


def _rounded(value: Any) -> Any:
    """A value with two decimals of each number: further ones depend on the processor and on its threads."""
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return f"{value:.2f}" if isinstance(value, float) else value


def _numbers(value: Any) -> list[float]:
    """All numbers in a list of lists of numbers; none if there is anything else."""
    if isinstance(value, list):
        parts = [_numbers(each) for each in value]
        return [number for part in parts for number in part] if all(parts) else []
    return [float(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _shown(value: Any) -> str:
    numbers = _numbers(value)
    if isinstance(value, list) and len(numbers) > _LONG:
        return f"{len(numbers)} numbers, together {sum(numbers):.2f}"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, float):
        return f"{value:.2f}"
    text = re.sub(r"#T_[0-9a-f]+_", "#T_", str(value))  # pandas names each table at random
    if len(text) > 2000 or text.startswith("data:"):
        return _sum(text)
    return _named(text)


def _sum(text: str) -> str:
    return f"{len(text)} characters, {hashlib.sha256(text.encode()).hexdigest()[:8]}"


@cache
def _named(text: str) -> str:
    """The name of a text, with what fills it; any other text as it is."""
    for pattern, name in _patterns().get(text[:1], []) + _patterns().get("", []):
        if found := pattern.fullmatch(text):
            filled = ", ".join(f"{field}: {_named(value)}" for field, value in found.groupdict().items())
            return f"{name}({filled})" if filled else name
    return json.dumps(text, ensure_ascii=False)


@cache
def _patterns() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    """By first letter, "" for those that begin with a field, patterns and names of all texts of two words or more."""
    found: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for name, value in named_texts("en").items():
        for key, text in () if name.startswith("views.") else _texts(value):
            parts = list(Formatter().parse(text)) if _is_template(text) else [(text, None, None, None)]
            seen: set[str] = set()
            pattern = "".join(re.escape(literal) + _field(field, seen) for literal, field, *_ in parts)
            first = "" if parts[0][0] == "" else parts[0][0][:1]
            found.setdefault(first, []).append((re.compile(pattern, re.DOTALL), f"{name}{key}"))
    for some in found.values():
        some.sort(key=lambda one: -len(one[0].pattern))
    return found


def _field(field: str | None, seen: set[str]) -> str:
    if field is None:
        return ""
    name = re.sub(r"\W", "_", field) or "_"
    if name in seen:
        return f"(?P={name})"
    seen.add(name)
    return f"(?P<{name}>.*?)"


def _is_template(text: str) -> bool:
    try:
        return any(field is not None for _, field, *_ in Formatter().parse(text))
    except ValueError:
        return False


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        literal = "".join(part for part, *_ in Formatter().parse(value)) if _is_template(value) else value
        if len(re.findall(r"\w+", literal)) > 1:
            yield key, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, f"{key}[{name}]")
    elif isinstance(value, tuple | list):
        for k, each in enumerate(value):
            yield from _texts(each, f"{key}[{k}]")
