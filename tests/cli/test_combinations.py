"""Options that do not go together: which sentence answers any few of them, against rules that are written down here
once more. No file that is named exists, so what passes all rules ends at the first file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest

from nmt.errors import InputError
from tests.programs import parsed

Given = frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command with options that exclude or need others.

    Attributes:
        words: what is always given.
        options: the words of each option.
        usual: options that make a complete command.
        rules: parts of the sentences that refuse, in order, each with the options that it refuses.
        most: how many options at most differ from the usual ones.
    """

    words: str
    options: dict[str, str]
    usual: tuple[str, ...]
    rules: list[tuple[str, Callable[[Given], bool]]]
    most: int = 3


def flags(*names: str, value: str = "nofile") -> dict[str, str]:
    return {name: f"--{name} {value}".strip() for name in names}


def either(*names: str) -> Callable[[Given], bool]:
    """Whether any of some options is given."""
    return lambda given: bool(given & {*names})


COMMANDS = {
    "evaluate": Command(
        words="evaluate",
        options={
            "run": "nowhere",
            **flags("source", "reference", "name"),
            **flags("keep-translations", "table-1", "no-unk", "replace-unk", "hard-attention", value=""),
            "set": "--set one a b",
            "again": "--set one c d",
        },
        usual=("run", "source", "reference", "name"),
        rules=[
            ("not allowed with argument", lambda given: given >= {"table-1", "no-unk"}),
            ("required: RUN", lambda given: "run" not in given),
            (
                "no test set given",
                lambda given: not given >= {"source", "reference"}
                and bool(given & {"source", "reference", "name"} or not given & {"set", "again"}),
            ),
            ("named one", lambda given: given >= {"set", "again"}),
            (
                "--keep-translations needs a named",
                lambda given: "keep-translations" in given
                and (
                    bool(given & {"replace-unk", "hard-attention"})
                    or (given >= {"source", "reference"} and "name" not in given)
                ),
            ),
        ],
        most=4,
    ),
    "evaluate an output": Command(
        words="evaluate-output",
        options={
            "system": "moses",
            **flags("source", "reference", "name", "hypothesis", "segments", "out", "about"),
            "languages": "--languages en fr",
            **flags("keep-translations", value=""),
        },
        usual=("system", "source", "reference", "name", "hypothesis", "out"),
        rules=[
            ("required: ", lambda g: not g >= {"system", "source", "reference", "hypothesis", "name", "out"}),
        ],
    ),
    "aer": Command(
        words="aer --gold nofile",
        options={
            "run": "nowhere",
            **flags("links", "source", "target", "reverse"),
            "name": "--name a",
            "rule": "--rule argmax",
            "map": "--map posterior",
        },
        usual=("run", "source", "target"),
        rules=[
            ("either a run folder or --links", lambda given: len(given & {"run", "links"}) != 1),
            ("--target needs --source", lambda given: given & {"source", "target"} == {"target"}),
            ("are for a run, not for --links", lambda g: "links" in g and bool(g & {"map", "reverse", "name"})),
            ("with a run, give the sentences", lambda given: not given & {"links", "source"}),
            ("--reverse needs a rule", lambda given: given >= {"run", "reverse", "rule"}),
        ],
        most=5,
    ),
    "dictionary": Command(
        words="release dictionary nowhere",
        options={
            "source": "--source a", "sources": "--source a b", "target": "--target a", "targets": "--target a b",
            "links": "--links a", "several": "--links a b",
        },
        usual=("source", "target", "links"),
        rules=[
            (
                "required",
                lambda g: not all(
                    g & pair for pair in ({"source", "sources"}, {"target", "targets"}, {"links", "several"})
                ),
            ),
            ("target files", lambda given: ("sources" in given) != ("targets" in given)),
            ("files of links", lambda given: ("sources" in given) != ("several" in given)),
        ],
        most=6,
    ),
    "aligner": Command(
        words="release aligner --runs nowhere --out new",
        options={
            "source": "--source a", "sources": "--source a b", "target": "--target a", "targets": "--target a b",
            "one": "--pairs 1", "two": "--pairs 2",
        },
        usual=("source", "target"),
        rules=[
            ("required", lambda given: not (given & {"source", "sources"} and given & {"target", "targets"})),
            ("target files", lambda given: ("sources" in given) != ("targets" in given)),
            ("--pairs must be at least", lambda given: given >= {"sources", "one"} and "two" not in given),
        ],
        most=6,
    ),
    "compare": Command(
        words="compare nowhere",
        options={
            "figure": "--figure a.pdf", "longest": "--longest 60", "no-bands": "--no-bands",
            "no-counts": "--no-counts", "no-training-marks": "--no-training-marks",
        },
        usual=(),
        rules=[("requires --figure", lambda g: "figure" not in g and bool(g))],
    ),
    "prepare": Command(
        words="prepare --source-lang en --target-lang fr --out new",
        options={
            "corpus": "--corpus a b", "counted": "--corpus c d x3", "three": "--corpus a b 3", "alone": "--corpus a",
            "links": "--links a", "more": "--links b",
            "vocabulary": "--vocabulary bpe", "source-size": "--source-vocabulary-size 0x",
            "size": "--target-vocabulary-size 9", "from": "--vocabularies-from nowhere",
        },
        usual=("corpus",),
        rules=[
            ("--source-vocabulary-size must be", either("source-size")),
            ("required", lambda given: not given & {"corpus", "counted", "three", "alone"}),
            ("cannot be combined with other vocabulary", lambda g: "from" in g and bool(g & {"vocabulary", "size"})),
            (
                "--links is given",
                lambda g: bool(g & {"links", "more"})
                and len(g & {"links", "more"}) != len(g & {"corpus", "counted", "three", "alone"}),
            ),
            ("--corpus takes two files", lambda given: "alone" in given and "three" not in given),
            ("is not a count from", lambda given: "three" in given),
        ],
    ),
}  # fmt: skip


def answer(words: Sequence[str]) -> str:
    """The sentence with which a command ends, before or when it looks for a file."""
    try:
        options = parsed(words)
        options.run(options)
    except (InputError, FileNotFoundError) as error:
        return str(error)
    raise AssertionError(f"{words} were taken")


@pytest.mark.parametrize("name", COMMANDS)
def test_what_does_not_go_together_is_refused_and_nothing_else(name: str) -> None:
    command = COMMANDS[name]
    tried = set()
    for count in range(command.most + 1):
        for changed in combinations(command.options, count):
            given = frozenset(command.usual) ^ frozenset(changed)
            words = [
                *command.words.split(),
                *(w for o in command.options if o in given for w in command.options[o].split()),
            ]
            sentence = answer(words)
            refused = [part for part, refuses in command.rules if refuses(given)]
            if refused:
                assert refused[0] in sentence, (words, sentence)
            else:
                assert not [part for part, _ in command.rules if part in sentence and part not in ("one", "nowhere")], (
                    words
                )
                assert "no" in sentence, (words, sentence)
            tried.add(refused[0] if refused else "")
    assert tried == {"", *(part for part, _ in command.rules)}
