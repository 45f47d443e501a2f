"""The results as a table in Markdown, and its place in README.md."""

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

BEGIN, END = "<!-- results: written by `make bench` -->", "<!-- end of results -->"


def rounded(value: Any) -> Any:
    """The same with all floats to five digits."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value


def write_results(folder: Path, result: Mapping[str, Any]) -> None:
    """Write results.json, and the table into README.md."""
    (folder / "results.json").write_text(json.dumps(rounded(result), indent=1) + "\n", encoding="utf-8")
    readme = folder / "README.md"
    readme.write_text(between_markers(readme.read_text(encoding="utf-8"), table(result)), encoding="utf-8")


def between_markers(text: str, new: str) -> str:
    """``text`` with all that stands between the markers replaced."""
    before, found, rest = text.partition(BEGIN)
    _, found_too, after = rest.partition(END)
    assert found, f"{BEGIN} is gone from the text"
    assert found_too, f"{END} is gone from the text"
    return f"{before}{BEGIN}\n{new}\n{END}{after}"


def table(result: Mapping[str, Any]) -> str:
    """All of a result in Markdown."""
    parts = [_machine(result), _speeds(result["rows"]), _limits(result["limits"]), _program(result["program"])]
    if result["failed"]:
        parts.append(
            "Not measured: " + "; ".join(f"{name} ({_plain(why)})" for name, why in result["failed"].items()) + "."
        )
    return "\n\n".join(part for part in parts if part)


def _machine(result: Mapping[str, Any]) -> str:
    m = result["machine"]
    systems = ", ".join(f"{name} {s['version']}" for name, s in result["systems"].items() if s["version"] != "this")
    torch = ", ".join(sorted({s["torch"] for s in result["systems"].values() if s["torch"]}))
    return (
        f"{result['date']}, commit {result['commit']}. {m['processor']}, {m['threads']} threads on {m['cores']} cores, "
        f"{m['memory_gb']} GB, {m['system']}, Python {m['python']}, torch {torch}. {systems}."
    )


def _speeds(rows: list[dict[str, Any]]) -> str:
    """A row for each work, and a column for each system: medians, and how many times as fast ours is."""
    systems = list(dict.fromkeys(case["system"] for row in rows for case in row["cases"]))
    lines = [f"| work | {' | '.join(systems)} |", "|---|" + "---|" * len(systems)]
    for row in rows:
        cells = ["; ".join(_cell(row, case) for case in row["cases"] if case["system"] == name) for name in systems]
        lines.append(f"| {row['name']}, {row['unit']} | {' | '.join(cells)} |")
    return "\n".join(lines) if rows else ""


def _cell(row: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    if case["median"] is None:
        return f"{case['precision']} failed: {_plain(case['error'])}"
    against = [r for r in row["ratios"] if r["peer"] == case["system"] and r["peer_in"] == case["precision"]]
    more = [f"{r['ratio']:.2f}x by {r['ours_in']}" for r in against]
    if (fraction := case.get("fraction_of_limit")) is not None:
        more.append(f"{fraction:.0%} of the limit")
    return f"{case['precision']} {_number(case['median'])}" + (f" ({', '.join(more)})" if more else "")


def _limits(limits: Mapping[str, float]) -> str:
    if not limits:
        return ""
    lines = ["| limit of the machine | measured |", "|---|---|"]
    for name, value in limits.items():
        what, unit = name.rsplit(" ", 1)
        lines.append(f"| {what} | {_number(value)} {unit} |")
    return "\n".join(lines)


def _program(program: Mapping[str, Any]) -> str:
    if not program:
        return ""
    lines = ["| what a user waits for | |", "|---|---|"]
    for name, values in program.items():
        for what, value in values.items():
            if isinstance(value, list):
                text = f"{median(value):.2f} s ({min(value):.2f} to {max(value):.2f})"
            else:
                text = _plain(value) if isinstance(value, str) else _number(value)
            lines.append(f"| {name}: {what} | {text} |")
    return "\n".join(lines)


def _number(value: float) -> str:
    """Three digits, and no more decimals than they need."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _plain(text: str | None) -> str:
    return (text or "").replace("|", "/").replace("\n", " ")
