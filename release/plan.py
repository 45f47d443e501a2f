"""Plan from the corpora to the released runs and their tables, as a list of commands.

Paper: 4, Table 1, Table 2
"""

import shlex
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from nmt.errors import InputError
from nmt.files import CHECKOUT
from nmt.released import STRESS_WORDS, GoldLinks
from nmt.results import CONCATENATED
from nmt.runs.folder import CONFIG
from release.trainings import RELEASED_RUNS, TRAINING_DATA, ReleasedRun

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
_ALIGNERS = {
    "fr": (
        (("rnnsearch-50-guided", "rnnsearch-multi30k", "rnnsearch-en-fr"), ("rnnsearch-fr-en",)),
        ("canada-laws", "tatoeba", "multi30k"),
        6,
    ),
    "de": ((("rnnsearch-en-de",), ()), ("tatoeba-de", "multi30k-de"), 2),
    "ja": ((("rnnsearch-en-ja",), ()), ("tatoeba-ja",), 1),
}
"""By the target language of an aligner from English: its runs from English and back, the corpora on whose first pairs
its jumps are counted, and N, where its partner's counts are of every N-th training pair."""


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


def _command(name: str, *arguments: str | Path, module: str = "nmt") -> PlannedCommand:
    return PlannedCommand(name=name, arguments=tuple(map(str, arguments)), module=module)


