"""The section Train: texts are checked at once, what is shown is what is queued, and jobs are watched and changed."""

import json
import os
import random
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock
from urllib.parse import parse_qs

import psutil
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

import nmt
from nmt.answers.request import Progress
from nmt.data.corpora.registry import CORPORA
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import open_prepared
from nmt.data.tokenised import Corpus
from nmt.data.uploads import write_pairs
from nmt.errors import InputError
from nmt.jobs.job import Job, Process, Training, find, list_jobs, read_job, write_job
from nmt.jobs.probe import Estimate
from nmt.recipes import RECIPES, recipe
from nmt.results import Languages, StopEvent, UpdateEvent, ValidationEvent, event_to_dict
from nmt.runs.folder import read_run, read_settings, write_settings
from nmt.texts import APP as APP_TEXTS
from nmt.texts import LEARN, MODELS, TRAIN, texts_in
from nmt.ui.learn.training import by_heart
from nmt.ui.train import plan, watch
from tests.answers.onlooker import Onlooker
from tests.results.events import reported
from tests.ui.drawn import drawn
from tests.ui.learn.learn_page import save_steps
from tests.ui.opened import again, opened, settled

APP = Path(__file__).parents[3] / "app.py"
SOURCE = "".join(f"{'one two three'[: 3 + n % 9]} four {n} .\n" for n in range(40))
HELD_OUT = {*random.Random(1).sample(range(40), 4)}
"""Rows that are kept for validation."""
FIRST = min({*range(40)} - HELD_OUT)
ESTIMATE = Estimate(updates=7000, words=1e6, minutes=12.5, disk=3e7, memory=5e8)


