"""The section Train: texts are checked at once, what is shown is what is queued, and jobs are watched and changed."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from streamlit.testing.v1 import AppTest

from nmt.errors import InputError
from nmt.jobs.job import Process, find, list_jobs, read_job, write_job
from nmt.jobs.probe import Estimate
from nmt.results import StopEvent, UpdateEvent, ValidationEvent, event_to_dict
from nmt.ui import strings as shared
from nmt.ui.train import plan, strings, watch

APP = Path(__file__).parents[3] / "app.py"
SOURCE = "".join(f"{'one two three'[: 3 + n % 9]} four .\n" for n in range(40))


@pytest.fixture
def place(runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of runs beside a checkpoint; no process is started."""
    monkeypatch.setattr(plan, "ensure_runner", lambda _: None)
    monkeypatch.setattr(watch, "ensure_runner", lambda _: None)
    monkeypatch.setenv("JOINTLY_RUNS", str(runs))
    write_run(runs / "search")
    return runs


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.switch_page("pages/models.py")
    app.query_params["show"] = "train"
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def upload(app: AppTest, *texts: str) -> None:
    for field, (number, text) in zip(app.file_uploader, enumerate(texts), strict=False):
        field.upload(f"file-{number}.txt", text.encode(), "text/plain")
    app.run()
    assert not app.exception


def button(app: AppTest, label: str) -> Any:
    return next(each for each in app.button if each.label == label)


def said(app: AppTest) -> str:
    return " ".join(each.value for each in (*app.error, *app.warning, *app.info, *app.caption))


