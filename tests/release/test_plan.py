"""The plan names every command once, and the short version of it runs from corpora to tables."""

import lzma
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nmt.aligners.combination import read_aligner
from nmt.errors import InputError
from nmt.evaluation.measurement_files import read_error_rates, read_stress
from nmt.recipes import RECIPES, recipe
from nmt.released import KNOWN_TEST_SETS, RELEASED
from nmt.runs.folder import read_run
from release.card import card
from release.overview import overview
from release.plan import Plan
from release.reproduce import _shorten
from release.trainings import RELEASED_RUNS, TRAINING_DATA, Mean, ReleasedRun, TrainingPart
from tests.oracles.toy_corpus import letters
from tests.programs import main, parsed

CORPORA = [known for known in KNOWN_TEST_SETS.values() if known.in_table_1]
STEMS = {known.stem: known.languages for known in CORPORA} | {
    stem: ("en", next(language for language in data.languages if language != "en"))
    for data in TRAINING_DATA.values()
    for stem in (*(train for train, _ in data.train), *data.dev)
}


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """The known layout, with letters in place of sentences."""
    rng = np.random.default_rng(1)
    for stem, languages in STEMS.items():
        path = tmp_path / "corpora" / stem
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [letters(rng, 8) for _ in range(120 if path.name == "train" else 70)]
        for language, words in zip(languages, (lines, [line[::-1] for line in lines]), strict=True):
            with lzma.open(f"{path}.{language}.xz", "wt", encoding="utf-8") as file:
                file.writelines(" ".join(line) + "\n" for line in words)
    return tmp_path / "corpora"


def test_every_command_is_one_that_the_program_takes() -> None:
    for plan in (
        Plan(data=Path("data"), out=Path("out")),
        Plan(data=Path("data"), out=Path("out"), only=(), minutes=5.0),
    ):
        steps = plan.steps()
        assert len({step.name for step in steps}) == len(steps)
        for step in steps:
            options = parsed([*([] if step.module == "nmt" else [step.module]), *step.arguments])
            begin = step.name.split("-")[0]
            assert options.command == {"release": "publish", "counts": "links"}.get(begin, begin)
    assert {run.recipe for run in RELEASED_RUNS} <= set(RECIPES)


def test_every_released_run_has_its_trainings() -> None:
    assert [run.name for run in RELEASED_RUNS] == [*RELEASED]


def test_links_are_made_before_what_needs_them_and_not_where_nothing_does() -> None:
    def lines(*only: str, minutes: float | None = None) -> list[str]:
        return [step.line() for step in Plan(data=Path("data"), out=Path("out"), only=only, minutes=minutes).steps()]

    whole = lines()
    assert whole[0] == "python -m release links --data data --links-out out/links"
    needing = [line for line in whole if "--links " in line]
    assert len(needing) == 10  # prepare for the guided run; dictionaries of the nine runs that have words and alpha
    for line in needing:
        for corpus in ("canada-laws", "tatoeba", "multi30k"):
            assert f"out/links/{corpus}.train.links" in line
    for without in (lines("rnnencdec-50", "rnnsearch-multi30k"), lines(minutes=3.0)):
        assert not [line for line in without if "links" in line]
    assert not [line for line in lines(minutes=3.0) if "guided" in line or "leave-one-out" in line]
    assert [line for line in whole if "leave-one-out" in line]
    with pytest.raises(InputError, match=r"rnnsearch-50-guided .*--budget"):
        Plan(data=Path("data"), out=Path("out"), only=("rnnsearch-50-guided",), minutes=3.0)