@pytest.fixture
def place(runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of runs beside a checkpoint; no process is started."""
    monkeypatch.setattr(plan, "ensure_runner", lambda _: None)
    monkeypatch.setattr(watch, "ensure_runner", lambda _: None)
    monkeypatch.setenv("JOINTLY_RUNS", str(runs))
    write_run(runs / "search")
    return runs


@contextmanager
def server(address: str) -> Iterator[None]:
    """A server at an address, as far as the pages can see."""
    real = streamlit.get_option
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streamlit, "get_option", lambda name: address if name == "server.address" else real(name))
        yield


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
    app = opened("models", show="train", texts="upload")
    assert TRAIN.by_key.give["upload"].format(seed=1) in said(app)
    rows = SOURCE.split("\n")[:-1]
    *_, blank, long = sorted({*range(40)} - HELD_OUT)
    rows[blank], rows[long] = "", "word " * 51
    source = "\n".join(rows) + "\n"
    upload(app, source, SOURCE.upper())
    checked = app.dataframe[0].value.fillna("").to_numpy().tolist()
    assert [row[:3] for row in checked] == [
        [TRAIN.for_training, "34 of 36", "1 blank, 1 too long"],
        [TRAIN.for_validation, "4 of 4", ""],
    ]
    kept = [len(row.split()) for n, row in enumerate(rows) if n not in HELD_OUT and 0 < len(row.split()) < 50]
    assert checked[0][3] == f"{sum(kept) / 34:.1f}"
    monkeypatch.setattr(plan, "probe", lambda training, on_second: ESTIMATE)
    button(app, TRAIN.estimate.format(seconds=20)).click().run()
    assert [each.value for each in app.metric][:2] == ["12.5", "7,000"]
    assert TRAIN.few_pairs.format(pairs=34, least=2000) in said(app)
    made, shown = next(each.value for each in app.code if "jointly train" in each.value).split("\n")
    files = shlex.split(made)[shlex.split(made).index("--corpus") :][1:3]
    line = SOURCE.split("\n")[FIRST]
    assert [Path(file).read_text().split("\n")[0] for file in files] == [line, line.upper()]
    app.text_area(key="settings").set_value("training.seed=7\n\n model.dropout=0.1 ").run()
    shown = next(each.value for each in app.code if "jointly train" in each.value).split("\n")[1]
    assert shown.endswith(" --set training.seed=7 --set model.dropout=0.1")
    assert str(place / "rnnsearch-96-en-fr") in shown  # a small model for few pairs
    assert " --set training.weights=last " in shown  # few pairs for validation cannot choose
    button(app, TRAIN.start).click().run()
    assert not app.exception
    (one,) = list_jobs(plan.root())
    assert one.state == "queued"
    assert shlex.split(shown) == ["jointly", *one.job.command]
    assert (one.run / "data" / "prepared.json").is_file() or any((one.run / "data").iterdir())


def test_a_translation_memory_is_both_sides_and_an_n_best_list_is_refused(place: Path) -> None:
    units = "".join(
        f'<tu><tuv xml:lang="fr"><seg>{line.upper()}</seg></tuv><tuv xml:lang="en"><seg>{line}</seg></tuv></tu>'
        for line in SOURCE.split("\n")[:-1]
    )
    app = opened("models", show="train", texts="upload")
    upload(app, f'<?xml version="1.0"?><tmx version="1.4"><header srclang="fr"/><body>{units}</body></tmx>')
    assert app.dataframe[0].value.to_numpy().tolist()[0][:2] == [TRAIN.for_training, "36 of 36"]
    made = next(each.value for each in app.code if "jointly train" in each.value).split("\n")[0]
    files = shlex.split(made)[shlex.split(made).index("--corpus") :][1:3]
    line = SOURCE.split("\n")[FIRST]
    assert [Path(file).read_text().split("\n")[0] for file in files] == [line, line.upper()]
    app = opened("models", show="train", texts="upload")
    listed = "".join(f"{k} ||| {line} ||| -1\n" for k, line in enumerate(SOURCE.split("\n")[:-1]))
    upload(app, listed, SOURCE)
    assert "is an n-best list" in said(app).replace("\\", "")


def paste(*texts: str) -> AppTest:
    app = opened("models", show="train", texts="paste")
    assert TRAIN.by_key.give["paste"].format(seed=1) in said(app)
    for title, text in zip(TRAIN.forms.boxes, texts, strict=False):
        app.text_area(key=title).set_value(text)
    return again(app)


def test_pasted_pairs_are_read_like_files(place: Path) -> None:
    assert not paste("one\ntwo\n").error  # the second box is not filled yet
    rows = SOURCE.split("\n")[:-1]
    table = "".join(f"{row}\t{row.upper()}\n" for row in rows)
    for texts in ((table + "\n\n",), (SOURCE, "\n".join(map(str.upper, rows)))):
        app = paste(*texts)
        assert app.dataframe[0].value.to_numpy().tolist()[0][:2] == [TRAIN.for_training, "36 of 36"]
        made = next(each.value for each in app.code if "jointly train" in each.value).split("\n")[0]
        files = shlex.split(made)[shlex.split(made).index("--corpus") :][1:3]
        assert [Path(file).read_text().split("\n")[0] for file in files] == [rows[FIRST], rows[FIRST].upper()]
        assert button(app, TRAIN.take_pairs)
        name = "".join(app.query_params["pasted"])  # fills the boxes after a way back, a reload, or in a link
        for address, boxes in ((name, [*texts, ""][:2]), (f"../texts/{name}", ["", ""]), ("gone", ["", ""])):
            app = opened("models", show="train", texts="paste", pasted=address)
            assert [app.text_area(key=title).value for title in TRAIN.forms.boxes] == boxes


def test_the_languages_of_pairs_are_in_the_address_and_begin_with_the_readers(place: Path) -> None:
    app = opened("models", show="train", texts="paste", lang="ko")
    fields = {each.label: each for each in app.selectbox}
    source, target = (texts_in("ko")[f"train.{side}"] for side in ("source", "target"))
    assert (fields[source].value, fields[target].value) == ("ko", "en")
    fields[target].set_value("de").run()
    assert app.query_params["into"] in ("de", ["de"])


def test_what_failed_is_said_until_it_is_asked_for_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A download that fails takes seconds, so it is not tried again whenever anything else is changed."""
    tried = []

    def refuse(name: str, out: Path, **_: object) -> None:
        tried.append(name)
        raise InputError("there is no connection")

    monkeypatch.setattr(plan, "get", refuse)
    app = opened("models", show="train", texts="corpus", corpus="tatoeba-de")
    (corpora,) = (each for each in app.selectbox if each.label == TRAIN.corpus)
    assert len(set(corpora.options)) == len(corpora.options) > 5
    assert corpora.value == "tatoeba-de"
    button(app, TRAIN.check).click().run()
    next(each for each in app.number_input if each.label == TRAIN.updates).set_value(7).run()
    assert said(app).count("there is no connection") == 1
    assert tried == ["tatoeba-de"]
    button(app, TRAIN.check).click().run()
    assert said(app).count("there is no connection") == 1
    assert tried == ["tatoeba-de"] * 2


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ((SOURCE, "one\ntwo\n"), "has 40 lines and"),
        (("".join(f"{n}\tb\n" for n in range(9)),), "9 different sentence pairs are too few"),
        (("a\tb\nc d\n",), ", line 2 has 0 tabs;"),
    ],
)
def test_texts_that_do_not_match_get_one_sentence(place: Path, texts: tuple[str, ...], sentence: str) -> None:
    app = opened("models", show="train", texts="upload")
    upload(app, *texts)
    for page in (app, paste(*texts)):
        (error,) = page.error
        assert sentence in error.value.replace("\\", "")
        assert not [each for each in page.button if each.label == TRAIN.start]


def test_the_example_can_be_started_at_once(place: Path) -> None:
    app = opened("models", show="train")
    (batch,) = [each for each in app.expander if each.label == TRAIN.first_batch.format(count=50)]
    assert not any("training.weights" in each.value for each in app.code)  # its pairs choose, as in the paper
    sides = [[line.split() for line in each.value.split("\n")] for each in batch.text]
    assert len(sides) == 2 * 4
    assert all(len(tokens) == len(ids) and "".join(ids).isdigit() for tokens, ids in sides)
    button(app, TRAIN.start).click().run()
    assert not app.exception
    (one,) = list_jobs(plan.root())
    assert one.job.command[1] == "grammar_ko"
    assert one.name == "grammar-ko-en"


