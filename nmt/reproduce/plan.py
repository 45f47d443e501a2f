"""Plan from the corpora to the released runs and their tables, as a list of commands.

Paper: 4, Table 1, Table 2
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nmt.errors import InputError
from nmt.evaluation.concatenation import CONCATENATED
from nmt.reproduce.released import RELEASED, STRESS_WORDS, TRAINING_DATA, GoldLinks, KnownTestSet, ReleasedRun
from nmt.runs.folder import CONFIG

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
class PlannedCommand:
    """Command of the plan.

    Attributes:
        name: file name under which the finished step is recorded.
        arguments: arguments after ``python -m MODULE``.
        output: file that its stdout is saved to; None = printed.
        resumable: a run folder; if it exists, the step resumes: with ``--resume`` in place of ``initial``.
        initial: arguments that name the initial weights of a training.
        made: a folder that the command creates and that must not exist before.
        module: the module to run.
    """

    name: str
    arguments: tuple[str, ...]
    output: Path | None = None
    resumable: Path | None = None
    initial: tuple[str, ...] = ()
    made: Path | None = None
    module: str = "nmt"

    def arguments_now(self) -> tuple[str, ...]:
        """Return the arguments of a call now, which resumes what an earlier call began."""
        if self.resumable is not None and (self.resumable / CONFIG).exists():
            return *self.arguments, "--resume"
        return *self.arguments, *self.initial

    def line(self) -> str:
        """Format the command as typed in a shell."""
        program = ("jointly",) if self.module == "nmt" else ("python", "-m", self.module)
        words = shlex.join((*program, *self.arguments, *self.initial))
        return words if self.output is None else f"{words} > {shlex.quote(str(self.output))}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Choice of runs to reproduce, with the folders of corpora and output.

    Attributes:
        data: the corpora, DATA/CORPUS/{train,dev,test…}.LANGUAGE.xz.
        out: the folder for everything produced.
        only: names of runs; empty = all.
        released: the runs to choose from.
        minutes: budget for all trainings together; None = as released. A shortened training does not reproduce a
            release: it shows that everything works, and how the tables look. Runs that need an aligner are then
            omitted, and so are dictionaries: both need a C compiler. So are links of leave-one-out, which would take
            longer than all other commands.
    """

    data: Path
    out: Path
    only: tuple[str, ...] = ()
    minutes: float | None = None
    released: tuple[ReleasedRun, ...] = RELEASED
    runs: tuple[ReleasedRun, ...] = field(init=False)

    def __post_init__(self) -> None:
        known = {run.name: run for run in self.released}
        for name in self.only:
            if name not in known:
                raise InputError(f"{name!r} is not a released run; choose from {', '.join(known)}")
            if self.minutes is not None and known[name].linked:
                raise InputError(f"{name} needs the links of an aligner, which --budget excludes")
        chosen = [run for run in self.released if not self.only or run.name in self.only]
        if self.minutes is not None:
            chosen = [run for run in chosen if not run.linked]
        object.__setattr__(self, "runs", tuple(chosen))

    def steps(self) -> list[PlannedCommand]:
        """List the commands in order; each depends on those before it."""
        full = self.minutes is None
        linked = any(run.linked or run.dictionary for run in self.runs)
        pairs = dict.fromkeys(run.languages for run in self.runs)
        return [
            *([self._links()] if full and linked else []),
            *(self._prepare(data) for data in dict.fromkeys(part.data for run in self.runs for part in run.parts)),
            *(step for run in self.runs for step in self._train(run)),
            *(self._dictionary(run) for run in self.runs if full and run.dictionary),
            *(self._release(run) for run in self.runs),
            *(step for run in self.runs if run.test_sets for step in self._evaluate(run)),
            *(step for run in self.runs for step in self._align(run)),
            *(
                PlannedCommand(name=f"card-{run.name}", arguments=("card", str(self._released(run))))
                for run in self.runs
            ),
            self._scenes(),
            PlannedCommand(name="overview", arguments=("overview", str(self.out / "checkpoints"))),
            *(self._compare(languages) for languages in pairs if self._compared(languages)),
        ]

    def _corpus(self, stem: str, language: str) -> Path:
        return self.data / f"{stem}.{language}.xz"

    def _pair(self, stem: str, languages: tuple[str, str]) -> list[str]:
        return [str(self._corpus(stem, language)) for language in languages]

    def _links_of(self, stem: str) -> str:
        return str(self.out / "links" / f"{stem.replace('/', '.')}.links")

    def _links(self) -> PlannedCommand:
        arguments = ("--data", str(self.data), "--links-out", str(self.out / "links"))
        return PlannedCommand(name="links", arguments=arguments, module="benchmarks.alignment")

    def _prepare(self, data: str) -> PlannedCommand:
        prepared = TRAINING_DATA[data]
        source, target = prepared.languages
        arguments = ["prepare", "--source-lang", source, "--target-lang", target, *prepared.options]
        if prepared.vocabularies_of is not None:
            arguments += ["--vocabularies-from", str(self.out / "data" / prepared.vocabularies_of)]
        for stem, times in prepared.train:
            arguments += ["--corpus", *self._pair(stem, prepared.languages), *([f"x{times}"] if times > 1 else [])]
            arguments += ["--links", self._links_of(stem)] if prepared.linked else []
        for stem in prepared.dev:
            arguments += ["--dev", *self._pair(stem, prepared.languages)]
        return PlannedCommand(
            name=f"prepare-{data}", arguments=(*arguments, "--out", str(self.out / "data" / data), "--force")
        )

    def _dictionary(self, run: ReleasedRun) -> PlannedCommand:
        stems = [stem for stem, _ in TRAINING_DATA[run.data].train]
        arguments = ["dictionary", str(self.out / "runs" / run.name)]
        for side, language in zip(("source", "target"), run.languages, strict=True):
            arguments += [f"--{side}", *(str(self._corpus(stem, language)) for stem in stems)]
        return PlannedCommand(
            name=f"dictionary-{run.name}", arguments=(*arguments, "--links", *(self._links_of(stem) for stem in stems))
        )

    def _train(self, run: ReleasedRun) -> list[PlannedCommand]:
        """Train the parts of a run in order; the last one in the run's own folder."""
        budget = []
        if self.minutes is not None:
            minutes = self.minutes * run.share / sum(other.share for other in self.runs) / len(run.parts)
            for setting in ("schedule=constant", "max_updates=null", f"max_minutes={minutes:g}"):
                budget += ["--set", f"training.{setting}"]
        names = [*(f"{run.name}-part-{number}" for number in range(1, len(run.parts))), run.name]
        steps: list[PlannedCommand] = []
        for name, part in zip(names, run.parts, strict=True):
            folder = self.out / "runs" / name
            arguments = ("train", part.recipe, "--data", str(self.out / "data" / part.data), "--run", str(folder))
            initial = ("--init-from", str(steps[-1].resumable)) if steps else ()
            steps.append(
                PlannedCommand(name=f"train-{name}", arguments=(*arguments, *budget), resumable=folder, initial=initial)
            )
        return steps

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
        """Evaluate on the corpora's test sets and, without a budget, on those of this repository."""
        common = ["evaluate", str(self._released(run)), "--into-run", "--table-1", "--precision", "fp32"]
        arguments = [*common]
        for known in run.test_sets:
            if known.in_table_1:
                arguments += ["--set", known.name, *self._pair(known.stem, run.languages)]
        for stem, _ in TRAINING_DATA[run.data].train:
            arguments += ["--seen-in", *self._pair(stem, run.languages)]
        steps = [PlannedCommand(name=f"evaluate-{run.name}", arguments=tuple(arguments))]
        for known in run.test_sets:
            if known.concatenated:
                name = known.name.removesuffix(CONCATENATED)
                longer = ["evaluate", str(self._released(run)), "--into-run", "--concatenate", "--precision", "fp32"]
                longer += ["--set", name, *self._pair(known.stem, run.languages)]
                steps.append(PlannedCommand(name=f"evaluate-{known.name}-{run.name}", arguments=tuple(longer)))
                source, reference = self._pair(known.stem, run.languages)
                kept = ["stress", str(self._released(run)), "--into-run", "--lengths", "--precision", "fp32"]
                kept += ["--store", name]
                kept += ["--source", source, "--reference", reference]
                steps.append(PlannedCommand(name=f"stress-{name}-{run.name}", arguments=tuple(kept)))
        for known in run.test_sets if self.minutes is None else ():
            if known.own:
                source, reference = (_from_here(f"{known.stem}.{language}") for language in run.languages)
                test_options = (*common, "--source", source, "--reference", reference, "--name", known.name)
                steps.append(
                    PlannedCommand(
                        name=f"evaluate-{known.name}-{run.name}", arguments=(*test_options, "--keep-translations")
                    )
                )
                kept = ["stress", str(self._released(run)), "--into-run", "--words", str(STRESS_WORDS)]
                kept += ["--precision", "fp32", "--store", known.name, "--source", source, "--reference", reference]
                steps.append(PlannedCommand(name=f"stress-{known.name}-{run.name}", arguments=tuple(kept)))
        return steps

    def _align(self, run: ReleasedRun) -> list[PlannedCommand]:
        steps = []
        for gold in run.gold_links:
            if (place := self._gold(gold)) is None:
                continue
            source, target = (f"{place.tokens}.{language}" for language in run.languages)
            turned = ("--target-first",) if run.languages != gold.languages else ()
            for weights, rule in _LINKS[run.architecture]:
                if weights == "leave-one-out" and self.minutes is not None:
                    continue
                arguments = ["aer", str(self._released(run)), "--into-run", "--source", source, "--target", target]
                arguments += ["--gold", place.links, *turned, "--name", gold.name, "--map", weights, "--rule", rule]
                steps.append(
                    PlannedCommand(name=f"aer-{gold.name}-{weights}-{rule}-{run.name}", arguments=tuple(arguments))
                )
        return steps

    def _scenes(self) -> PlannedCommand:
        arguments = ("scenes", str(self.out / "checkpoints"), "--out", str(self.out / "scenes"))
        return PlannedCommand(name="scenes", arguments=arguments)

    def _gold(self, gold: GoldLinks) -> _GoldPlace | None:
        """Find the files of a word-aligned test set: in this repository, beside the corpora, or as `corpus get`
        writes them; None if they are nowhere."""
        if gold.own:
            return _GoldPlace(_from_here(gold.stem), _from_here(gold.gold))
        stem = self.data / gold.stem
        if (self.data / gold.gold).exists():
            return _GoldPlace(str(stem), str(self.data / gold.gold))
        fetched = self.data / f"gold-{gold.name}"
        return _GoldPlace(str(fetched / "tokens"), str(fetched / "gold")) if (fetched / "gold").exists() else None

    def missing(self) -> list[Path]:
        """List the corpus files that are missing."""
        return [path for path in self.files() if not path.is_file()]

    def files(self) -> list[Path]:
        """List the corpus files that the plan uses."""
        files = []
        for run in self.runs:
            prepared = [TRAINING_DATA[part.data] for part in run.parts]
            stems = [stem for data in prepared for stem in (*(stem for stem, _ in data.train), *data.dev)]
            stems += [known.stem for known in run.test_sets if not known.own]
            files += [self._corpus(stem, language) for stem in stems for language in run.languages]
        return list(dict.fromkeys(files))

    def tables(self) -> list[Path]:
        """List the files of tables that the plan ends with, one per language pair."""
        return [step.output for step in self.steps() if step.output is not None]

    def _compared(self, languages: tuple[str, str]) -> list[ReleasedRun]:
        """List the runs of these languages that are evaluated."""
        return [run for run in self.runs if run.languages == languages and run.test_sets]

    def _compare(self, languages: tuple[str, str]) -> PlannedCommand:
        runs = self._compared(languages)
        sets = {known.name: known for run in runs for known in run.test_sets if known.in_table_1}
        arguments = ["compare", *(str(self._released(run)) for run in runs), "--format", "markdown"]
        arguments += [part for name in _closer(sets) for part in ("--on", name)]
        arguments += [part for name in sets for part in ("--set", name)]
        pair = "-".join(languages)
        return PlannedCommand(name=f"compare-{pair}", arguments=tuple(arguments), output=self.out / f"tables-{pair}.md")


@dataclass(frozen=True)
class _GoldPlace:
    """Files of a word-aligned test set: the tokens, a language code follows, and the links."""

    tokens: str
    links: str


def _closer(sets: Mapping[str, KnownTestSet]) -> list[str]:
    """Names of the sets that get curves by length and pairwise tests."""
    pooled = [name for name, known in sets.items() if known.pooled]
    return [*(["canada-laws-test"] if "canada-laws-test" in sets else []), *(["all"] if len(pooled) > 1 else pooled)]


def _from_here(path: str) -> str:
    """Return the path of a file of this repository relative to the working folder."""
    full = _ROOT / path
    return str(full.relative_to(Path.cwd())) if full.is_relative_to(Path.cwd()) else str(full)