def test_uploaded_texts_are_checked_and_what_is_shown_is_queued(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(texts="upload")
    assert strings.GIVE_FILES[:30] in said(app)
    upload(app, SOURCE, SOURCE.upper())
    assert "36 of 36" in str(app.dataframe[0].value)
    estimate = Estimate(updates=7000, words=1e6, minutes=12.5, disk=3e7, memory=5e8)
    monkeypatch.setattr(plan, "probe", lambda training, on_second: estimate)
    button(app, strings.ESTIMATE.format(seconds=20)).click().run()
    assert [each.value for each in app.metric][:2] == ["12.5", "7,000"]
    made, shown = next(each.value for each in app.code if "jointly train" in each.value).split("\n")
    files = shlex.split(made)[shlex.split(made).index("--corpus") :][1:3]
    assert [Path(file).read_text().split("\n")[0] for file in files] == ["one four .", "ONE FOUR ."]
    button(app, strings.START).click().run()
    assert not app.exception
    (one,) = list_jobs(plan.root())
    assert one.state == "queued"
    assert shlex.split(shown) == ["jointly", *one.job.command]
    assert (one.run / "data" / "prepared.json").is_file() or any((one.run / "data").iterdir())


def test_what_failed_is_said_until_it_is_asked_for_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A download that fails takes seconds, so it is not tried again whenever anything else is changed."""
    tried = []

    def refuse(name: str, out: Path, **_: object) -> None:
        tried.append(name)
        raise InputError("there is no connection")

    monkeypatch.setattr(plan, "get", refuse)
    app = opened(texts="corpus", corpus="tatoeba-de")
    (corpora,) = (each for each in app.selectbox if each.label == strings.CORPUS)
    assert len(set(corpora.options)) == len(corpora.options) > 5
    assert corpora.value == "tatoeba-de"
    button(app, strings.CHECK).click().run()
    next(each for each in app.number_input if each.label == strings.UPDATES).set_value(7).run()
    assert said(app).count("there is no connection") == 1
    assert tried == ["tatoeba-de"]
    button(app, strings.CHECK).click().run()
    assert said(app).count("there is no connection") == 1
    assert tried == ["tatoeba-de"] * 2


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ((SOURCE, "one\ntwo\n"), "has 40 lines and"),
        (("a\tb\n" * 20 + "c\n",), "line 21 has 0 tabs; a line of pairs has one, unless"),
        (("a\tb\n" * 9,), "9 sentence pairs are too few"),
    ],
)
def test_texts_that_do_not_match_get_one_sentence(place: Path, texts: tuple[str, ...], sentence: str) -> None:
    app = opened(texts="upload")
    upload(app, *texts)
    (error,) = app.error
    assert sentence in error.value.replace("\\", "")
    assert not [each for each in app.button if each.label == strings.START]


def test_the_example_can_be_started_at_once(place: Path) -> None:
    app = opened()
    button(app, strings.START).click().run()
    assert not app.exception
    (one,) = list_jobs(plan.root())
    assert one.job.command[1] == "grammar_ko"
    assert one.name == "grammar-ko-en"


def test_the_form_is_closed_by_a_start(place: Path) -> None:
    """The browser keeps an opened form open, and what was started is above it: so it gets a form of its own."""

    def form(app: AppTest) -> Any:
        return next(each for each in app.expander if each.label == strings.NEW)

    app = opened()
    assert form(app).proto.expanded
    before = form(app).key
    button(app, strings.START).click().run()
    assert not form(app).proto.expanded
    assert form(app).key != before


def test_an_open_server_trains_only_if_it_is_allowed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "is_open", lambda: True)
    app = opened()
    assert strings.OFF in said(app)
    assert not app.file_uploader
    monkeypatch.setenv("JOINTLY_TRAIN", "yes")
    app = opened()
    assert strings.OFF not in said(app)
    options = next(each for each in app.get("button_group") if "Korean" in str(each.options)).options
    assert "Files on this machine" not in str(options)


def test_a_job_is_watched_paused_noted_and_resumed(place: Path) -> None:
    app = opened()
    button(app, strings.START).click().run()
    (one,) = list_jobs(plan.root())
    with psutil.Popen(["sleep", "600"]) as process:
        write_job(one.run, replace(one.job, process=Process(process.pid, process.create_time())))
        events = [
            UpdateEvent(update=n, epoch=1, nll_per_word=5 - n / 40, nll_per_sentence=9, words_per_second=1000 + n,
                        gradient_norm=1.5, learning_rate=0.005, seconds=n / 2)
            for n in range(10, 100, 10)
        ]  # fmt: skip
        checked = ValidationEvent(update=80, nll_per_word=2.25, nll_per_sentence=20, bleu=31.5, best=True, seconds=40)
        lines = "".join(json.dumps(event_to_dict(event)) + "\n" for event in (*events, checked))
        (one.run / "training.jsonl").write_text(lines)
        app = opened()
        values = {each.label: each.value for each in app.metric}
        assert (values["Dev BLEU"], values["Dev NLL"], values["Words per second"]) == ("31.5", "2.25", "1,090")
        left = watch._time_left(800, [event for event in events if event.update > 40])
        assert left == ", about 5 min 55 s left (between 5 min 55 s and 5 min 55 s)"
        assert {each.help for each in app.metric} == set(strings.ABOUT_MEASURES)
        app.text_input(key=f"note-{one.name}").set_value("a note").run()
        button(app, strings.STOP).click().run()
        assert process.wait(20) == -15
    app.run()
    assert find(plan.root(), one.name).state == "stopped"
    assert read_job(one.run).note == "a note"
    app = opened(jobs=one.name)
    button(app, strings.RESUME).click().run()
    assert find(plan.root(), one.name).state == "queued"
    button(app, shared.DELETE).click().run()
    assert not app.exception
    assert list_jobs(plan.root()) == []


def test_why_a_job_failed_is_said_and_two_curves_are_one_figure(place: Path) -> None:
    app = opened()
    for _ in range(2):
        button(app, strings.START).click().run()
    for one in list_jobs(plan.root()):
        write_job(one.run, replace(one.job, process=Process(2**22 + 1, 1.0), error="the loss is not a number"))
        stop = StopEvent(update=3, reason="interrupted by SIGTERM", seconds=1)
        checked = ValidationEvent(update=2, nll_per_word=2.25, nll_per_sentence=20, bleu=None, best=True, seconds=1)
        lines = "".join(json.dumps(event_to_dict(event)) + "\n" for event in (checked, stop))
        (one.run / "training.jsonl").write_text(lines)
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.switch_page("pages/models.py")
    app.query_params["show"] = "train"
    app.query_params["jobs"] = [one.name for one in list_jobs(plan.root())]
    app.run()
    assert not app.exception
    assert [each.value for each in app.warning].count("the loss is not a number.") == 2
    data = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert len(data) == 2