def test_many_unknown_words_are_warned_of(place: Path) -> None:
    app = opened("models", show="train", texts="upload", vocabulary="words")
    upload(app, SOURCE, "".join(f"word{n % 3} {n}\n" for n in range(40)))
    app.number_input(key="size-words").set_value(20).run()
    rows = app.dataframe[0].value.to_numpy().tolist()
    (told,) = (each.value for each in app.warning if TRAIN.forms.sides[0] in each.value)
    assert TRAIN.many_unknown.partition("{shares}")[2] in told
    for side, column, percent in zip(TRAIN.forms.sides, (-2, -1), re.findall(r"(\d+) %", told), strict=True):
        share = max(float(row[column].rstrip("%")) for row in rows)
        assert share > 10
        assert side in told
        assert int(percent) == pytest.approx(share, abs=0.6)
    app = opened("models", show="train", texts="upload", **{"begin-own": "run:search"})
    upload(app, SOURCE, "".join(f"word{n % 3} {n}\n" for n in range(40)))
    assert TRAIN.many_unknown_adapted.partition("{shares}")[2] in app.warning[-1].value


@pytest.mark.parametrize("kind", ["rnnencdec", "both"])
def test_a_model_without_attention_can_be_trained_alone_or_beside_the_other(kind: str, place: Path) -> None:
    app = opened("models", show="train", texts="example", architecture=kind)
    commands = [line.split() for each in app.code for line in each.value.split("\n") if "jointly train" in line]
    button(app, TRAIN.start).click().run()
    assert not app.exception
    told = TRAIN.by_key.about_architectures[kind].format(about=RECIPES["grammar_ko"].about.strip(), recipe="grammar_ko")
    assert told in [caption.value.replace("\\", "") for caption in app.caption]
    names = [*(["grammar-ko-en"] if kind == "both" else []), "rnnencdec-grammar-ko-en"]
    jobs = list_jobs(plan.root())
    assert [one.name for one in jobs] == names
    assert [[*one.job.command] for one in jobs] == [words[1:] for words in commands]
    assert app.query_params["jobs"] == (names if kind == "both" else names[0])
    ask = [recipe("grammar_ko").override(assigned(one.job.command)) for one in jobs]
    assert [config.model.architecture for config in ask] == ["rnnsearch", "rnnencdec"][-len(names) :]
    assert len({config.training for config in ask}) == 1
    if kind == "both":  # the other's name is free, too
        shutil.rmtree(jobs[0].run)
    app = opened("models", show="train", texts="example", architecture="both")
    (name,) = (each.value for each in app.text_input if each.label == TRAIN.name)
    assert name == "grammar-ko-en-2"


def assigned(command: Sequence[str]) -> list[str]:
    return [word for before, word in pairwise(command) if before == "--set"]


def test_two_trainings_are_queued_or_none(place: Path) -> None:
    app = opened("models", show="train", texts="example", architecture="both")
    (place / "rnnencdec-mine" / "data").mkdir(parents=True)
    next(each for each in app.text_input if each.label == TRAIN.name).set_value("mine").run()
    button(app, TRAIN.start).click().run()
    assert "rnnencdec-mine" in said(app).replace("\\", "")
    assert list_jobs(plan.root()) == []


def test_the_form_is_closed_by_a_start(place: Path) -> None:
    """The browser keeps an opened form open, and what was started is above it: so it gets a form of its own."""

    def form(app: AppTest) -> Any:
        return next(each for each in app.expander if each.label == TRAIN.new)

    app = opened("models", show="train")
    assert form(app).proto.expanded
    before = form(app).key
    button(app, TRAIN.start).click().run()
    assert not form(app).proto.expanded
    assert form(app).key != before


def test_development_pairs_that_are_also_training_pairs_are_warned_of(place: Path, tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other"
    text.write_text(SOURCE, encoding="utf-8")
    other.write_text(SOURCE.upper(), encoding="utf-8")
    for dev, count in ((text, 40), (other, 0)):
        app = opened("models", show="train", texts="path")
        for title, path in zip(TRAIN.forms.paths, (text, text, dev, dev), strict=True):
            app.text_input(key=title).set_value(str(path))
        app.run()
        button(app, TRAIN.check).click().run()
        assert (TRAIN.dev_in_train.format(count=40, pairs=40) in said(app)) == bool(count)


def test_an_open_server_trains_only_if_it_is_allowed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "is_open", lambda: True)
    app = opened("models", show="train")
    assert TRAIN.off in said(app)
    assert not app.file_uploader
    monkeypatch.setenv("JOINTLY_TRAIN", "yes")
    app = opened("models", show="train")
    assert TRAIN.off not in said(app)
    options = next(each for each in app.get("button_group") if "Korean" in str(each.options)).options
    assert "Files on this machine" not in str(options)
    command = next(each.value for each in app.code if "jointly train" in each.value)
    assert str(place) not in command  # it is nobody else's to know
    assert " --run runs/grammar-ko-en " in command


