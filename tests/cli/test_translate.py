"""``translate`` as a part of a pipeline: who waits for whom, and what is printed when something ends it."""

import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

import nmt
from nmt.released import INSIDE, OPENS_FIRST
from nmt.results import Languages
from nmt.runs.folder import BEST
from tests.cli.test_commands import stdin
from tests.programs import Commands, main

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> str:
    """A run as it is released: without a list of checksums there would be a note of that."""
    folder = shutil.copytree(random_runs / "search-bpe", tmp_path / "run")
    assert main(["release", "checksums", str(folder)]) == 0
    return str(folder)


def translate(run: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "nmt", "translate", run, "--beam", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests started in the background ignore it
    )


def test_lines_before_one_that_is_not_utf_8_are_translated(
    run: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(monkeypatch, b"she\n\nthe cat\n\xff\nshe\n")
    assert main(["translate", run, "--beam", "2"]) == 2
    captured = capsys.readouterr()
    texts = [t.text for t in nmt.load(run).translate(["she", "", "the cat"], beam=2)]
    assert captured.out == "".join(text + "\n" for text in texts)
    assert re.fullmatch(r"jointly translate: standard input, line 4\b.*UTF-8\n", captured.err)


def test_drawn_translations_are_printed_as_a_list_and_no_search_goes_with_them(
    run: str, monkeypatch: pytest.MonkeyPatch, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(monkeypatch, b"she\n\nthe cat\n")
    assert main(["translate", run, "--sample", "3", "--temperature", "0.5", "--seed", "4"]) == 0
    model = nmt.load(run)
    expected = [
        f"{number} ||| {each.text} ||| {each.log_probability:.6f} ||| {each.score:.6f}"
        for number, line in enumerate(["she", "", "the cat"])
        for each in model.sample(line, 3, temperature=0.5, seed=4).hypotheses
    ]
    assert capsys.readouterr().out.splitlines() == expected
    stdin(monkeypatch, b"she\n")
    written = json.loads(cli.printed("translate", run, "--sample", "2", "--no-unk", "--json"))
    assert len(written["systems"]) == 2
    asked = {"sample": 2, "temperature": 1.0, "seed": 1, "no_unk": True, "replace_unk": None, "hard_attention": False}
    search = written["systems"][0]["search"]
    assert {name: search[name] for name in asked} == asked
    for words in (["--seed", "2"], ["--temperature", "2"], ["--sample", "2", "--beam", "3"], ["--sample", "0"]):
        assert cli.refused("translate", run, *words).startswith("jointly translate: ")


def test_no_lines_give_none(run: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(monkeypatch, b"")
    assert main(["translate", run]) == 0
    assert capsys.readouterr() == ("", "")
    stdin(monkeypatch, b"")
    assert main(["translate", run, "--beam", "0"]) == 2


@pytest.mark.slow
def test_one_line_is_answered_before_the_next_is_sent_and_an_interrupt_ends_it(run: str) -> None:
    model = nmt.load(run)
    with translate(run) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for text in ("she", "", "the cat sleeps"):
            process.stdin.write(text + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == model.translate(text, beam=2).text + "\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stdout.read() == ""
        assert process.stderr.read() == "jointly translate: interrupted\n"


@pytest.mark.slow
def test_it_ends_quietly_when_its_reader_does(run: str) -> None:
    with translate(run) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("she\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write("the cat\n" * 3)  # it is never told that the input has ended
        process.stdin.flush()
        assert process.wait() == 0
        assert process.stderr.read() == ""


def test_weights_too_large_to_compute_with_are_named(run: str, cli: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are finite, so nothing else finds them."""
    path = Path(run) / "model.safetensors"
    with safe_open(path, "pt") as file:
        tensors, metadata = {name: file.get_tensor(name) for name in file.keys()}, file.metadata()  # noqa: SIM118
    name = next(name for name in tensors if name.endswith("W_o"))
    tensors[name] = torch.full_like(tensors[name], 1e38)
    save_file(tensors, path, metadata=metadata)
    (path.parent / "checksums.json").unlink()
    stdin(monkeypatch, b"the cat\n")
    told = cli.refused("translate", run)
    assert "NaN or a positive log-probability at target token 1; its weights are damaged or too large" in told


def test_table_3_has_what_each_run_alone_writes_beside_the_reference(
    random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    sentences, names = ["the cat", "she | the girl"], ("search-words", "encdec-words")
    runs = [str(random_runs / name) for name in names]
    references = tmp_path / "references"
    references.write_text("le chat\nelle\n", "utf-8")
    asked = ["translate", *runs, "--table-3", "--beam", "2", "--reference", str(references)]
    written = [[one.text for one in nmt.load(run).translate(sentences, beam=2)] for run in runs]
    stdin(monkeypatch, "\n".join(sentences).encode())
    records = [json.loads(line) for line in cli.printed(*asked, "--json").splitlines()]
    assert [record["source"]["text"] for record in records] == sentences
    texts = [{system["name"]: system["text"] for system in record["systems"]} for record in records]
    assert [each["reference"] for each in texts] == ["le chat", "elle"]
    assert [[each[name] for each in texts] for name in names] == written
    assert all([*each] == ["reference", *names] for each in texts)
    stdin(monkeypatch, "\n".join(sentences).encode())
    rows = [line for line in cli.printed(*asked).splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows] == [
        "| ",
        "| ---",
        "| Source",
        "| Reference",
        *(f"| {n}" for n in names),
    ] * 2
    assert rows[8] == r"| Source | she \| the girl |"
    references.write_text("le chat\n", "utf-8")
    stdin(monkeypatch, b"the cat\nshe\n")
    assert "has 1 lines, but 2 sentences are given" in cli.refused(*asked)


@pytest.mark.parametrize(
    "words",
    [
        ["--paper"],
        ["--reference", "x"],
        ["--table-3", "--sample", "2"],
        ["--table-3", "--n-best", "1"],
        ["--table-3", "--shards", "x"],
    ],
)
def test_what_does_not_go_with_table_3_is_refused(run: str, words: list[str], cli: Commands) -> None:
    assert cli.refused("translate", run, *words).startswith("jointly translate: ")


def test_table_3_is_of_runs_of_one_pair_and_of_different_names(
    random_runs: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    one = str(random_runs / "search-words")
    stdin(monkeypatch, b"the cat\n")
    assert "search-words" in cli.refused("translate", one, one, "--table-3")


def test_the_papers_sentences_are_those_of_newstest2014(
    random_runs: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = {"table_3_1": ("the girl", "la fille")}
    monkeypatch.setattr("nmt.cli.translate.quoted_sentences", {"table_3": ours}.get)
    asked = ["translate", str(random_runs / "search-words"), "--table-3", "--paper", "--json"]
    record = json.loads(cli.printed(*asked))
    assert (record["source"]["text"], record["systems"][0]["text"]) == ("the girl", "la fille")
    with monkeypatch.context() as patch:
        patch.setattr("nmt.inference.system.Languages", lambda *_: Languages("en", "de"))
        assert main(asked) == 2
    assert "English and French" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setenv("JOINTLY_DATA", str(random_runs))
    assert "corpus get news" in cli.refused(*asked)


def test_without_a_name_the_first_run_of_the_app_translates_where_its_weights_are(
    random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both runs have weights; then the first one's are gone."""
    shutil.copytree(random_runs / "search-bpe", tmp_path / OPENS_FIRST[0])
    shutil.copytree(random_runs / "search-bpe", tmp_path / INSIDE)
    monkeypatch.setenv("JOINTLY_RUNS", str(tmp_path))
    for name in (OPENS_FIRST[0], INSIDE):
        stdin(monkeypatch, b"a cat\n")
        assert main(["translate"]) == 0
        printed = capsys.readouterr()
        assert printed.out.count("\n") == 1
        assert f"with {name}, as no run was named" in printed.err
        (tmp_path / OPENS_FIRST[0] / BEST).unlink(missing_ok=True)
