"""A card with all that a card can have, and the page of two such runs, as they were read and found right."""

import json
import re
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from nmt.config import SearchSettings
from nmt.evaluation.evaluation_files import write_evaluation
from nmt.evaluation.measurement_files import MeasuredErrorRate, StoredStress, write_error_rates, write_stress
from nmt.files import write_json
from nmt.results import Interval, RetentionPoint, Span, StopEvent, UpdateEvent, ValidationEvent, event_to_dict
from nmt.runs.folder import results_folder
from nmt.runs.provenance import CorpusUsed, Machine, Provenance, Session
from release.card import card
from release.overview import overview
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.kept import compare_with_kept
from tests.programs import Commands, main

KEPT = Path(__file__).parent / "kept"
SETS = ("tatoeba-test", "multi30k-test2016", "newstest2014", "mine")
MACHINE = Machine(processor="a processor", cores=4, memory_gb=8, system="Linux", python="3.13", torch="2.9")


def trained(run: Path) -> None:
    """Write what a training leaves in a run folder beside the weights."""
    corpora = [
        CorpusUsed(
            source=f"{name}.en",
            target=f"{name}.fr",
            source_sha256=letter * 64,
            target_sha256="f" * 64,
            repeat=repeat,
            read=12345,
            kept=12000 + repeat,
            links_sha256="9" * 64 if repeat > 1 and run.name == "second" else None,
        )
        for name, letter, repeat in (("tatoeba/train", "a", 2), ("mine", "b", 1), ("tatoeba/dev", "c", 1))
    ]
    sessions = [
        Session(command="jointly train debug --run x", commit=commit, device="cpu", processes=2, threads=3,
                from_update=update, machine=replace(MACHINE, accelerator=accelerator))
        for commit, update, accelerator in (("abc", 0, ""), ("", 1200, "a GPU"))
    ]  # fmt: skip
    origin = Provenance(train=tuple(corpora[:2]), dev=tuple(corpora[2:]), pairs_per_epoch=36002, tokens=900,
                        sessions=tuple(sessions), preparation="jointly prepare --out y")  # fmt: skip
    write_json(run / "provenance.json", {"format": 1, **asdict(origin)})
    best = ValidationEvent(
        update=1200, nll_per_word=2.3456, nll_per_sentence=46.9, bleu=None, best=True, seconds=1800.0
    )
    update = UpdateEvent(update=1200, epoch=0.5, nll_per_word=2.1111, nll_per_sentence=33.3333, seconds=1700.0,
                         words_per_second=12345.6, gradient_norm=1.0, learning_rate=1.0)  # fmt: skip
    later = replace(best, update=2400, nll_per_word=2.6543, nll_per_sentence=53.1, best=False, seconds=3500.0)
    events = [update, best, later, StopEvent(update=2400, reason="enough", seconds=3600.0)]
    (run / "training.jsonl").write_text("".join(json.dumps(event_to_dict(each)) + "\n" for each in events), "utf-8")


def measured(run: Path, kept: float) -> None:
    """Write what is measured of a run: into its folder or, of a released one, beside it."""
    results, given = results_folder(run, False), texts([3, 8, 12, 25] * 12, 1, kept)
    for name in SETS[: None if run.name == "second" else 2]:
        write_evaluation(results, evaluated(run.name, name, given, [0, 1] * 24))
    rates = [
        MeasuredErrorRate(links=50, sure=40, possible=60, sure_found=35 + k, possible_found=45, sentences=50,
                          run=run.name, update=7, map=weights, rule=rule, interval=Interval(0.2, 0.3))
        for k, (weights, rule) in enumerate((("attention", "argmax"), ("posterior", "posterior grow-diag")))
    ]  # fmt: skip
    write_error_rates(run, "jointly-150", rates, into_run=False)
    for name, interval in (("tatoeba-test", Interval(0.7, 0.9)), ("mine", None)):
        points = [RetentionPoint(span=span, texts=20, sentences=70, source_words=25.0, bleu=kept * 30, bleu_apart=30.0,
                                 kept=kept, interval=interval) for span in (Span(21, 30), Span(31, 40))]  # fmt: skip
        stress = StoredStress(run=run.name, test_set=name, source_sha256="1" * 64, reference_sha256="2" * 64,
                              weights_sha256="", search=SearchSettings(beam=5), precision="fp32",
                              tokeniser="13a", retention=tuple(points))  # fmt: skip
        write_stress(run, stress, into_run=False)


@pytest.fixture(scope="module")
def folder(random_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of each architecture and kind of vocabulary."""
    root = tmp_path_factory.mktemp("pages")
    for name, run, kept in (("first", "encdec-bpe", 0.6), ("second", "search-words", 0.8)):
        trained(shutil.copytree(random_runs / run, root / name))
        measured(root / name, kept)
    return root


def without_versions(page: str) -> str:
    """Without what depends on the versions of torch and sacreBLEU."""
    return re.sub(r"SHA-256 `[0-9a-f]{64}`", "SHA-256 `…`", re.sub(r"version:[\w.]+", "version:…", page))


@pytest.mark.parametrize("name", ["first", "second"])
def test_a_card_is_as_it_was_found_right(name: str, folder: Path, request: pytest.FixtureRequest) -> None:
    compare_with_kept(KEPT / f"card-{name}.md", without_versions(card(folder / name)), request)


def test_the_page_of_a_folder_is_as_it_was_found_right(folder: Path, request: pytest.FixtureRequest) -> None:
    compare_with_kept(KEPT / "overview.md", without_versions(overview(folder)), request)


def test_the_tables_of_two_runs_are_as_they_were_found_right(
    folder: Path, request: pytest.FixtureRequest, cli: Commands
) -> None:
    words = ["compare", str(folder / "first"), str(folder / "second"), "--set", "tatoeba-test", "--set", "newstest2014"]
    compare_with_kept(KEPT / "compare.txt", without_versions(cli.printed(*words, "--resamples", "40")), request)
    data = json.loads(cli.printed(*words, "--resamples", "40", "--json"))
    assert [row["run"] for row in data["trainings"]] == ["first", "second"]
    found = {name: {gold: len(rates) for gold, rates in each.items()} for name, each in data["alignment"].items()}
    assert found == {name: {"jointly-150": 2} for name in ("first", "second")}


def test_what_others_measure_of_a_released_run_is_no_part_of_its_card(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOINTLY_RESULTS", str(tmp_path / "results"))
    run = tmp_path / "run"
    assert main(["release", "publish", str(folder / "second"), str(run)]) == 0
    before = card(run), overview(tmp_path)
    measured(run, 0.8)
    assert [path.name for path in (tmp_path / "results").iterdir()] == [results_folder(run, False).name]
    assert (card(run), overview(tmp_path)) == before
    assert not set(SETS) & {word for page in before for word in page.split()}