def test_a_job_is_watched_paused_noted_and_resumed(place: Path) -> None:
    app = opened("models", show="train")
    button(app, TRAIN.start).click().run()
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
        app = opened("models", show="train")
        values = {each.label: each.value for each in app.metric}
        assert values | {"Validation BLEU": "31.5", "Validation loss": "2.25", "Words per second": "1,090"} == values
        assert {each.help for each in app.metric} == set(TRAIN.forms.about_measures)
        app.text_input(key=f"note-{one.name}").set_value("a note").run()
        button(app, TRAIN.stop).click().run()
        assert process.wait(20) == -15
    app.run()
    assert find(plan.root(), one.name).state == "stopped"
    assert read_job(one.run).note == "a note"
    app = opened("models", show="train", jobs=one.name)
    button(app, TRAIN.resume).click().run()
    assert find(plan.root(), one.name).state == "queued"
    app.query_params["s-ko"] = "a sentence"
    button(app, APP_TEXTS.delete).click().run()
    assert not app.exception
    assert list_jobs(plan.root()) == []
    assert not {"jobs", "s-ko"} & {*app.query_params}


def test_the_time_left_is_told_from_the_last_ten_paces() -> None:
    """The very first one is slow, and of 1,000 s where it counts; an update that is reported twice has no pace."""
    slow = [reported(0, 0), reported(1, 1000)]
    paces = [1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0]
    steps = [*slow, *(reported(2 + k, 1000 + sum(paces[: k + 1])) for k in range(10))]
    assert watch._time_left(41, steps) == ", about 1 min left (between 30 s and 1 min 30 s)"
    assert watch._time_left(41, steps[:-1]) == ", about 1 min 55 s left (between 31 s and 16 min 40 s)".replace(
        "1 min 55 s", watch.duration(31 * (1000 + sum(paces[:9])) / 10)
    ).replace("16 min 40 s", watch.duration(31 * 1000))
    assert watch._time_left(41, [reported(1, 1), reported(1, 2), reported(3, 6)]) == (", about 1 min 16 s left")
    assert watch._time_left(41, [reported(1, 1), reported(1, 2)]) == ""
    assert watch._time_left(2, [reported(1, 1), reported(3, 5)]) == ", about 1 s left"


@pytest.mark.parametrize(
    ("updates", "recipe", "expected"),
    [
        (800, "grammar_ko", "800 80 80 20 0,80,160,240,320,400,480,560,640,720,800"),
        (25, "debug", "25 2 2 1 0,2,4,6,8,10,12,14,16,18,20,22,24,25"),
        (40, "debug", "40 4 4 2 0,4,8,12,16,20,24,28,32,36,40"),
        (3, "debug", "3 1 1 1 0,1,2,3"),
    ],
)
def test_a_training_is_validated_ten_times_and_keeps_its_steps(updates: int, recipe: str, expected: str) -> None:
    most, validate, save, log, keep = expected.split()
    assert list(plan._assignments(updates, recipe, None)) == [
        f"training.max_updates={most}",
        f"training.validate_every={validate}",
        f"training.save_every={save}",
        f"training.log_every={log}",
        "training.validate_bleu=true",
        f"training.keep={keep}",
    ]


def test_a_run_that_is_adapted_learns_slowly(place: Path) -> None:
    *_, rate, warmup = plan._assignments(3, "debug", read_run(place / "search"))
    assert (rate, warmup) == ("training.learning_rate=0.0003", "training.warmup=20")


@pytest.fixture
def trained(place: Path, random_runs: Path) -> Path:
    """A training that is done and kept three steps."""
    run = Path(shutil.copytree(random_runs / "search-words", place / "trained"))
    save_steps(run, [5, 700, 1300])
    stop = StopEvent(update=1300, reason="1300 updates were made", seconds=60)
    (run / "training.jsonl").write_text(
        "".join(json.dumps(event_to_dict(event)) + "\n" for event in (reported(5, 1), reported(1300, 60), stop))
    )
    command = ("train", "debug", "--data", "data/mine", "--run", "trained")
    write_job(run, Job(command=command, by="someone", queued=1.7e9, process=Process(2**22 + 1, 1.0)))
    return run


