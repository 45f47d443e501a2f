"""The table of docs/reliability.md, written from the results."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist

from nmt.errors import InputError
from trials.results import Summary
from trials.trial import Trial

BEGIN, END = "<!-- trials: begin (written by `python -m trials --table`) -->", "<!-- trials: end -->"
_HEAD = (
    "| trial | tried | what must hold | cases | refused with a sentence | lost "
    "| processor time of the longest case, and its bound | memory, and its bound | commit |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
)


def table(trials: Sequence[Trial], summaries: Mapping[str, Summary], former: str = "") -> str:
    """Write the table in Markdown: a row for each trial, those that did not run included; and below it what some of
    them measured.

    Args:
        former: the table written before; its outcomes stay for trials without a summary.
    """
    lines = former.splitlines()
    rows, measured = [], []
    for trial in trials:
        row, figures = f"| `{trial.name}` |", f"- `{trial.name}`: "
        if trial.name in summaries:
            rows.append(_row(trial, summaries[trial.name]))
            measured += [
                f"{figures}{each}." for each in (*summaries[trial.name].figures, *_groups(summaries[trial.name]))
            ]
        else:
            rows.append(next((line for line in lines if line.startswith(row)), _row(trial, None)))
            measured += [line for line in lines if line.startswith(figures)]
    return "\n".join((*_HEAD, *rows, *(("", *measured) if measured else ())))


def _groups(found: Summary) -> list[str]:
    """In how many cases of each group, and of all, what must hold did, with the interval of their share."""
    sums = dict(found.groups)
    if sums:
        sums["all"] = (sum(tried for tried, _ in sums.values()), sum(lost for _, lost in sums.values()))
    lines = []
    for name, (tried, lost) in sums.items():
        low, high = interval(tried - lost, tried)
        share = f"{(tried - lost) / tried:.0%} [{low:.0%}, {high:.0%}]"
        lines.append(f"{name}: {tried - lost} of {tried}, {share}")
    return lines


def interval(held: int, tried: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's)."""
    z = NormalDist().inv_cdf(0.975)
    share, weight = held / tried, z * z / tried
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / tried + weight / (4 * tried))
    return max(0.0, middle - half), min(1.0, middle + half)


def _row(trial: Trial, found: Summary | None) -> str:
    head = f"| `{trial.name}` | {trial.tried} | {trial.holds} |"
    if found is None:
        return f"{head} not run yet | | | | | |"
    if found.not_run:
        return f"{head} not run: {found.not_run} | | | | | {found.commit} |"
    pieces = f"{found.tried:,} (in {found.pieces} of {trial.pieces} pieces)"
    time = f"{found.slowest:.1f} of {trial.case_seconds:,.0f} s"
    memory = f"{found.megabytes:,.0f} of {trial.megabytes:,} MB"
    return f"{head} {pieces} | {found.refused:,} | {found.lost:,} | {time} | {memory} | {found.commit} |"


def write_table(path: Path, trials: Sequence[Trial], summaries: Mapping[str, Summary]) -> None:
    """Put the table between its marks in a document, where the outcomes of trials without a summary stay. InputError
    if the marks are missing."""
    document = path.read_text(encoding="utf-8")
    before, begun, rest = document.partition(BEGIN)
    former, ended, after = rest.partition(END)
    if not begun or not ended:
        raise InputError(f"{path} has no place for the table: the lines {BEGIN} and {END}")
    text = table(trials, summaries, former)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
