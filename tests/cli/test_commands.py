"""The commands as they are scripted against: what comes out, what it equals, how faults end."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import nmt
from nmt.data.prepared import open_prepared
from nmt.inference.checkpoint import read_tensors, restored
from nmt.records import FORMAT_VERSION
from nmt.runs.fingerprint import owner
from nmt.runs.folder import LAST, list_snapshots, read_run, snapshot_file
from nmt.runs.provenance import commit, preparation, read_provenance
from nmt.training.machine import machine
from tests.oracles.toy_corpus import toy_corpus
from tests.programs import Commands, main, parsed

SOURCE = ["The girl reads, the cat sleeps.", "", "she has never seen the sea", "a cat is on a mat ."]
TARGET = ["La fille lit, le chat dort.", "elle", "elle a jamais vu la mer", "une chat est sur une ."]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    paths = {}
    for name, lines in (("source", SOURCE), ("target", TARGET)):
        path = tmp_path / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        paths[name] = str(path)
    return paths


@pytest.fixture
def run(random_runs: Path) -> str:
    return str(random_runs / "search-bpe")


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def objects(text: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines()]
    assert all(item.pop("format") == FORMAT_VERSION for item in found)
    return found


def test_translate(run: str, monkeypatch: pytest.MonkeyPatch, cli: Commands) -> None:
    text = "\r\n".join(SOURCE) + "\n"
    stdin(monkeypatch, text.encode())
    out = cli.printed("translate", run, "--beam", "3")
    model = nmt.load(run)
    assert out == "".join(t.text + "\n" for t in model.translate(SOURCE, beam=3))
    assert out.split("\n")[1] == ""


def test_translate_n_best_and_json(run: str, monkeypatch: pytest.MonkeyPatch, cli: Commands) -> None:
    lines = "\n".join(SOURCE).encode()
    stdin(monkeypatch, lines)
    rows = [
        line.split(" ||| ")
        for line in cli.printed(
            "translate", run, "--beam", "4", "--n-best", "2", "--length-penalty", "0.5"
        ).splitlines()
    ]
    stdin(monkeypatch, lines)
    found = objects(cli.printed("translate", run, "--beam", "4", "--n-best", "2", "--length-penalty", "0.5", "--json"))
    assert [item["source"] for item in found] == [{"text": text, "language": "en"} for text in SOURCE]
    flat = [(i, h) for i, item in enumerate(found) for h in item["systems"]]
    assert [(int(n), text) for n, text, _, _ in rows] == [(i, h["text"]) for i, h in flat]
    for row, (_, h) in zip(rows, flat, strict=True):
        assert float(row[2]) == pytest.approx(h["log_probability"], abs=1e-5)
        assert float(row[3]) == pytest.approx(h["score"], abs=1e-5)
        if tokens := h["target"]["tokens"]:
            assert h["score"] == pytest.approx(h["log_probability"] / len(tokens) ** 0.5)
            assert len(h["maps"][0]["weights"]) == len(tokens)


def test_score(run: str, files: dict[str, str], cli: Commands) -> None:
    plain = [
        float(line)
        for line in cli.printed("score", run, "--source", files["source"], "--target", files["target"]).splitlines()
    ]
    expected = [scored.log_probability for scored in nmt.load(run).score(SOURCE, TARGET)]
    assert plain == pytest.approx(expected, abs=1e-5)
    found = objects(cli.printed("score", run, "--source", files["source"], "--target", files["target"], "--json"))
    assert [item["systems"][0]["log_probability"] for item in found] == pytest.approx(expected, abs=1e-5)
    assert [(item["source"]["text"], item["systems"][0]["text"]) for item in found] == [
        *zip(SOURCE, TARGET, strict=True)
    ]
    assert all(item["systems"][0]["forced"] for item in found)


def test_align(run: str, files: dict[str, str], cli: Commands) -> None:
    arguments = ["align", run, "--source", files["source"], "--target", files["target"]]
    plain = cli.printed(*arguments).splitlines()
    found = objects(cli.printed(*arguments, "--json"))
    assert len(plain) == len(found) == len(SOURCE)
    for line, item, source, target in zip(plain, found, SOURCE, TARGET, strict=True):
        links = [tuple(int(k) for k in link.split("-")) for link in line.split()]
        (system,) = item["systems"]
        alpha, linked = system["maps"]
        assert (alpha["kind"], linked["kind"], linked["rule"]) == ("alpha", "links", "argmax")
        cells = [(i, j) for j, row in enumerate(linked["weights"]) for i, weight in enumerate(row) if weight]
        assert sorted(cells) == links
        words = len(source.split())
        assert system["source"]["tokens"][:-1] == source.split()
        assert (item["source"]["text"], system["text"], system["forced"]) == (source, target, True)
        if words:
            assert sorted(j for _, j in links) == list(range(len(target.split())))
            for i, j in links:
                row = alpha["weights"][j][:words]
                assert row[i] == max(row)
        else:
            assert links == []


def test_align_names_a_pair_that_would_take_too_long(
    run: str, files: dict[str, str], cli: Commands, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = max(range(len(SOURCE)), key=lambda k: len(SOURCE[k]) * len(TARGET[k]))
    monkeypatch.setattr("nmt.cli.align._MOST_COST", len(SOURCE[longest]) * len(TARGET[longest]) - 1)
    arguments = ["align", run, "--source", files["source"], "--target", files["target"]]
    cli.printed(*arguments)  # alpha is cheap
    monkeypatch.setattr("nmt.cli.align._MOST_COST", 20)
    assert main([*arguments, "--map", "posterior"]) == 2
    first = next(k for k in range(len(SOURCE)) if len(SOURCE[k]) * len(TARGET[k]) > 20)
    assert f"line {first + 1}: " in capsys.readouterr().err


def test_align_needs_alpha(random_runs: Path, files: dict[str, str], cli: Commands) -> None:
    run = str(random_runs / "encdec-words")
    assert "encdec-words" in cli.refused("align", run, "--source", files["source"], "--target", files["target"])


def test_inspect_and_recipes(run: str, cli: Commands) -> None:
    (item,) = objects(cli.printed("inspect", run, "--json"))
    assert item["weights"]["parameters"] == sum(each.numel() for each in nmt.load(run).model.parameters())
    assert item["sha256"] == read_run(run).weights.sha256()
    assert item["sha256"] in cli.printed("inspect", run)
    assert "'nope'" in cli.refused("recipes", "nope")


def test_prepare_train_translate_release(tmp_path: Path, cli: Commands) -> None:
    data = str(toy_corpus(tmp_path, pairs=64).folder)
    run, out = str(tmp_path / "run"), str(tmp_path / "out")
    arguments = ["train", "debug", "--data", data, "--run", run, "--device", "cpu"]
    sets = ["--set", "training.max_updates=10", "--set", "training.log_every=5", "--set", "model.hidden=8"]
    events = objects(cli.printed(*arguments, *sets, "--json"))
    assert [e["event"] for e in events if e["event"] != "sample"] == ["update", "update", "validation", "stop"]
    assert run in cli.refused(*arguments, *sets)
    before = (Path(run) / "config.json").read_bytes()
    other = ["train", "rnnsearch_50", *arguments[2:], "--resume", "--set", "training.max_updates=15"]
    assert "debug" in cli.refused(*other)
    assert (Path(run) / "config.json").read_bytes() == before
    assert re.search(r"\b15 updates\b", cli.printed(*arguments, "--resume", "--set", "training.max_updates=15"))
    assert json.loads((Path(run) / "training.jsonl").read_text("utf-8").splitlines()[-1])["update"] == 15
    assert main(["release", "publish", run, out]) == 0
    released = read_run(out)
    provenance = read_provenance(Path(out))
    assert provenance is not None
    assert [session.from_update for session in provenance.sessions] == [0, 10]
    assert str(tmp_path) not in (Path(out) / "provenance.json").read_text()
    first, second = provenance.sessions
    given = " ".join(sets)
    assert first.command == f"jointly train debug --data {Path(data).name} --run run {given}"
    assert second.command.endswith("--run run --set training.max_updates=15 --resume")
    for session in (first, second):
        assert (session.device, session.processes, session.threads) == ("cpu", 1, torch.get_num_threads())
        assert session.commit == commit()
        assert session.machine == machine()
    assert provenance.preparation == preparation(open_prepared(Path(data)).manifest)
    assert [(corpus.read, corpus.kept) for corpus in provenance.train] == [(64, 64)]
    assert released.weights.dtype == "F16"
    assert released.weights.update == read_run(run).weights.update
    assert not (Path(out) / "resume.safetensors").exists()
    full, half = nmt.load(run).score("a b c", "a b c"), nmt.load(out).score("a b c", "a b c")
    assert half.log_probability == pytest.approx(full.log_probability, abs=1e-2)
    assert main(["release", "publish", run, out]) == 2
    last = read_run(run, "last.safetensors")
    for info in (read_run(run), last, released):
        assert info.weights.owner == owner(info.path, info)
    assert "owner" not in released.to_dict()["weights"]


def test_weights_on_the_way_are_kept_told_and_released(tmp_path: Path, cli: Commands) -> None:
    data = str(toy_corpus(tmp_path, pairs=64).folder)
    run, out = str(tmp_path / "run"), str(tmp_path / "out")
    arguments = ["train", "debug", "--data", data, "--run", run, "--device", "cpu", "--set", "training.max_updates=10"]
    assert "'4,x'" in cli.refused(*arguments, "--set", "training.keep=4,x")
    assert main([*arguments, "--set", "training.keep=0,4,10"]) == 0
    provenance = read_provenance(Path(run))
    assert provenance is not None
    assert provenance.sessions[0].command.endswith("--set training.max_updates=10 --set training.keep=0,4,10")
    cli.printed("release", "publish", run, out, "--weights", "int8")
    for folder, dtype in ((run, "F32"), (out, "I8")):
        steps = list_snapshots(folder)
        assert [(step.update, step.dtype) for step in steps] == [(0, dtype), (4, dtype), (10, dtype)]
        assert objects(cli.printed("inspect", folder, "--json"))[0]["steps"] == [0, 4, 10]
        assert " 0, 4, 10 " in cli.printed("inspect", folder)
    for step in list_snapshots(run):
        whole = read_tensors(step.path)
        stored = restored(read_tensors(Path(out) / snapshot_file(step.update)))
        assert whole.keys() == stored.keys()
        for name, value in whole.items():
            assert torch.allclose(value, stored[name], atol=float(value.abs().max()) / 200 + 1e-7)  # fp16 for vectors
    assert same_tensors(Path(run) / snapshot_file(10), Path(run) / LAST)
    assert not same_tensors(Path(run) / snapshot_file(4), Path(run) / LAST)


def same_tensors(one: Path, other: Path) -> bool:
    first, second = read_tensors(one), read_tensors(other)
    return all(torch.equal(value, second[name]) for name, value in first.items())


FAULTS: dict[str, tuple[list[str], str]] = {
    "no run": (["translate", "nowhere"], "there is no run folder nowhere"),
    "no released run": (["translate", "nowhere/checkpoints/rnnsearch-50"], "`jointly get` lists the released runs"),
    "beam": (["translate", "RUN", "--beam", "0"], "beam"),
    "n-best": (["translate", "RUN", "--beam", "2", "--n-best", "3"], "n"),
    "replace": (["translate", "ENCDEC", "--replace-unk"], "without alpha"),
    "missing": (["score", "RUN", "--source", "nofile", "--target", "nofile"], "nofile does not exist"),
    "unequal": (["score", "RUN", "--source", "SOURCE", "--target", "ONE"], "has 4 lines, but"),
    "latin-1": (
        ["score", "RUN", "--source", "LATIN", "--target", "ONE"],
        "line 1: byte 0xe9 is not valid UTF-8",
    ),
    "a folder": (["score", "RUN", "--source", "RUN", "--target", "ONE"], "is a folder"),
    "device": (["translate", "RUN", "--device", "nonsense"], "no device 'nonsense'"),
    "too wide": (["translate", "RUN", "--beam", "100000000"], "--beam must be"),
    "nothing to resume": (["train", "debug", "--data", "DATA", "--run", "NEW", "--resume"], "no run folder"),
    "no name": (["train", "debug", "--data", "DATA", "--run", "."], "not a valid run name"),
    "seed": (["train", "debug", "--data", "DATA", "--run", "NEW", "--set", "training.seed=-1"], "training.seed"),
    "no data": (["train", "debug", "--data", "nowhere", "--run", "NEW"], "nowhere"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong_is_one_sentence_and_status_2(
    fault: str,
    random_runs: Path,
    files: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Commands,
) -> None:
    (tmp_path / "one").write_text("une ligne\n", encoding="utf-8")
    (tmp_path / "latin").write_bytes("été\n".encode("latin-1"))
    places = {
        "DATA": str(toy_corpus(tmp_path, pairs=8).folder),
        "RUN": str(random_runs / "search-words"),
        "ENCDEC": str(random_runs / "encdec-words"),
        "SOURCE": files["source"],
        "ONE": str(tmp_path / "one"),
        "LATIN": str(tmp_path / "latin"),
        "NEW": str(tmp_path / "new"),
    }
    stdin(monkeypatch, b"the cat\n")
    arguments, message = FAULTS[fault]
    assert message in cli.refused(*[places.get(part, part) for part in arguments])
    assert not (tmp_path / "new").exists()


NEEDED = {
    "prepare": ["--corpus a b", "--source-lang en", "--target-lang fr", "--out o"],
    "train": ["debug", "--data d", "--run r"],
    "score": ["r"],
    "align": ["r", "--source a"],
    "aer": ["--gold g"],
    "release aligner": ["--runs r", "--source a", "--target b", "--out o"],
    "release dictionary": ["r", "--source a", "--target b", "--links c"],
    "compare": ["r"],
    "stress": ["r", "--source a", "--reference b"],
    "release scenes": ["r"],
    "page": ["--out o"],
    "serve": ["r"],
    "inspect": ["r"],
    "release publish": ["r", "o"],
    "release checksums": ["r"],
    "release card": ["r"],
    "release overview": ["r"],
    "release reproduce": ["--data d", "--out o"],
}
"""What each command cannot do without."""


@pytest.mark.parametrize("command", NEEDED)
def test_what_a_command_needs_and_is_not_given_is_named(command: str, cli: Commands) -> None:
    needed = NEEDED[command]
    parsed([*command.split(), *" ".join(needed).split()])
    for left_out in needed:
        given = [part for part in needed if part != left_out]
        captured = cli.refused(*command.split(), *" ".join(given).split())
        name = left_out.partition(" ")[0]
        assert name in captured if name.startswith("--") else "required" in captured


@pytest.mark.parametrize("assignment", ["training.bach_size=3", "training.batch_size=x", "nosuch.key=1", "batch_size"])
def test_a_setting_that_does_not_exist_is_refused(
    assignment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(toy_corpus(tmp_path, pairs=8).folder)
    assert main(["train", "debug", "--data", data, "--run", str(tmp_path / "run"), "--set", assignment]) == 2
    assert not (tmp_path / "run").exists()
    if assignment.startswith("training.bach"):
        assert "training.batch_size" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["", "--help"])
def test_the_list_loads_no_command(words: str) -> None:
    """It appears at once."""
    code = f"""
