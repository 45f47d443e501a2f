"""What ``inspect``, ``recipes`` and ``train`` print says what the files of a run say, each number once."""

import json
import re
import shutil
from pathlib import Path

import pytest

import nmt
from nmt.cli.train import describe
from nmt.inference.checkpoint import save_weights
from nmt.recipes import RECIPES, recipe
from nmt.results import Event, SampleEvent, StopEvent, UpdateEvent, ValidationEvent, event_to_dict
from nmt.runs.folder import SNAPSHOTS, read_run, snapshot_file
from tests.programs import Commands, main

BEST = ValidationEvent(update=1200, nll_per_word=2.3456, nll_per_sentence=34.5678, bleu=31.456, best=True, seconds=60.0)
LATER = ValidationEvent(update=12345, nll_per_word=2.6, nll_per_sentence=40.0, bleu=None, best=False, seconds=90.0)


def numbers(text: str) -> list[str]:
    return re.findall(r"-?\d+(?:[.,]\d+)*(?:e-?\d+)?", text)


@pytest.mark.parametrize("name", ["search-words", "encdec-bpe"])
def test_inspect_says_what_a_run_is(
    name: str, random_runs: Path, tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    run = shutil.copytree(random_runs / name, tmp_path / "run")
    (run / "training.jsonl").write_text("".join(json.dumps(event_to_dict(e)) + "\n" for e in (BEST, LATER)), "utf-8")

    def shown() -> dict[str, str]:
        assert main(["inspect", str(run)]) == 0
        lines = capsys.readouterr().out.splitlines()
        rows = [line for line in lines if not line.startswith("  update")]
        # all values stand below one another
        column = {found.end() for found in (re.match(r"\S+(?: \S+)* {2,}", line) for line in rows) if found}
        (begin,) = column
        events = [line for line in lines if line.startswith("  update")]
        for line, event in zip(events, (BEST, LATER), strict=True):
            bleu = [] if event.bleu is None else [f"{event.bleu:.1f}"]
            assert numbers(line) == [f"{event.update:,}", f"{event.nll_per_word:.3f}", *bleu]
            assert ("BLEU" in line, line.endswith("saved")) == (event.bleu is not None, event.best)
        return {line[:begin].strip(): line[begin:] for line in rows}

    info = read_run(run)
    model, found = info.config.model, shown()
    assert found["run"] == "run"
    assert found["languages"] == "en -> fr"
    kind, source, target = info.source_vocabulary.kind, info.source_vocabulary.size, info.target_vocabulary.size
    assert found["vocabularies"] == f"{kind} {source} -> {kind} {target}"
    assert numbers(found["sizes"]) == [str(n) for n in (model.embedding, model.hidden, model.alignment, model.maxout)]
    assert found["score"] == ("additive" if name == "search-words" else "none")
    size = info.weights.path.stat().st_size
    assert numbers(found["weights"].partition("(")[0]) == [f"{info.weights.parameters:,}"]
    assert f"{size / 1e6:.1f} MB" in found["weights"]
    assert numbers(found["updates"]) == [f"{info.weights.update:,}", f"{info.weights.epoch:.2f}"]
    assert found["dev NLL"] == "not measured"
    assert found["checksums"].startswith("none")
    assert "kept steps" not in found
    (run / SNAPSHOTS).mkdir()
    for update in (5, 1234):
        save_weights(run / snapshot_file(update), nmt.load(run).model, {"update": update, "epoch": 0.1})
    sizes = sum((run / snapshot_file(update)).stat().st_size for update in (5, 1234))
    cli.printed("release", "checksums", str(run))
    found = shown()
    assert found["kept steps"].startswith("5, 1,234 (")
    assert f"({sizes / 1e6:.1f} MB)" in found["kept steps"]
    listed = json.loads((run / "checksums.json").read_text("utf-8"))["files"]
    assert numbers(found["checksums"]) == [str(len(listed))]


def test_a_release_says_what_it_holds(random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = shutil.copytree(random_runs / "search-words", tmp_path / "run")
    for steps in ((), (5, 1234)):
        (run / SNAPSHOTS).mkdir(exist_ok=True)
        for update in steps:
            save_weights(run / snapshot_file(update), nmt.load(run).model, {"update": update, "epoch": 0.1})
        out = tmp_path / f"out-{len(steps)}"
        assert main(["release", "publish", str(run), str(out)]) == 0
        weights = read_run(out).weights
        kept = ", and 2 intermediate snapshots" if steps else ""
        told = f"{out}: {weights.parameters:,} weights, {weights.bytes / 1e6:.1f} MB{kept}\n"
        assert capsys.readouterr().out == told
        assert (out / SNAPSHOTS).exists() == bool(steps)
        shutil.rmtree(out)
        assert main(["release", "publish", str(run), str(out), "--json"]) == 0
        more = {"sha256": read_run(out).weights.sha256(), "steps": [*steps]}
        expected = {"format": 1} | read_run(out).to_dict() | more
        assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(expected))


def test_recipes_are_a_table_of_two_columns(cli: Commands) -> None:
    lines = cli.printed("recipes").splitlines()
    begin = max(map(len, RECIPES)) + 2
    assert lines == [f"{name.ljust(begin)}{RECIPES[name].about}" for name in RECIPES]
    for name in RECIPES:
        shown = dict(line.split("=", 1) for line in cli.printed("recipes", name).splitlines())
        data = json.loads(cli.printed("recipes", name, "--json"))
        assert shown.keys() == {f"{part}.{key}" for part in ("model", "training") for key in data[part]}
        assert not {"None", "True", "False"} & {*shown.values()}
        assert recipe(name) == recipe(name).override([f"{key}={value}" for key, value in shown.items()])


EVENTS: dict[str, tuple[Event, list[str]]] = {
    "update": (
        UpdateEvent(
            update=12345,
            epoch=3.45678,
            nll_per_word=2.345678,
            nll_per_sentence=45.678912,
            words_per_second=12345.6,
            gradient_norm=0.123456,
            learning_rate=0.000123,
            seconds=3.0,
        ),
        ["12,345", "3.457", "2.3457", "45.679", "12,346", "0.123", "0.000123"],
    ),
    "best": (BEST, ["1,200", "2.3456", "34.568", "31.46"]),
    "later": (LATER, ["12,345", "2.6000", "40.000"]),
    "stop": (StopEvent(update=12345, seconds=90, reason="enough"), ["12,345", "1.5"]),
}


@pytest.mark.parametrize("name", EVENTS)
def test_a_training_tells_each_number_of_an_event_with_its_unit(name: str) -> None:
    event, expected = EVENTS[name]
    line = describe(event)
    assert "\n" not in line
    assert numbers(line) == expected
    assert ("  saved" in line) == (event is BEST)
    if isinstance(event, UpdateEvent | ValidationEvent):
        assert re.search(r"nats per word, +[\d.]+ per sentence", line)
    else:
        assert re.search(r"12,345 updates and 1\.5 minutes: enough$", line)


def test_a_sample_is_source_and_translation() -> None:
    first, second = describe(SampleEvent(1, "the cat", "le chat")).splitlines()
    assert (first.strip(), second.strip()) == ("the cat", "-> le chat")