def test_each_aligner_is_made_of_runs_that_the_plan_makes_and_that_it_names() -> None:
    steps = {step.name: step for step in Plan(data=Path("data"), out=Path("out")).steps()}
    planned = {name.removeprefix("aligner-") for name in steps if name.startswith("aligner-")}
    assert planned == {folder.parent.name for folder in Path("aligners").glob("*/aligner.json")}
    names = list(steps)
    for name in planned:
        settings = read_aligner(Path("aligners") / name)
        options = parsed(["release", *steps[f"aligner-{name}"].arguments])
        assert [Path(run).name for run in options.runs] == settings.named("forward")
        assert [Path(run).name for run in options.reverse] == settings.named("reverse")
        assert options.pairs // len(options.source) * len(options.source) == settings.smoothing.pairs
        assert steps[f"counts-{name}"].arguments[-1] == options.out
        assert steps[f"counts-{name}"].arguments[4] == settings.target_language
        assert names.index(f"aligner-{name}") < names.index(f"counts-{name}"), (
            "its folder has to be new or an aligner's"
        )
        for run in (*options.runs, *options.reverse):
            assert names.index(f"release-{Path(run).name}") < names.index(f"aligner-{name}")
    some = Plan(data=Path("data"), out=Path("out"), only=("rnnsearch-en-fr",))
    assert not [step for step in some.steps() if step.name.startswith(("aligner", "counts"))]


def test_what_is_shipped_was_made_as_planned() -> None:
    """A checkpoint of a released name has the settings of the recipe that the plan trains it with, and was evaluated
    on the sets and gold links of the plan."""
    plan = Plan(data=Path("data"), out=Path("out"))
    for run in RELEASED_RUNS:
        folder = Path("checkpoints") / run.name
        if folder.exists():
            planned = recipe(run.recipe).override([*run.settings, *(f"search.{one}" for one in run.search)])
            assert read_run(folder).config == planned
            measured = {path.stem for path in (folder / "evaluation").glob("*.json")}
            assert measured == {known.name for known in run.test_sets}
            own = {known.name for known in run.test_sets if known.own}
            assert own <= read_stress(folder).keys()
            for name in own:
                assert read_stress(folder)[name].points
            assert (folder / "dictionary.tsv").exists() == run.dictionary
            for gold in (gold.name for gold in run.gold_links if gold.own):
                prefix = f"aer-{gold}-"
                planned = {name for step in plan.steps() if (name := step.name).startswith(prefix)}
                rates = read_error_rates(folder)[gold]
                found = {f"{prefix}{one.map}-{one.rule.split()[-1]}-{run.name}" for one in rates}
                assert found == {name for name in planned if name.endswith(f"-{run.name}")}


@pytest.mark.slow
def test_cards_and_overview_say_what_the_folders_hold() -> None:
    for run in RELEASED_RUNS:
        folder = Path("checkpoints") / run.name
        if folder.exists():
            assert (folder / "README.md").read_text(encoding="utf-8") == card(folder)
    assert Path("checkpoints/README.md").read_text(encoding="utf-8") == overview(Path("checkpoints"), "systems")


IN_TWO_PARTS = ReleasedRun(
    name="both",
    recipe="rnnsearch_small_corpora_continued",
    settings=("training.patience=6",),
    data="subwords-de-captions",
    before=(TrainingPart("rnnsearch_small_corpora", "subwords-de", ("training.hold=0.5",)),),
)


def test_a_chain_of_trainings_is_replayed_in_order(tmp_path: Path) -> None:
    plan = Plan(data=Path("data"), out=tmp_path, minutes=3.0, released=(IN_TWO_PARTS,))
    made, taken, first, second = plan.steps()[:4]
    assert {"--vocabulary", "bpe", f"{tmp_path}/data/subwords-de"} <= {*made.arguments}
    assert made.arguments[0] == taken.arguments[0] == "prepare"
    place = taken.arguments.index("--vocabularies-from")
    assert taken.arguments[place + 1] == f"{tmp_path}/data/subwords-de"
    for step, recipe_name, data, folder in (
        (first, "rnnsearch_small_corpora", "subwords-de", tmp_path / "runs" / "both-part-1"),
        (second, "rnnsearch_small_corpora_continued", "subwords-de-captions", tmp_path / "runs" / "both"),
    ):
        assert step.arguments[:4] == ("train", recipe_name, "--data", f"{tmp_path}/data/{data}")
        assert step.resumable == folder
        assert "training.max_minutes=1.5" in step.arguments
    assert ["training.patience=6" in step.arguments for step in (first, second)] == [False, True]
    assert ["training.hold=0.5" in step.arguments for step in (first, second)] == [True, False]
    assert first.initial == ()
    assert second.initial == ("--init-from", str(first.resumable))
    assert {str(path) for path in plan.files()} >= {"data/tatoeba-de/train.de.xz", "data/multi30k-de/dev.en.xz"}


