"""All that leads from the corpora to the released runs and their tables, as a list of commands.

Paper: 4, Table 1, Table 2
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path

from nmt.errors import InputError
from nmt.recipes import recipe

LANGUAGES = ("en", "fr")
TEST_SETS = {
    "canada-laws-test": "canada-laws/test",
    "tatoeba-test": "tatoeba/test",
    "multi30k-test2016": "multi30k/test2016",
    "multi30k-test2017": "multi30k/test2017",
    "multi30k-test2017-mscoco": "multi30k/test2017-mscoco",
}
"""Names of the test sets, and where they lie in the corpora."""

_ROOT = Path(__file__).resolve().parents[1]
GOLD = {"jointly-150": ("testsets/jointly-150/tokens", "testsets/jointly-150/gold")}
"""The word-aligned test set of this repository: its tokens (with a language behind) and its gold links."""
HANSARDS = "alignment-gold/hansards"
"""Where that of the Hansards lies in the corpora, if it is there."""
_LINKS = {
    "rnnsearch": (("attention", "argmax"), ("attention", "grow-diag"), ("posterior", "grow-diag")),
    "rnnencdec": (("leave-one-out", "grow-diag"),),
}
"""Maps and rules that links are taken from and by."""


@dataclass(frozen=True)
class ReleasedRun:
    """Attributes:
    name: of the run folder.
    recipe: what it is trained with.
    data: which prepared folder, a key of ``_PREPARE``.
    share: its part of a budget of time.
    """

    name: str
    recipe: str
    data: str
    share: float = 1.0


RELEASED = (
    ReleasedRun("rnnsearch-50", "rnnsearch_50_modern", "words"),
    ReleasedRun("rnnsearch-30", "rnnsearch_30_modern", "words"),
    ReleasedRun("rnnencdec-50", "rnnencdec_50_modern", "words"),
    ReleasedRun("rnnencdec-30", "rnnencdec_30_modern", "words"),
    ReleasedRun("rnnsearch-50-star", "rnnsearch_50_star_modern", "words", 2.0),
)

_PREPARE = {
    "words": (
        ["--vocabulary", "words", "--vocabulary-size", "10000"],
        [("canada-laws/train", ""), ("tatoeba/train", ""), ("multi30k/train", "x2")],
        ["tatoeba/dev", "multi30k/dev", "canada-laws/dev"],
    ),
}
"""Vocabulary, training corpora with their weights, development sets."""


@dataclass(frozen=True)
class Step:
    """One command.

    Attributes:
        name: for the record of what is done; a file name.
        arguments: what follows ``python -m nmt``.
        output: where its stdout is to be kept; None = it is shown.
        resumable: the step goes on where it was if ``--resume`` is added and this run folder exists.
    made: a folder that the command makes and that must not be there before.
    """

    name: str
    arguments: tuple[str, ...]
    output: Path | None = None
    resumable: Path | None = None
    made: Path | None = None

    def line(self) -> str:
        """As one would type it."""
        words = shlex.join(("python", "-m", "nmt", *self.arguments))
        return words if self.output is None else f"{words} > {shlex.quote(str(self.output))}"


@dataclass(frozen=True)
class Plan:
    """What to reproduce, from which corpora, where.

    Attributes:
        data: the corpora, DATA/{tatoeba,multi30k,canada-laws}/{train,dev,test}.{en,fr}.xz.
        out: the folder of everything made.
        only: names of runs; empty = all.
        minutes: for all trainings together; None = as released. A training cut short is no release: it shows that
            everything works, and what the tables look like.
        sentences: at most so many of each test set; None = all.
    """

    data: Path
    out: Path
    only: tuple[str, ...] = ()
    minutes: float | None = None
    sentences: int | None = None
    runs: tuple[ReleasedRun, ...] = field(init=False)

    def __post_init__(self) -> None:
        known = {run.name: run for run in RELEASED}
        for name in self.only:
            if name not in known:
                raise InputError(f"{name!r} is no released run; there are {', '.join(known)}")
        chosen = tuple(run for run in RELEASED if not self.only or run.name in self.only)
        object.__setattr__(self, "runs", chosen)

    def steps(self) -> list[Step]:
        """In order; each needs what came before."""
        return [
            *(self._prepare(data) for data in dict.fromkeys(run.data for run in self.runs)),
            *(self._train(run) for run in self.runs),
            *(self._release(run) for run in self.runs),
            *(self._evaluate(run) for run in self.runs),
            *(step for run in self.runs for step in self._align(run)),
            *(Step(f"card-{run.name}", ("card", str(self._released(run)))) for run in self.runs),
            self._compare(),
        ]

    def test_set(self, name: str) -> tuple[Path, Path]:
        """Source and reference of a test set: of the corpora, or the part of it that is used."""
        files = [self._corpus(TEST_SETS[name], language) for language in LANGUAGES]
        if self.sentences is not None:
            files = [self.out / "sets" / f"{name}.{language}" for language in LANGUAGES]
        return files[0], files[1]

    def _corpus(self, stem: str, language: str) -> Path:
        return self.data / f"{stem}.{language}.xz"

    def _pair(self, stem: str) -> list[str]:
        return [str(self._corpus(stem, language)) for language in LANGUAGES]

    def _prepare(self, data: str) -> Step:
        vocabulary, train, dev = _PREPARE[data]
        arguments = ["prepare", "--source-lang", LANGUAGES[0], "--target-lang", LANGUAGES[1], *vocabulary]
        for stem, times in train:
            arguments += ["--corpus", *self._pair(stem), *([times] if times else [])]
        for stem in dev:
            arguments += ["--dev", *self._pair(stem)]
        return Step(f"prepare-{data}", (*arguments, "--out", str(self.out / "data" / data), "--force"))

    def _train(self, run: ReleasedRun) -> Step:
        folder = self.out / "runs" / run.name
        arguments = ["train", run.recipe, "--data", str(self.out / "data" / run.data), "--run", str(folder)]
        if self.minutes is not None:
            minutes = self.minutes * run.share / sum(other.share for other in self.runs)
            for setting in ("schedule=constant", "max_updates=null", f"max_minutes={minutes:g}"):
                arguments += ["--set", f"training.{setting}"]
        return Step(f"train-{run.name}", tuple(arguments), resumable=folder)

    def _release(self, run: ReleasedRun) -> Step:
        folder = self.out / "runs" / run.name
        out = self._released(run)
        return Step(f"release-{run.name}", ("release", str(folder), str(out), "--weights", "int8"), made=out)

    def _released(self, run: ReleasedRun) -> Path:
        return self.out / "checkpoints" / run.name

    def _evaluate(self, run: ReleasedRun) -> Step:
        arguments = ["evaluate", str(self._released(run)), "--table-1"]
        for name in TEST_SETS:
            arguments += ["--set", name, *map(str, self.test_set(name))]
        return Step(f"evaluate-{run.name}", tuple(arguments))

    def _align(self, run: ReleasedRun) -> list[Step]:
        golds = {name: tuple(_from_here(part) for part in parts) for name, parts in GOLD.items()}
        hansards = self.data / HANSARDS
        if hansards.with_suffix(".gold").exists():
            golds["hansards"] = (str(hansards), f"{hansards}.gold")
        steps = []
        for name, (stem, gold) in golds.items():
            source, target = (f"{stem}.{language}" for language in LANGUAGES)
            for weights, rule in _LINKS[recipe(run.recipe).model.architecture]:
                arguments = ["aer", str(self._released(run)), "--source", source, "--target", target, "--gold", gold]
                arguments += ["--name", name, "--map", weights, "--rule", rule]
                steps.append(Step(f"aer-{name}-{weights}-{rule}-{run.name}", tuple(arguments)))
        return steps

    def missing(self) -> list[Path]:
        """Files of the corpora that are not there."""
        stems = [*TEST_SETS.values()]
        for run in self.runs:
            _, train, dev = _PREPARE[run.data]
            stems += [*(stem for stem, _ in train), *dev]
        files = [self._corpus(stem, language) for stem in dict.fromkeys(stems) for language in LANGUAGES]
        return [path for path in files if not path.is_file()]

    def _compare(self) -> Step:
        folders = [str(self._released(run)) for run in self.runs]
        arguments = ("compare", *folders, "--format", "markdown", "--on", "canada-laws-test", "--on", "joined")
        return Step("compare", arguments, output=self.out / "tables.md")


def _from_here(path: str) -> str:
    """A file of this repository, as it is called from the working folder."""
    full = _ROOT / path
    return str(full.relative_to(Path.cwd())) if full.is_relative_to(Path.cwd()) else str(full)