_release = partial(_command, module="release")


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
    released: tuple[ReleasedRun, ...] = RELEASED_RUNS
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
        checkpoints = self.out / "checkpoints"
        return [
            *([self._links()] if full and linked else []),
            *(self._prepare(data) for data in dict.fromkeys(part.data for run in self.runs for part in run.parts)),
            *(step for run in self.runs for step in self._train(run)),
            *(self._dictionary(run) for run in self.runs if full and run.dictionary),
            *(self._release(run) for run in self.runs),
            *(step for run in self.runs if run.test_sets for step in self._evaluate(run)),
            *(step for run in self.runs for step in self._align(run)),
            *(step for language in _ALIGNERS if full for step in self._aligner(language)),
            *(_release(f"card-{run.name}", "card", self._released(run)) for run in self.runs),
            _release("scenes", "scenes", checkpoints, "--out", self.out / "scenes"),
            _release("overview", "overview", checkpoints, "--write"),
            *(self._compare(languages) for languages in pairs if self._compared(languages)),
        ]

    def _corpus(self, stem: str, language: str) -> Path:
        return self.data / f"{stem}.{language}.xz"

    def _pair(self, stem: str, languages: tuple[str, str]) -> list[Path]:
        return [self._corpus(stem, language) for language in languages]

    def _links_of(self, stem: str) -> Path:
        return self.out / "links" / f"{stem.replace('/', '.')}.links"

    def _released(self, run: ReleasedRun) -> Path:
        return self.out / "checkpoints" / run.name

    def _links(self) -> PlannedCommand:
        return _release("links", "links", "--data", self.data, "--links-out", self.out / "links")

    def _prepare(self, data: str) -> PlannedCommand:
        prepared = TRAINING_DATA[data]
        source, target = prepared.languages
        options: list[str | Path] = ["--source-lang", source, "--target-lang", target, *prepared.options]
        if prepared.vocabularies_of is not None:
            options += ["--vocabularies-from", self.out / "data" / prepared.vocabularies_of]
        for stem, times in prepared.train:
            options += ["--corpus", *self._pair(stem, prepared.languages), *([f"x{times}"] if times > 1 else [])]
            options += ["--links", self._links_of(stem)] if prepared.linked else []
        for stem in prepared.dev:
            options += ["--dev", *self._pair(stem, prepared.languages)]
        return _command(f"prepare-{data}", "prepare", *options, "--out", self.out / "data" / data, "--force")

    def _dictionary(self, run: ReleasedRun) -> PlannedCommand:
        stems = [stem for stem, _ in TRAINING_DATA[run.data].train]
        texts: list[str | Path] = []
        for side, language in zip(("source", "target"), run.languages, strict=True):
            texts += [f"--{side}", *(self._corpus(stem, language) for stem in stems)]
        links = map(self._links_of, stems)
        return _release(f"dictionary-{run.name}", "dictionary", self.out / "runs" / run.name, *texts, "--links", *links)

    def _train(self, run: ReleasedRun) -> list[PlannedCommand]:
        """Train the parts of a run in order; the last one in the run's own folder."""
        budget = []
        if self.minutes is not None:
            minutes = self.minutes * run.share / sum(other.share for other in self.runs) / len(run.parts)
            for setting in ("schedule=constant", "max_updates=null", f"max_minutes={minutes:g}"):
                budget += ["--set", f"training.{setting}"]
        names = [*(f"{run.name}-part-{number}" for number in range(1, len(run.parts))), run.name]
        steps: list[PlannedCommand] = []
        before: Path | None = None
        for name, part in zip(names, run.parts, strict=True):
            folder = self.out / "runs" / name
            data = self.out / "data" / part.data
            if part.mean is not None and before is not None:
                mixed, other = self.out / "runs" / f"{name}-mean", self.out / "runs" / names[part.mean.part - 1]
                made = _release(f"mean-{name}", "mean", before, other, f"{part.mean.share:g}", mixed)
                steps.append(replace(made, made=mixed))
                before = mixed
            initial = () if before is None else ("--init-from", str(before))
            place: list[str | Path] = ["--data", data, "--run", folder]
            place += [word for setting in part.settings for word in ("--set", setting)]
            training = _command(f"train-{name}", "train", part.recipe, *place, *budget)
            steps.append(replace(training, resumable=folder, initial=initial))
            before = folder
        return steps

    def _release(self, run: ReleasedRun) -> PlannedCommand:
        folder, out = self.out / "runs" / run.name, self._released(run)
        search = [word for assignment in run.search for word in ("--search", assignment)]
        release = _release(f"release-{run.name}", "publish", folder, out, "--weights", "int8", *search)
        return replace(release, made=out)

    def _evaluate(self, run: ReleasedRun) -> list[PlannedCommand]:
        """Evaluate on the corpora's test sets and, without a budget, on those of this repository."""
        evaluate = ("evaluate", self._released(run), "--into-run")
        stress = ("stress", self._released(run), "--into-run")
        both_columns = (*evaluate, "--table-1", "--precision", "fp32")
        sets: list[str | Path] = []
        for known in run.test_sets:
            if known.in_table_1:
                sets += ["--set", known.name, *self._pair(known.stem, run.languages)]
        for stem, _ in TRAINING_DATA[run.data].train:
            sets += ["--seen-in", *self._pair(stem, run.languages)]
        steps = [_command(f"evaluate-{run.name}", *both_columns, *sets)]
        for known in run.test_sets:
            if known.concatenated:
                name = known.name.removesuffix(CONCATENATED)
                source, reference = self._pair(known.stem, run.languages)
                longer = ("--concatenate", "--precision", "fp32", "--set", name, source, reference)
                steps.append(_command(f"evaluate-{known.name}-{run.name}", *evaluate, *longer))
                kept = ("--lengths", "--precision", "fp32", "--store", name)
                texts = ("--source", source, "--reference", reference)
                steps.append(_command(f"stress-{name}-{run.name}", *stress, *kept, *texts))
        for known in run.test_sets if self.minutes is None else ():
            if known.own:
                ours, theirs = (_from_here(f"{known.stem}.{language}") for language in run.languages)
                own = ("--source", ours, "--reference", theirs)
                name = f"evaluate-{known.name}-{run.name}"
                steps.append(_command(name, *both_columns, *own, "--name", known.name, "--keep-translations"))
                short = ("--words", str(STRESS_WORDS), "--precision", "fp32", "--store", known.name)
                steps.append(_command(f"stress-{known.name}-{run.name}", *stress, *short, *own))
        return steps

    def _align(self, run: ReleasedRun) -> list[PlannedCommand]:
        steps = []
        for gold in run.gold_links:
            if (place := self._gold(gold)) is None:
                continue
            tokens, links = place
            source, target = (f"{tokens}.{language}" for language in run.languages)
            turned = ("--target-first",) if run.languages != gold.languages else ()
            for weights, rule in _LINKS[run.architecture]:
                if weights == "leave-one-out" and self.minutes is not None:
                    continue
                texts = ("--source", source, "--target", target, "--gold", links, *turned, "--name", gold.name)
                arguments = ("aer", self._released(run), "--into-run", *texts, "--map", weights, "--rule", rule)
                steps.append(_command(f"aer-{gold.name}-{weights}-{rule}-{run.name}", *arguments))
        return steps

    def _aligner(self, target: str) -> list[PlannedCommand]:
        """Combine the runs of an aligner, and count links for its partner; nothing if the plan leaves a run out."""
        directions, corpora, every = _ALIGNERS[target]
        if {*directions[0], *directions[1]} - {run.name for run in self.runs}:
            return []
        out = self.out / "aligners" / f"en-{target}"
        forward, reverse = ([self.out / "checkpoints" / run for run in runs] for runs in directions)
        turned: tuple[str | Path, ...] = ("--reverse", *reverse) if reverse else ()
        texts = [[self._corpus(f"{corpus}/train", language) for corpus in corpora] for language in ("en", target)]
        made = ("--runs", *forward, *turned, "--out", out, "--source", *texts[0], "--target", *texts[1])
        counted = ("--data", self.data, "--target-lang", target, "--every", str(every), "--counts-out", out)
        return [
            _release(f"aligner-{out.name}", "aligner", *made),
            _release(f"counts-{out.name}", "links", *counted),
        ]

    def _gold(self, gold: GoldLinks) -> tuple[str, str] | None:
        """Find the files of a word-aligned test set: the tokens, without the language code, and the links; in this
        repository, beside the corpora, or as `corpus get` writes them. None if they are nowhere."""
        if gold.own:
            return _from_here(gold.stem), _from_here(gold.gold)
        if (self.data / gold.gold).exists():
            return str(self.data / gold.stem), str(self.data / gold.gold)
        fetched = self.data / f"gold-{gold.name}"
        return (str(fetched / "tokens"), str(fetched / "gold")) if (fetched / "gold").exists() else None

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
        """Curves by length and pairwise tests are made on the laws, and on all pooled sets as one."""
        runs = self._compared(languages)
        sets = {known.name: known for run in runs for known in run.test_sets if known.in_table_1}
        pooled = [name for name, known in sets.items() if known.pooled]
        closer = ["canada-laws-test"] if "canada-laws-test" in sets else []
        closer += ["all"] if len(pooled) > 1 else pooled
        chosen = [word for name in closer for word in ("--on", name)]
        chosen += [word for name in sets for word in ("--set", name)]
        pair, released = "-".join(languages), map(self._released, runs)
        compared = _command(f"compare-{pair}", "compare", *released, "--format", "markdown", *chosen)
        return replace(compared, output=self.out / f"tables-{pair}.md")


def _from_here(path: str) -> str:
    """Return the path of a file of this repository relative to the working folder."""
    full = CHECKOUT / path
    return str(full.relative_to(Path.cwd())) if full.is_relative_to(Path.cwd()) else str(full)