def test_what_came_of_two_trainings_is_compared(place: Path, random_runs: Path, tmp_path: Path) -> None:
    pairs = [(line, line.upper()) for line in SOURCE.split("\n")[:-1]]
    train, dev = (Corpus(source=files[0], target=files[1]) for files in write_pairs(pairs, tmp_path).values())
    settings = PrepareSettings(source_language="en", target_language="fr")
    prepare([train], [dev], settings, tmp_path / "data", workers=1)
    names = ["search-words", "encdec-words"]
    for name in names:
        run = Path(shutil.copytree(random_runs / name, place / name, dirs_exist_ok=True))
        shutil.copytree(tmp_path / "data", run / "data")
        stop = StopEvent(update=9, reason="9 updates were made", seconds=60)
        events = (reported(5, 1), reported(9, 60), stop)
        (run / "training.jsonl").write_text("".join(json.dumps(event_to_dict(event)) + "\n" for event in events))
        command = ("train", "debug", "--data", str(run / "data"), "--run", name)
        write_job(run, Job(command=command, by="someone", queued=1.7e9, process=Process(2**22 + 1, 1.0)))
    at = opened("models", show="train", jobs=names)
    at.text_input(key="sentence-compared").set_value(" the  cat ").run()
    (table,) = [each.value for each in at.dataframe if [*each.value] == [*TRAIN.forms.compared]]
    right = [[name, nmt.load(random_runs / name).translate("the cat").text] for name in names]
    assert sorted(table.to_numpy().tolist()) == sorted(right)
    assert at.query_params["s-en"] in ("the cat", ["the cat"])
    full = SimpleNamespace(add=Mock(side_effect=InputError("no room")))
    assert not at.session_state["length-uploads"].additions  # nothing is added before it is asked for
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nmt.ui.train.watch.session_uploads", lambda: full)
        button(at, TRAIN.by_length).click().run()
    assert "no room" in at.error[0].value
    button(at, TRAIN.by_length).click().run()
    shown = at.query_params
    assert sorted(shown["systems"]) == sorted(names)
    held_out = [pairs[n] for n in sorted(HELD_OUT)]
    ((name, kept),) = at.session_state["length-uploads"].sets.items()
    assert shown["sets"] in (name, [name])
    assert [*zip(kept.sources, kept.references, strict=True)] == held_out
    assert settled(at).get("plotly_chart")  # measured without another click
    at = opened("models", show="train", jobs=names[0])
    button(at, MODELS.measure_it).click().run()  # also one alone is measured on the pairs whose words it knows
    assert at.query_params["systems"] in (names[0], [names[0]])
    assert at.query_params["sets"] in (name, [name])


def test_a_sentence_is_followed_through_all_steps(trained: Path, tmp_path: Path) -> None:
    at = opened("models", show="train", jobs="trained")
    assert at.text_input(key="sentence-trained").proto.max_chars == 500
    film = json.loads(at.get("bidi_component")[0].proto.json)
    assert [step["update"] for step in film["steps"]] == [5, 700, 1300]
    assert film["start"] == 2
    assert film["used"] == read_run(trained).weights.update
    assert TRAIN.by_key.look_uses["best"].format(update=film["used"]) in said(at)
    first = TRAIN.by_key.sentences["en"]
    best = [nmt.load(trained, weights=update).translate(first, beam=1).best for update in (5, 700, 1300)]
    assert [step["text"] for step in film["steps"]] == [one.text for one in best]
    assert len(film["steps"][0]["weights"]) == len(best[0].text.split()) + 1  # each step's own translation
    assert drawn(at, "train-matrix-trained")["panels"][0]["title"] == LEARN.panel.format(name="trained", updates=1300)
    (link,) = [each for each in at.get("page_link") if each.proto.label == MODELS.watch_it_learn]
    assert json.loads(parse_qs(link.proto.query_string)["take"][0])["s"] == first
    at.text_input(key="sentence-trained").set_value(" the  cat ").run()
    assert json.loads(at.get("bidi_component")[0].proto.json)["source"] == ["the", "cat", "</s>"]
    at = opened("models", show="train", jobs="trained", s_en=at.query_params["s-en"])  # a reload, or a link
    assert at.text_input(key="sentence-trained").value == "the cat"
    at.text_input(key="sentence-trained").set_value(" ").run()
    assert at.text_input(key="sentence-trained").value == first
    for name, text in (("train", SOURCE), ("dev", "a zorp\nfour one\n")):
        (tmp_path / name).write_text(text)
    corpora = [[Corpus(source=tmp_path / name, target=tmp_path / name)] for name in ("train", "dev")]
    prepare(*corpora, PrepareSettings(source_language="en", target_language="fr"), trained / "data", workers=1)
    at = opened("models", show="train", jobs="trained")  # afresh, its own pair is followed, of words that it knows
    assert at.text_input(key="sentence-trained").value == "four one"


def test_the_boxes_for_pasted_pairs_have_an_example_in_their_languages(place: Path) -> None:
    boxes = opened("models", show="train", texts="paste", **{"from": "ko", "into": "de"}).text_area
    assert [box.placeholder for box in boxes][:2] == [TRAIN.by_key.pasted[code] for code in ("ko", "de")]
    assert {text.count("\n") for text in TRAIN.by_key.pasted.values()} == {1}