def test_a_training_begins_with_the_mean_of_two_before_it(tmp_path: Path) -> None:
    run = replace(IN_TWO_PARTS, before=IN_TWO_PARTS.before * 2, mean=Mean(part=1, share=0.8))
    *_, second, mean, last = Plan(data=Path("data"), out=tmp_path, released=(run,)).steps()[:6]
    runs = tmp_path / "runs"
    assert mean.arguments == ("mean", f"{runs}/both-part-2", f"{runs}/both-part-1", "0.8", f"{runs}/both-mean")
    assert second.resumable == runs / "both-part-2"
    assert last.initial == ("--init-from", f"{runs}/both-mean")


def test_a_training_that_is_resumed_has_its_initial_weights_already(tmp_path: Path) -> None:
    second = Plan(data=Path("data"), out=tmp_path, released=(IN_TWO_PARTS,)).steps()[3]
    assert second.arguments_now() == (*second.arguments, "--init-from", f"{tmp_path}/runs/both-part-1")
    (tmp_path / "runs" / "both").mkdir(parents=True)
    (tmp_path / "runs" / "both" / "config.json").touch()
    assert second.arguments_now() == (*second.arguments, "--resume")


def test_an_unknown_run_is_named() -> None:
    with pytest.raises(InputError, match=r"'moses' .* rnnsearch-50, "):
        Plan(data=Path("data"), out=Path("out"), only=("moses",))


@pytest.mark.slow
@pytest.mark.thorough
def test_from_corpora_to_tables(corpora: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = [
        "release",
        "reproduce",
        "--data",
        str(corpora),
        "--out",
        str(out),
        "--only",
        "rnnsearch-30",
        "rnnencdec-30",
    ]
    assert main([*arguments, "--budget", "0.1"]) == 0
    tables = capfd.readouterr().out
    for name in (
        "rnnsearch-30",
        "rnnencdec-30",
        *(known.name for known in CORPORA if known.corpus in ("canada-laws", "tatoeba", "multi30k")),
        "all test sets",
        "Figure 2",
        "Alignment against",
        "Table 2",
    ):
        assert name in tables
    written = (out / "checkpoints" / "rnnsearch-30" / "README.md").read_text(encoding="utf-8")
    for text in ("RNNsearch", "int8", "## Training", "command", "## Data", "tatoeba/train.en.xz", "## Scores", "AER"):
        assert text in written
    assert str(tmp_path) not in written
    page = (out / "checkpoints" / "README.md").read_text(encoding="utf-8")
    for text in (
        "[rnnsearch-30]",
        "[rnnencdec-30]",
        "Table 1",
        "Table 2",
        "CC BY 2.0 FR",
        "paired bootstrap",
        "jointly",
    ):
        assert text in page
    assert main([*arguments, "--budget", "0.1"]) == 0  # nothing is left to do
    again = capfd.readouterr()
    assert again.out == tables
    assert "[1/" not in again.err
    assert main([*arguments, "--budget", "0.2"]) == 2
    assert re.search(rf" {re.escape(str(out))} .*--out\b", capfd.readouterr().err)


@pytest.mark.parametrize(("split", "kept"), [("train", 20_000), ("dev", 300), ("test2016", 60)])
def test_a_trial_takes_the_first_sentences_of_each_part(split: str, kept: int, tmp_path: Path) -> None:
    (tmp_path / "whole").write_text("".join(f"{number}\n" for number in range(20_005)), encoding="utf-8")
    out = tmp_path / "trial" / f"{split}.en.xz"
    _shorten(tmp_path / "whole", out)
    with lzma.open(out, "rt") as file:
        assert file.read().split() == [str(number) for number in range(kept)]
