"""A run's own search settings: every way to translate starts from them."""

import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import nmt
from nmt.answers.keys import search_key
from nmt.answers.service import ComputeService
from nmt.cli.lines import Bar
from nmt.config import MOST_BEAM, MOST_PENALTY, Config, SearchSettings, multiplies_integers, search_precision
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.test_set import TestSet
from nmt.model.kernels import has_integer_products
from nmt.results import Translation
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import CONFIG, read_run, read_settings, write_settings
from nmt.serve.app import Service
from nmt.serve.messages import Limits
from nmt.ui.length.choose import MeasuredSystem
from nmt.ui.length.select import evaluation_task
from nmt.ui.tasks import TranslateTask, chosen_settings
from tests.oracles.random_run import random_run
from tests.programs import Commands, main

SOURCES = ["the girl reads , the cat sleeps .", "she has never seen the sea", "a cat is on the mat ."]
OWN = SearchSettings(beam=7, length_penalty=1.0, no_unk=True)
USUAL = search_precision()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose translations depend on its search settings."""
    folder = random_run(tmp_path_factory.mktemp("settings") / "own", hidden=16)
    settings = read_settings(folder)
    write_settings(folder, replace(settings, config=replace(settings.config, search=OWN)))
    return folder


@pytest.fixture(scope="module")
def expected(run: Path) -> list[Translation]:
    model = nmt.load(run)
    found = model.translate(SOURCES, OWN)
    assert [t.best.text for t in found] != [t.best.text for t in model.translate(SOURCES, SearchSettings())]
    return found


def scores(translations: list[Translation]) -> list[tuple[str, float, float]]:
    return [(t.best.text, round(t.best.log_probability, 4), round(t.best.score, 4)) for t in translations]


def test_python(run: Path, expected: list[Translation]) -> None:
    model = nmt.load(run)
    assert (model.search_settings, model.precision) == (OWN, USUAL)
    assert scores([model.translate(source) for source in SOURCES]) == scores(expected)
    assert scores(model.translate(SOURCES)) == scores(expected)
    assert scores(list(model.translate_stream(SOURCES))) == scores(expected)
    changed = model.translate(SOURCES[0], beam=3)
    assert scores([changed]) == scores([model.translate(SOURCES[0], replace(OWN, beam=3))])


def test_command(run: Path, expected: list[Translation], monkeypatch: pytest.MonkeyPatch, cli: Commands) -> None:
    text = "".join(line + "\n" for line in SOURCES)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    found = [json.loads(line) for line in cli.printed("translate", str(run), "--json").splitlines()]
    assert [each["systems"][0]["text"] for each in found] == [t.best.text for t in expected]
    changed = {"beam": 7, "length_penalty": 1.0, "no_unk": True}
    used = changed | {"n_best": 1, "replace_unk": None, "hard_attention": False}
    used |= {"precision": USUAL, "engine": nmt.load(run).engine}
    assert all(each["systems"][0]["search"] == used for each in found)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    plain = [
        json.loads(line)["systems"][0]["text"]
        for line in cli.printed(
            "translate", str(run), "--json", "--unk", "--beam", "2", "--length-penalty", "0"
        ).splitlines()
    ]
    assert plain == [t.best.text for t in nmt.load(run).translate(SOURCES, SearchSettings(beam=2))]


def test_evaluation(run: Path, tmp_path: Path, expected: list[Translation]) -> None:
    """The evaluation keeps its settings, and counts what the run writes with them."""
    for name, lines in (("source", SOURCES), ("reference", [t.best.text for t in expected])):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference")]
    assert main(["evaluate", str(run), *files, "--name", "own"]) == 0
    evaluation = read_evaluated_system(run).evaluations["own"]
    assert evaluation.no_unk is not None
    assert (evaluation.no_unk.search, evaluation.no_unk.precision) == (OWN, USUAL)
    assert evaluation.no_unk.ter == 0
    assert "|beam:7|lp:1|unk:no|" in evaluation.no_unk.signature
    assert main(["evaluate", str(run), *files, "--name", "both", "--table-1"]) == 0
    both = read_evaluated_system(run).evaluations["both"]
    assert both.no_unk is not None
    assert both.no_unk.search == OWN
    assert both.everything is not None
    assert both.everything.search == replace(OWN, no_unk=False)


def test_app(run: Path, expected: list[Translation]) -> None:
    """One sentence and a whole text on Translate, and an evaluation on Lengths; a page chooses beam and [UNK]."""
    info = read_run(run)
    settings = chosen_settings(info, beam=7, unknown="forbid")
    assert settings == OWN
    task = TranslateTask(info, SOURCES[0], settings)
    assert scores([ComputeService().compute(task, Bar())]) == scores(expected[:1])
    system = MeasuredSystem(name="own", evaluated=read_evaluated_system(run), run=info)
    test = TestSet(name="own", sources=SOURCES, references=SOURCES)
    assert evaluation_task(system, test, no_unk=False).settings == OWN


def test_stress(run: Path, tmp_path: Path, expected: list[Translation], cli: Commands) -> None:
    """One sentence at a time, its texts are those of the run's own search."""
    for name, lines in (("source", SOURCES), ("reference", [t.best.text for t in expected])):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference")]
    found = json.loads(cli.printed("stress", str(run), *files, "--most", "1", "--json"))
    assert found["search"]["own"] == asdict(OWN) | {"precision": USUAL}
    (point,) = found["systems"]["own"]
    assert point["bleu"] == pytest.approx(100)