def test_while_alpha_is_even_it_says_when_it_sharpens(trained: Path) -> None:
    assert TRAIN.at_first_even not in said(opened("models", show="train", jobs="trained"))
    for update in (700, 1300):
        (trained / "steps" / f"{update}.safetensors").unlink()
    assert TRAIN.at_first_even in said(opened("models", show="train", jobs="trained"))


def test_pairs_learned_by_heart_are_told() -> None:
    rises, even = TRAIN.by_heart.format(loss=0.2, least=2.5, last=2.8), TRAIN.by_heart_even.format(loss=0.2)
    cases = {(0.2, 2.8, True): rises, (0.2, 2.55, True): even, (0.2, 2.55, False): "", (2.0, 2.8, True): ""}
    for (loss, last, is_even), expected in cases.items():
        validations = [
            ValidationEvent(update=1, nll_per_word=nll, nll_per_sentence=9, bleu=None, best=True, seconds=1)
            for nll in (3, 2.5, last)
        ]
        updates = [replace(reported(2, 2), nll_per_word=value) for value in (4.0, loss)]
        assert by_heart(updates, validations, even=is_even) == expected
        assert by_heart([], validations, even=is_even) == ""


@pytest.mark.parametrize(("why", "state"), [("1300 updates were made", "done"), ("interrupted by SIGTERM", "stopped")])
def test_a_training_with_weights_translates_done_or_paused(trained: Path, why: str, state: str) -> None:
    log = trained / "training.jsonl"
    log.write_text(log.read_text().replace("1300 updates were made", why))
    assert find(plan.root(), "trained").state == state
    at = opened("models", show="train", jobs="trained")
    (link,) = [each for each in at.get("page_link") if each.proto.label == MODELS.translate_with_it]
    asked = json.loads(parse_qs(link.proto.query_string)["take"][0])
    assert asked == {"models": ["trained"], "s": TRAIN.by_key.sentences["en"]}
    shown = [each.type for each in at.main]
    assert shown.index("bidi_component") < shown.index("metric")
    assert "plotly_chart" not in shown  # the film has the loss
    card = settled(button(at, TRAIN.card).click().run()).query_params
    assert (card["show"], card["runs"]) == ("cards", "trained")
    at = opened("models", show="train", jobs="trained")
    (trained / "model.safetensors").unlink()
    at = opened("models", show="train", jobs="trained")
    assert MODELS.translate_with_it not in [each.proto.label for each in at.get("page_link")]


def test_a_model_without_alpha_has_its_translations_and_no_film(trained: Path, random_runs: Path) -> None:
    shutil.rmtree(trained / "steps")
    for name in ("config.json", "model.safetensors"):
        shutil.copy(random_runs / "encdec-words" / name, trained / name)
    save_steps(trained, [5, 700, 1300])
    at = opened("models", show="train", jobs="trained", s_en="the zorp")
    assert TRAIN.no_alpha in said(at)
    assert not at.get("bidi_component")
    assert APP_TEXTS.unknown_words.format(words="zorp") in [text.value for text in at.text]
    right = [
        [update, nmt.load(trained, weights=update).translate("the zorp", beam=1).text] for update in (5, 700, 1300)
    ]
    assert at.dataframe[0].value.to_numpy().tolist() == right
    assert at.get("plotly_chart")
    assert MODELS.watch_it_learn not in [each.proto.label for each in at.get("page_link")]


def test_what_changes_in_a_job_runs_the_page_again(trained: Path) -> None:
    (one,) = list_jobs(plan.root())
    assert watch._stamp(one) == ("done", 3)
    (trained / "steps" / "700.safetensors").unlink()
    assert watch._stamp(one) == ("done", 2)
    shutil.rmtree(trained / "steps")
    assert watch._stamp(one) == ("done", 0)
    (trained / "job.json").unlink()
    assert watch._stamp(one) == ("", 0)


