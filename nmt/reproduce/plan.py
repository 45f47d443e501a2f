"""Plan from the corpora to the released runs and their tables, as a list of commands.

Paper: 4, Table 1, Table 2
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path

from nmt.errors import InputError
from nmt.reproduce.released import GOLD, HANSARDS, LANGUAGES, OWN_SETS, RELEASED, TEST_SETS, ReleasedRun

_ROOT = Path(__file__).resolve().parents[2]
_LINKS = {
    "rnnsearch": (
        ("attention", "argmax"),
        ("attention", "grow-diag"),
        ("posterior", "grow-diag"),
        ("posterior", "intersection"),
    ),
    "rnnencdec": (("leave-one-out", "grow-diag"),),
}
"""Maps that links are extracted from, and the rules that extract them."""


@dataclass(frozen=True, kw_only=True)
class _Prepared:
    """Prepared folder of the plan.

    Attributes:
        options: options for vocabularies and segmentation.
        train: training corpora, with the number of times each occurs per epoch.
        dev: development sets.
        linked: whether the training pairs come with word links.
    """

    options: tuple[str, ...]
    train: tuple[tuple[str, int], ...]
    dev: tuple[str, ...]
    linked: bool = False


_WORDS = _Prepared(
    options=("--vocabulary", "words", "--vocabulary-size", "10000"),
    train=(("canada-laws/train", 1), ("tatoeba/train", 1), ("multi30k/train", 2)),
    dev=("tatoeba/dev", "multi30k/dev", "canada-laws/dev"),
)
_PREPARED = {
    "words": _WORDS,
    "words-and-links": replace(_WORDS, linked=True),
    "everyday": replace(
        _WORDS, train=(("tatoeba/train", 1), ("multi30k/train", 1)), dev=("tatoeba/dev", "multi30k/dev")
    ),
    "captions": _Prepared(
        options=("--vocabulary", "bpe", "--vocabulary-size", "8000", "--bpe-dropout", "0.1"),
        train=(("multi30k/train", 8), ("tatoeba/train", 2)),
        dev=("multi30k/dev",),
    ),
}


@dataclass(frozen=True, kw_only=True)
class PlannedCommand:
    """Command of the plan.

    Attributes:
        name: file name under which the finished step is recorded.
        arguments: arguments after ``python -m MODULE``.
        output: file that its stdout is saved to; None = printed.
        resumable: a run folder; if it exists, the step resumes with ``--resume`` added.
        made: a folder that the command creates and that must not exist before.
        module: the module to run.
    """

    name: str
    arguments: tuple[str, ...]
    output: Path | None = None
    resumable: Path | None = None
    made: Path | None = None
    module: str = "nmt"

    def line(self) -> str:
        """Format the command as typed in a shell."""
        words = shlex.join(("python", "-m", self.module, *self.arguments))
        return words if self.output is None else f"{words} > {shlex.quote(str(self.output))}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Choice of runs to reproduce, with the folders of corpora and output.

    Attributes:
        data: the corpora, DATA/{tatoeba,multi30k,canada-laws}/{train,dev,test}.{en,fr}.xz.
        out: the folder for everything produced.
        only: names of runs; empty = all.
        minutes: budget for all trainings together; None = as released. A shortened training does not reproduce a
            release: it shows that everything works, and how the tables look. Runs that need an aligner are then
            omitted, and so are dictionaries: both need a C compiler.
    """

    data: Path
    out: Path
    only: tuple[str, ...] = ()
    minutes: float | None = None
    runs: tuple[ReleasedRun, ...] = field(init=False)

    def __post_init__(self) -> None:
        known = {run.name: run for run in RELEASED}
        for name in self.only:
            if name not in known:
                raise InputError(f"{name!r} is not a released run; choose from {', '.join(known)}")
            if self.minutes is not None and _PREPARED[known[name].data].linked:
                raise InputError(f"{name} needs the links of an aligner, which --budget excludes")
        chosen = [run for run in RELEASED if not self.only or run.name in self.only]
        if self.minutes is not None:
            chosen = [run for run in chosen if not _PREPARED[run.data].linked]
        object.__setattr__(self, "runs", tuple(chosen))

    def steps(self) -> list[PlannedCommand]:
        """List the commands in order; each depends on those before it."""
        full = self.minutes is None
        linked = any(_PREPARED[run.data].linked or run.dictionary for run in self.runs)
        return [
            *([self._links()] if full and linked else []),
            *(self._prepare(data) for data in dict.fromkeys(run.data for run in self.runs)),
            *(self._train(run) for run in self.runs),
            *(self._dictionary(run) for run in self.runs if full and run.dictionary),
            *(self._release(run) for run in self.runs),
            *(step for run in self.runs if run.sets for step in self._evaluate(run)),
            *(step for run in self.runs for step in self._align(run)),
            *(
                PlannedCommand(name=f"card-{run.name}", arguments=("card", str(self._released(run))))
                for run in self.runs
            ),
            PlannedCommand(name="overview", arguments=("overview", str(self.out / "checkpoints"))),
            self._compare(),
        ]

    def _corpus(self, stem: str, language: str) -> Path:
        return self.data / f"{stem}.{language}.xz"

    def _pair(self, stem: str) -> list[str]:
        return [str(self._corpus(stem, language)) for language in LANGUAGES]

    def _links_of(self, stem: str) -> str:
        return str(self.out / "links" / f"{stem.replace('/', '.')}.links")

    def _links(self) -> PlannedCommand:
        arguments = ("--data", str(self.data), "--links-out", str(self.out / "links"))
        return PlannedCommand(name="links", arguments=arguments, module="benchmarks.alignment")

    def _prepare(self, data: str) -> PlannedCommand:
        prepared = _PREPARED[data]
        arguments = ["prepare", "--source-lang", LANGUAGES[0], "--target-lang", LANGUAGES[1], *prepared.options]
        for stem, times in prepared.train:
            arguments += ["--corpus", *self._pair(stem), *([f"x{times}"] if times > 1 else [])]
            arguments += ["--links", self._links_of(stem)] if prepared.linked else []
        for stem in prepared.dev:
            arguments += ["--dev", *self._pair(stem)]
        return PlannedCommand(
            name=f"prepare-{data}", arguments=(*arguments, "--out", str(self.out / "data" / data), "--force")
        )

    def _dictionary(self, run: ReleasedRun) -> PlannedCommand:
        stems = [stem for stem, _ in _PREPARED[run.data].train]
        arguments = ["dictionary", str(self.out / "runs" / run.name)]
        for side, language in zip(("source", "target"), LANGUAGES, strict=True):
            arguments += [f"--{side}", *(str(self._corpus(stem, language)) for stem in stems)]
        return PlannedCommand(
            name=f"dictionary-{run.name}", arguments=(*arguments, "--links", *(self._links_of(stem) for stem in stems))
        )

    def _train(self, run: ReleasedRun) -> PlannedCommand:
        folder = self.out / "runs" / run.name
        arguments = ["train", run.recipe, "--data", str(self.out / "data" / run.data), "--run", str(folder)]
        if self.minutes is not None:
            minutes = self.minutes * run.share / sum(other.share for other in self.runs)
            for setting in ("schedule=constant", "max_updates=null", f"max_minutes={minutes:g}"):
                arguments += ["--set", f"training.{setting}"]
        return PlannedCommand(name=f"train-{run.name}", arguments=tuple(arguments), resumable=folder)

    def _release(self, run: ReleasedRun) -> PlannedCommand:
        folder = self.out / "runs" / run.name
        out = self._released(run)
        arguments = ["release", str(folder), str(out), "--weights", "int8"]
        for assignment in run.search:
            arguments += ["--search", assignment]
        return PlannedCommand(name=f"release-{run.name}", arguments=tuple(arguments), made=out)

    def _released(self, run: ReleasedRun) -> Path:
        return self.out / "checkpoints" / run.name

    def _evaluate(self, run: ReleasedRun) -> list[PlannedCommand]:
        """Evaluate on the corpora's test sets, each and concatenated, and, without a budget, on each of our own."""
        common = ["evaluate", str(self._released(run)), "--table-1"]
        arguments = [*common]
        for name in run.sets:
            arguments += ["--set", name, *self._pair(TEST_SETS[name])]
        steps = [PlannedCommand(name=f"evaluate-{run.name}", arguments=tuple(arguments))]
        for name, stem in OWN_SETS.items() if self.minutes is None else []:
            source, reference = (_from_here(f"{stem}.{language}") for language in LANGUAGES)
            own = (*common, "--source", source, "--reference", reference, "--name", name, "--keep-translations")
            steps.append(PlannedCommand(name=f"evaluate-{name}-{run.name}", arguments=own))
        return steps

    def _align(self, run: ReleasedRun) -> list[PlannedCommand]:
        golds = {name: tuple(_from_here(part) for part in parts) for name, parts in GOLD.items()}
        hansards = self.data / HANSARDS
        if hansards.with_suffix(".gold").exists():
            golds["hansards"] = (str(hansards), f"{hansards}.gold")
        elif (hansards / "gold").exists():  # as `corpus get gold-hansards` makes it
            golds["hansards"] = (str(hansards / "tokens"), str(hansards / "gold"))
        steps = []
        for name, (stem, gold) in golds.items():
            source, target = (f"{stem}.{language}" for language in LANGUAGES)
            for weights, rule in _LINKS[run.architecture]:
                arguments = ["aer", str(self._released(run)), "--source", source, "--target", target, "--gold", gold]
                arguments += ["--name", name, "--map", weights, "--rule", rule]
                steps.append(PlannedCommand(name=f"aer-{name}-{weights}-{rule}-{run.name}", arguments=tuple(arguments)))
        return steps

    def missing(self) -> list[Path]:
        """List the corpus files that are missing."""
        return [path for path in self.files() if not path.is_file()]

    def files(self) -> list[Path]:
        """List the corpus files that the plan uses."""
        stems = []
        for run in self.runs:
            prepared = _PREPARED[run.data]
            stems += [*(stem for stem, _ in prepared.train), *prepared.dev, *(TEST_SETS[name] for name in run.sets)]
        return [self._corpus(stem, language) for stem in dict.fromkeys(stems) for language in LANGUAGES]

    def _compare(self) -> PlannedCommand:
        folders = [str(self._released(run)) for run in self.runs]
        arguments = ["compare", *folders, "--format", "markdown", "--on", "canada-laws-test", "--on", "all"]
        for name in TEST_SETS:
            if any(name in run.sets for run in self.runs):
                arguments += ["--set", name]
        return PlannedCommand(name="compare", arguments=tuple(arguments), output=self.out / "tables.md")


def _from_here(path: str) -> str:
    """Return the path of a file of this repository relative to the working folder."""
    full = _ROOT / path
    return str(full.relative_to(Path.cwd())) if full.is_relative_to(Path.cwd()) else str(full)