def test_service(run: Path, expected: list[Translation]) -> None:
    with TestClient(Service([nmt.load(run)], Limits())) as client:
        answer = client.post("/translate", json={"sentences": SOURCES}).json()
    assert answer["search"] == asdict(OWN) | {"precision": USUAL, "engine": nmt.load(run).engine}
    assert [each["systems"][0]["text"] for each in answer["translations"]] == [t.best.text for t in expected]


def test_released_with_settings(run: Path, tmp_path: Path) -> None:
    arguments = [
        "release",
        "publish",
        str(run),
        str(tmp_path / "out"),
        "--search",
        "length_penalty=0.5",
        "--search",
        "beam=5",
    ]
    assert main(arguments) == 0
    assert nmt.load(tmp_path / "out").search_settings == replace(OWN, length_penalty=0.5, beam=5)
    assert main(["release", "publish", str(run), str(tmp_path / "other"), "--search", "width=5"]) == 2
    assert main(["release", "publish", str(run), str(tmp_path / "other"), "--search", "beam=0"]) == 2
    assert not (tmp_path / "other").exists()


def test_a_folder_from_before_has_the_usual_ones(run: Path, tmp_path: Path) -> None:
    data = json.loads((run / CONFIG).read_text())
    del data["search"]
    (tmp_path / CONFIG).write_text(json.dumps(data))
    assert read_settings(tmp_path).config.search == SearchSettings() == Config().search


@pytest.mark.parametrize(
    "wrong",
    [
        {"beam": 0},
        {"beam": MOST_BEAM + 1},
        {"beam": 2, "n_best": 3},
        {"n_best": 0},
        {"length_penalty": -0.1},
        {"length_penalty": MOST_PENALTY + 1},
        {"length_penalty": float("nan")},
        {"replace_unk": "always"},
        {"no_unk": 1},
    ],
)
def test_settings_out_of_range_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(reversed(wrong)) if "n_best" in wrong else "|".join(wrong)):
        SearchSettings(**wrong)  # type: ignore[arg-type]


def test_the_usual_precision_is_int8_where_something_multiplies_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told without torch, so that the app finds its answers without loading a model."""
    assert search_precision(device="cuda") == search_precision("int8", "cuda") == "fp32"
    assert ("int8" if has_integer_products() else "fp32") == USUAL
    monkeypatch.setattr("nmt.native.library", lambda: None)
    without = multiplies_integers.__wrapped__()
    assert without == has_integer_products()
    for there, precision in ((False, "fp32"), (True, "int8")):
        monkeypatch.setattr("nmt.config.multiplies_integers", lambda there=there: there)
        assert search_precision() == search_precision("int8") == precision
        assert [search_precision(asked) for asked in ("fp32", "bf16")] == ["fp32", "bf16"]


def test_a_result_names_the_precision_it_was_computed_in(random_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing multiplies integers, an int8 that is asked for is fp32, and so says the key of the answer."""
    fingerprint = read_fingerprint(read_run(random_runs / "search-words"))
    assert nmt.load(random_runs / "search-words", precision="int8").precision == USUAL
    monkeypatch.setattr("nmt.config.multiplies_integers", lambda: False)
    assert nmt.load(random_runs / "search-words", precision="int8").precision == "fp32"
    assert search_key(OWN, fingerprint, "int8") == search_key(OWN, fingerprint, "fp32")