import sys
from nmt.cli import main
try:
    main({words.split()})
except SystemExit:
    pass
print(sorted({{"numpy", "pydantic", "sentencepiece", "torch", "nmt.cli.options"}} & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "translate sentences" in done.stdout


@pytest.mark.parametrize(("typed", "meant"), [("translat", "translate"), ("evalute", "evaluate"), ("page1", "page")])
def test_a_mistyped_command_is_answered_with_the_nearest(typed: str, meant: str, cli: Commands) -> None:
    assert (
        cli.refused(typed, "checkpoints/rnnsearch-50")
        == f"jointly: there is no command '{typed}'; did you mean {meant}?\n"
    )
    for word in ("xyzzy", "--"):
        assert f"there is no command '{word}'; `jointly` alone" in cli.refused(word, "inspect")
    assert cli.refused("xyzzy") == "jointly: there is no command 'xyzzy'; `jointly` alone lists the commands\n"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("--beem", "there is no option --beem; did you mean --beam?"),
        ("--n-bset=2", "there is no option --n-bset; did you mean --n-best?"),
        ("--zzz", "unrecognized arguments: --zzz"),
    ],
)
def test_an_option_that_is_nearly_one_is_named(typed: str, said: str, cli: Commands) -> None:
    assert cli.refused("translate", "run", typed) == f"jointly translate: {said}\n"


@pytest.mark.slow
def test_as_a_process(run: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "nmt", "translate", run, "--beam", "2"], input=b"she\n", capture_output=True, check=False
    )
    assert process.returncode == 0
    assert process.stdout.decode().strip() == nmt.load(run).translate("she", beam=2).text
    wrong = subprocess.run([sys.executable, "-m", "nmt", "score"], capture_output=True, check=False)
    assert wrong.returncode == 2
