"""docs/options.md lists every option of every command with its values, bounds and default, as the program has them."""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from nmt.cli import JOINTLY, build_parser
from tests.kept import compare_with_kept
from tests.programs import Commands

DOCUMENT = Path(__file__).parents[2] / "docs" / "options.md"
HEAD = """# Options

Every command with its options, as `--help` lists them; [commands.md](commands.md) has examples. What is in brackets may
be left out; `…` stands for any number of values. Parentheses say whether an option may be given any number of times,
its value if the option stands alone, its default, and what it excludes. Options of several commands are explained
[at the end](#options-of-several-commands). `pytest tests/cli/test_options.py --keep` writes this list.
"""


def commands(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Every command and command of a command, with its name and its line in the list."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            lines = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for each, below in action.choices.items():
                yield f"{name} {each}".strip(), below, lines.get(each, "")
                yield from commands(below, f"{name} {each}".strip())


def document(parser: argparse.ArgumentParser) -> str:
    """The whole list. What several commands say of an option stands once, below all commands."""
    listed = [(name, on_one_line(below.description or line), rows_of(below)) for name, below, line in commands(parser)]
    times = Counter(row for *_, rows in listed for row in rows.items())
    shared = {(option, said) for (option, said), number in times.items() if number > 1 and said}
    parts = [HEAD.strip()]
    for name, about, rows in listed:
        own = [f"- {option}{said}" for option, said in rows.items() if (option, said) not in shared]
        others = [option for option, said in rows.items() if (option, said) in shared]
        parts += [f"## {name}", about, "\n".join([*own, *([f"- shared: {', '.join(others)}"] if others else [])])]
    parts += ["## Options of several commands", "\n".join(sorted(f"- {option}{said}" for option, said in shared))]
    return "\n\n".join(filter(None, parts))


def rows_of(parser: argparse.ArgumentParser) -> dict[str, str]:
    """The options of a command, and what is said of each."""
    groups = [group._group_actions for group in parser._mutually_exclusive_groups if group._group_actions]
    rows = {}
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        text = " ".join(filter(None, ["/".join(action.option_strings), value_of(action)]))
        needed = action.required and (action.option_strings or action.nargs not in ("?", "*"))
        apart = [other for group in groups if action in group for other in group if other is not action]
        help = on_one_line((action.help or "") % {**vars(action), "prog": "jointly"})
        facts = "; ".join([*facts_of(action, help), *(f"not with `{named(other)}`" for other in apart)])
        rows[f"`{text if needed else f'[{text}]'}`"] = f"{f' ({facts})' if facts else ''}{f': {help}' if help else ''}"
    return rows


def on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def named(action: argparse.Action) -> str:
    return "/".join(action.option_strings) or str(action.metavar or action.dest)


def value_of(action: argparse.Action) -> str:
    """What comes after the name of an option, or in its place."""
    choices = "|".join(map(str, action.choices or ()))
    shown = (
        " ".join(action.metavar)
        if isinstance(action.metavar, tuple)
        else action.metavar or choices or action.dest.upper()
    )
    match action.nargs:
        case None:
            return shown
        case 0:
            return ""
        case "?":
            return f"[{shown}]"
        case "*":
            return f"[{shown} …]"
        case "+" | "...":
            return f"{shown} …"
        case number:
            return shown if isinstance(action.metavar, tuple) else " ".join([shown] * int(number))


def facts_of(action: argparse.Action, help: str) -> Iterator[str]:
    if action.choices and action.metavar is not None and not isinstance(action, argparse._SubParsersAction):
        yield f"one of {', '.join(map(str, action.choices))}"
    if isinstance(action, argparse._AppendAction):
        yield "any number of times"
    if action.const is not None and action.const is not True:
        yield f"is {action.const!r} without a value" if action.nargs == "?" else f"makes {action.dest} {action.const!r}"
    if action.default not in (None, False, argparse.SUPPRESS, [], "", ("", "")) and "default" not in help.casefold():
        yield f"default `{action.default}`"


def test_the_document_has_every_option_with_its_bounds_and_default(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JOINTLY_RUNS", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 8)  # as many processes as processors
    compare_with_kept(DOCUMENT, document(build_parser()), request, exact=True)


@pytest.mark.parametrize("name", [name for name, parser, _ in commands(build_parser()) if parser._subparsers])
def test_a_command_with_actions_needs_one(name: str, cli: Commands) -> None:

    assert "required" in cli.refused(*name.split())


def test_one_person_can_hold_all_commands_and_options() -> None:
    actions = [action for _, parser, _ in commands(build_parser()) for action in parser._actions]
    assert len(JOINTLY.commands) <= 22
    assert sum(bool(action.option_strings) and "-h" not in action.option_strings for action in actions) <= 200
