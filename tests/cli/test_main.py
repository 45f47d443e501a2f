"""The list of the commands, and what becomes of whatever a command returns or raises."""

import argparse
import errno
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.errors import InputError
from tests.kept import compare_with_kept


@pytest.mark.parametrize("words", [[], ["--help"]], ids=" ".join)
def test_the_list_of_commands_is_as_it_was_found_right(
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    if words:
        with pytest.raises(SystemExit, match=r"^0$"):
            main(words)
    else:
        assert main(words) == 0
    printed = capsys.readouterr().out
    compare_with_kept(Path(__file__).parent / "kept" / "jointly.txt", printed, request, exact=True)


ENDS: list[tuple[BaseException | int | None, int, str]] = [
    (None, 0, ""),
    (0, 0, ""),
    (3, 3, ""),
    (InputError("this is wrong"), 2, "this is wrong"),
    (OSError(errno.ENOSPC, "No space left on device"), 2, "[Errno 28] No space left on device"),
    (OSError(errno.ENOENT, "No such file or directory", "here"), 2, "here: No such file or directory"),
    (KeyboardInterrupt(), 130, "interrupted"),
]


@pytest.mark.parametrize(("end", "status", "told"), ENDS)
def test_how_a_command_ends_is_its_status_and_one_sentence(
    end: BaseException | int | None,
    status: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(options: argparse.Namespace) -> int | None:
        assert (options.command, options.json) == ("recipes", True)
        if isinstance(end, BaseException):
            raise end
        return end

    monkeypatch.setattr("nmt.cli.runs.recipes", run)
    assert main(["recipes", "--json"]) == status
    assert capsys.readouterr() == ("", f"jointly recipes: {told}\n" if told else "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--nothing"], "jointly: the following arguments are required: COMMAND\n"),
        (["recipes", "--nothing"], "jointly recipes: unrecognized arguments: --nothing\n"),
    ],
)
def test_an_option_that_there_is_not_is_refused(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr() == ("", told)