def test_whoever_comes_sees_what_runs_and_goes_on_seeing_it(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = Process(os.getpid(), psutil.Process().create_time())
    write_job(trained, replace(read_job(trained), process=alive))
    at = opened("models", show="train")
    assert at.pills(key="choice-jobs").value == ["trained"]
    write_job(trained, replace(read_job(trained), process=Process(2**22 + 1, 1.0)))
    assert at.run().pills(key="choice-jobs").value == ["trained"]
    at.pills(key="choice-jobs").set_value([]).run()
    write_job(trained, replace(read_job(trained), process=alive))
    assert at.run().pills(key="choice-jobs").value == []
    assert opened("models", show="train", jobs="").pills(key="choice-jobs").value == []
    monkeypatch.setattr(plan, "probe", lambda training, on_second: ESTIMATE)
    button(at, TRAIN.estimate.format(seconds=20)).click().run()
    assert {each.label: each.value for each in at.metric} == {
        label: form.format(value)
        for label, form, value in zip(TRAIN.forms.costs, plan._COSTS, (12.5, 7000, 1e6, 30, 500), strict=True)
    }
    assert TRAIN.another_runs in said(at)


def test_a_corpus_is_fetched_once_and_prepared(place: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[Path] = []

    def fetch(name: str, out: Path, *, on_progress: Callable[..., None]) -> None:
        fetched.append(out)
        on_progress("train", 5_000_000, 10_000_000)
        home = out / CORPORA[name].folder
        home.mkdir(parents=True)
        for split, code in (("train", "en"), ("train", "de"), ("dev", "en"), ("dev", "de")):
            (home / f"{split}.{code}").write_text(f"{split} in {code} .\n" * 20)

    monkeypatch.setattr(plan, "get", fetch)
    texts = plan.Texts(corpus="tatoeba-de", languages=Languages("de", "en"))
    told = Onlooker()
    prepared = open_prepared(plan.PrepareTask(texts).run(told))
    assert fetched == [cache / "corpora"]
    assert told.stages == [("fetch", 0), ("prepare", 0)]
    assert told.shown[0] == Progress(5, 10, unit="MB")
    assert plan._bytes(2_999_999, 31_000_000) == Progress(2, 31, unit="MB")
    assert plan._bytes(500, None) == Progress(0, 0, unit="MB")
    assert {side: prepared.source_vocabulary.tokens([1, 2, 3, 4, 5]) for side in ("source",)}["source"]
    assert "de" in prepared.source_vocabulary.tokens(range(len(prepared.source_vocabulary)))
    assert "dev" not in prepared.source_vocabulary.tokens(range(len(prepared.source_vocabulary)))
    assert len(prepared.dev) == 20
    told = Onlooker()
    plan.PrepareTask(replace(texts, vocabulary=VocabularySettings("words", 5))).run(told)
    assert told.stages == [("prepare", 0)]


def test_an_estimate_takes_no_longer_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:

    def probed(training: Training, on_second: Callable[[int], None]) -> Estimate:
        for second in (3, 25):
            on_second(second)
        return ESTIMATE

    monkeypatch.setattr(plan, "probe", probed)
    told = Onlooker()
    assert plan.EstimateTask(Training(recipe="debug", data=Path("data"))).run(told) == ESTIMATE
    assert told.stages == [("probe", 20)]
    assert [(each.done, each.total) for each in told.shown] == [(3, 20), (20, 20)]


def test_a_training_that_needs_more_than_there_is_does_not_start(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "probe", lambda training, on_second: replace(ESTIMATE, disk=1e18))
    at = opened("models", show="train")
    button(at, TRAIN.estimate.format(seconds=20)).click().run()
    button(at, TRAIN.start).click().run()
    assert len(at.error) == 1
    assert not list_jobs(plan.root())


def test_the_time_left_is_that_of_validations_once_there_are_three(trained: Path) -> None:
    def progress(*events: object, most: int = 2000) -> str:
        settings = read_settings(trained)
        write_settings(trained, replace(settings, config=settings.config.override([f"training.max_updates={most}"])))
        lines = "".join(json.dumps(event_to_dict(event)) + "\n" for event in events)  # type: ignore[arg-type]
        (trained / "training.jsonl").write_text(lines)
        (shown,) = opened("models", show="train", jobs="trained").get("progress")
        return f"{shown.proto.text} {shown.proto.value} %"

    write_job(trained, replace(read_job(trained), process=Process(os.getpid(), psutil.Process().create_time())))
    updates = reported(100, 100), reported(200, 200)
    validations = [
        ValidationEvent(update=number, nll_per_word=2, nll_per_sentence=20, bleu=None, best=True, seconds=seconds)
        for number, seconds in ((100, 0), (150, 1000), (200, 2000))
    ]
    said = TRAIN.update.format(update=200, most=2000)
    left = TRAIN.left.format(mean="30 min", least="30 min", longest="30 min")
    assert progress(*updates, *validations[:2]) == f"{said}{left} 10 %"
    left = TRAIN.left.format(mean="10 h 0 min", least="10 h 0 min", longest="10 h 0 min")
    assert progress(*updates, *validations) == f"{said}{left} 10 %"
    said = TRAIN.update.format(update=200, most=150)
    left = TRAIN.left.format(mean="1 s", least="1 s", longest="1 s")
    assert progress(*updates, most=150) == f"{said}{left} 100 %"


def test_what_has_not_begun_is_said_to_wait_or_to_prepare(trained: Path) -> None:
    (trained / "training.jsonl").unlink()
    assert TRAIN.forms.not_begun[0] in said(opened("models", show="train", jobs="trained"))
    write_job(trained, replace(read_job(trained), process=None))
    assert TRAIN.forms.not_begun[1] in said(opened("models", show="train", jobs="trained"))


def test_what_is_refused_is_said_once(trained: Path) -> None:
    at = opened("models", show="train")
    next(each for each in at.text_input if each.label == TRAIN.name).set_value("../x").run()
    button(at, TRAIN.start).click().run()
    assert ["../x" in each.value.replace("\\", "") for each in at.error] == [True]
    assert not at.run().error
    assert [one.name for one in list_jobs(plan.root())] == ["trained"]
    at = opened("models", show="train", jobs="trained")
    shutil.rmtree(trained)
    button(at, APP_TEXTS.delete).click().run()
    assert ["trained" in each.value for each in at.error] == [True]
    assert not at.run().error


def test_a_broken_log_is_said_and_draws_nothing(trained: Path) -> None:
    (trained / "training.jsonl").write_text("nonsense\n{}\n")
    at = opened("models", show="train", jobs="trained")
    assert any("training.jsonl, line 1" in each.value.replace("\\", "") for each in at.warning)
    assert not at.metric
    assert not at.get("plotly_chart")


def test_why_a_job_failed_is_said_and_two_curves_are_one_figure(place: Path) -> None:
    app = opened("models", show="train")
    for _ in range(3):
        button(app, TRAIN.start).click().run()
    assert sorted(one.name for one in list_jobs(plan.root())) == [f"grammar-ko-en{end}" for end in ("", "-2", "-3")]
    shutil.rmtree(plan.root() / "grammar-ko-en-3")
    for one in list_jobs(plan.root()):
        write_job(one.run, replace(one.job, process=Process(2**22 + 1, 1.0), error="the loss is not a number"))
        stop = StopEvent(update=3, reason="interrupted by SIGTERM", seconds=1)
        checked = ValidationEvent(update=2, nll_per_word=2.25, nll_per_sentence=20, bleu=None, best=True, seconds=1)
        lines = "".join(json.dumps(event_to_dict(event)) + "\n" for event in (checked, stop))
        (one.run / "training.jsonl").write_text(lines)
    app = opened("models", show="train", jobs=[one.name for one in list_jobs(plan.root())])
    assert [each.value for each in app.warning].count("the loss is not a number.") == 2
    data = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert len(data) == 2


@pytest.mark.parametrize(("value", "on"), [("yes", True), ("no", False), ("0", False), ("", False), ("Yes", False)])
def test_only_yes_lets_strangers_train(value: str, on: bool, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_TRAIN", value)
    with server("127.0.0.2"):
        assert plan.is_on() is on
        assert (TRAIN.off in said(opened("models", show="train"))) is not on
    with server("127.0.0.1"):
        assert plan.is_on()


def test_others_do_not_read_where_the_folders_of_the_machine_are(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_TRAIN", "yes")
    run = place / "mine"
    run.mkdir()
    command = ("train", "debug", "--data", f"{run}/data", "--run", str(run), "--init-from", str(place / "search"))
    write_job(run, Job(command=command, by="a test", queued=1.0, error=f"{run}/data/x.json does not exist"))
    write_job(run, replace(read_job(run), process=Process(2**22 + 1, 1.0)))
    for address, seen in (("127.0.0.1", True), ("127.0.0.2", False), ("0.0.0.0", False)):
        with server(address):
            app = opened("models", show="train", jobs="mine")
        shown = " ".join([*(each.value for each in app.code), said(app), *(each.value for each in app.markdown)])
        assert (str(place.parent) in shown.replace("\\", "")) is seen
        assert "mine/data" in shown
        assert "data/x" in shown


def test_a_changed_file_is_prepared_again(place: Path, tmp_path: Path) -> None:
    """Each of the four, and the vocabularies of a run."""
    files = [tmp_path / name for name in ("a", "b", "c", "d")]
    vocabularies = [place / "search" / name for name in plan._VOCABULARIES]
    for file in files:
        file.write_text("x\n", encoding="utf-8")
    texts = plan.Texts(
        train=(files[0], files[1]),
        dev=(files[2], files[3]),
        languages=Languages("en", "fr"),
        vocabularies_from=place / "search",
    )
    keys = {plan.PrepareTask(texts).key}
    there = [path for path in (*files, *vocabularies) if path.is_file()]
    assert len(there) > len(files)
    for number, file in enumerate(there, 1):
        os.utime(file, (number, number))
        keys.add(plan.PrepareTask(texts).key)
    assert len(keys) == len(there) + 1


def test_the_cache_of_texts_is_cleared_and_a_full_disk_refuses_them(
    place: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "_CACHED", 100_000)
    for folder in ("texts", "prepared"):
        for number, used in enumerate((10, 30, 20)):
            (cache / folder / f"{number}" / "deep").mkdir(parents=True)
            (cache / folder / f"{number}" / "deep" / "file").write_bytes(bytes(60_000))
            os.utime(cache / folder / f"{number}", (used, used))
    app = opened("models", show="train", texts="upload")
    upload(app, SOURCE, SOURCE.upper())
    assert {path.name for path in (cache / "texts").iterdir()} > {"1"}
    assert not {"0", "2"} & {path.name for path in (cache / "texts").iterdir()}
    assert not {"0", "2"} & {path.name for path in (cache / "prepared").iterdir()}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4_900_000_000))
    upload(app, SOURCE + SOURCE, SOURCE.upper() + SOURCE)
    assert "4.9 GB free" in said(app).replace("\\", "")
