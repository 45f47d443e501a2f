"""The commands that the trial of arguments draws: every option of every command is among them."""

from random import Random

from trials.arguments import LEFT_OUT, parsers
from trials.command_lines import FORMS, Form

_OF_THEIR_OWN = {"--help", "--languages"}
"""Folders of Hugging Face have random weights in tests/cli/test_hugging_face.py."""


def words(form: Form) -> set[str]:
    """Everything that a form may write."""
    values = [*form.places, *form.needed.values(), *form.free.values()]
    return {*form.needed, *form.free} | {part for each in values for value in each for part in value}


def test_every_option_of_every_command_is_drawn() -> None:
    known = {name: parser for name, parser in parsers().items() if name not in LEFT_OUT}
    assert {form.command for form in FORMS} == set(known)
    for name, parser in known.items():
        drawn = set().union(*(words(form) for form in FORMS if form.command == name))
        for action in parser._actions:
            names = set(action.option_strings) - _OF_THEIR_OWN - {"-h"}
            assert not names or names & drawn, f"{' '.join(name)} has {names}, which no form draws"


def test_what_is_left_out_exists() -> None:
    assert set(parsers()) > LEFT_OUT


def test_what_is_needed_is_always_there() -> None:
    random = Random(1)
    for form in FORMS:
        for share in (0.0, 1.0):
            drawn = {part[0] for part in form.drawn(random, share)[1:] if part and part[0].startswith("--")}
            expected = set(form.needed) if share == 0 else set(form.needed) | set(form.free)
            assert drawn == expected
