"""Options with numbers: bounds in the help, and one sentence beyond them."""

import argparse
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.cli import main
from nmt.cli.lines import MOST_CHARACTERS, read_file
from nmt.cli.options import Bounds, add_number, real, whole
from nmt.cli.program import Parser
from nmt.errors import InputError
from tests.programs import PROGRAMS, Commands, parser_of

ABSURD = ["-1", "1e400", "nan", "inf", "-inf", "9" * 20, "9" * 5000, "x", "", "0x10", "1.5.2"]


def commands(program: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command of a program, and every command of a command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield f"{program} {name}".strip(), below
                yield from commands(f"{program} {name}".strip(), below)


COMMANDS = [command for program in ("", *PROGRAMS) for command in commands(program, parser_of(program))]


def numbers() -> list[tuple[str, argparse.Action]]:
    return [
        (name, action) for name, parser in COMMANDS for action in parser._actions if isinstance(action.type, Bounds)
    ]


def test_no_command_has_a_number_without_bounds() -> None:
    for name, parser in COMMANDS:
        for action in parser._actions:
            assert action.type not in (int, float), f"{name} {action.option_strings}"
    assert len(numbers()) > 20


@pytest.mark.parametrize(("command", "action"), numbers(), ids=lambda part: getattr(part, "dest", str(part)))
def test_help_states_the_bounds_and_absurd_numbers_are_refused(command: str, action: argparse.Action) -> None:
    bounds = action.type
    assert isinstance(bounds, Bounds)
    assert f"{bounds.least:,} to {bounds.most:,}" in str(action.help)
    parser = Parser(prog=command)
    parser.add_argument("--number", type=bounds)
    for text in ABSURD:
        with pytest.raises(InputError, match=f"^--number must be .*{bounds.least:,} .*{bounds.most:,}, ") as caught:
            parser.parse_args([f"--number={text}"])
        assert len(str(caught.value)) < 150
    for bound in (bounds.least, bounds.most):
        assert parser.parse_args([f"--number={bound}"]).number == bound
    for default in action.default if isinstance(action.default, list) else [action.default]:
        assert default is None or bounds.least <= default <= bounds.most


@pytest.mark.parametrize(("text", "shown"), [("x" * 20, f"'{'x' * 20}'"), ("x" * 21, f"'{'x' * 20}'…")])
def test_what_was_given_is_cut_where_it_is_long(text: str, shown: str) -> None:
    parser = Parser()
    add_number(parser, "--whole", whole(1, 2), "a number")
    add_number(parser, "--real", real(1, 2), "a number")
    for option, kind in (("--whole", "a whole number"), ("--real", "a number")):
        with pytest.raises(InputError) as caught:
            parser.parse_args([option, text])
        assert str(caught.value) == f"{option} must be {kind} from 1 to 2, not {shown}"


@given(st.integers() | st.floats(allow_subnormal=False), st.integers(-5, 5), st.integers(5, 10))
def test_exactly_the_numbers_within_are_taken(number: float, least: int, most: int) -> None:
    parser = Parser()
    add_number(parser, "--whole", whole(least, most), "a number")
    add_number(parser, "--real", real(least, most), "a number")
    for option, fits in (
        ("whole", isinstance(number, int) and least <= number <= most),
        ("real", least <= number <= most),
    ):
        arguments = [f"--{option}={number}"]
        if fits:
            assert getattr(parser.parse_args(arguments), option) == number
        else:
            with pytest.raises(InputError, match=f"--{option} .* {least} .* {most}, "):
                parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["translate", "RUN", "--length-penalty", "1_0"], "--length-penalty .* 0 .* 10, .*'1_0'"),
        (["translate", "RUN", "--length-penalty", "231"], "--length-penalty .* 0 .* 10, .*'231'"),
        (["compare", "RUN", "--resamples", "1000000"], "--resamples .* 40 .* 100,000, .*'1000000'"),
        (["compare", "RUN", "--trials", "9" * 20], "--trials .* 1 .* 1,000,000, .*'9{20}'"),
        (
            ["compare", "checkpoints/rnnsearch-50", "--buckets", "width=1," + "9" * 12],
            r"--buckets .*\d.*'width=1,9{12}'",
        ),
        (
            "prepare --source-lang en --target-lang fr --out X --corpus A B x99999999999999999999".split(),
            "--corpus .* x1 .* x1000",
        ),
    ],
)
def test_commands_refuse_them_in_a_sentence(arguments: list[str], named: str, cli: Commands) -> None:
    error = cli.refused(*arguments)
    assert re.search(named, error)


def test_a_file_with_a_long_line_is_refused_and_the_line_named(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("a\n" + "é" * MOST_CHARACTERS + "\nb\n", encoding="utf-8")
    assert len(read_file(str(path))[1]) == MOST_CHARACTERS
    path.write_text("a\n" + "é" * (MOST_CHARACTERS + 1) + "\nb\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2: 10,001 .* 10,000$"):
        read_file(str(path))


def test_translate_names_a_long_line_and_goes_on(
    random_runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["the cat", "the " * MOST_CHARACTERS, "a sea"]
    run = str(random_runs / "search-words")

    def translated(text: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        assert main(["translate", run, "--beam", "1"]) == 0
        return capsys.readouterr().out.split("\n")

    first, _, last, _ = translated("\n".join([lines[0], "", lines[2]]) + "\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(("\n".join(lines) + "\n").encode()), encoding="utf-8"))
    assert main(["translate", run, "--beam", "1"]) == 0
    done = capsys.readouterr()
    assert done.out.split("\n") == [first, "", last, ""]
    assert re.search(r"standard input, line 2\b.* 40,000 .* 10,000\b", done.err)
