"""Links that count from 1, and links and weights of other programs, wherever commands read them."""

import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.alignments.links import Extraction
from nmt.data.links import read_dictionary
from nmt.data.prepared import open_prepared
from nmt.results.links import format_links
from nmt.runs.provenance import preparation
from tests.alignments.formats.test_other_programs import (
    HEADS,
    LINKS,
    SAMPLES,
    SOURCES,
    TARGETS,
    expected,
)
from tests.programs import Commands, main

GOLD = [format_links(sorted(links)) for links in LINKS]
FROM_ONE = [" ".join(f"{i + 1}-{j + 1}" for i, j in sorted(links)) for links in LINKS]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("en", SOURCES), ("fr", TARGETS), ("gold", GOLD), ("one", FROM_ONE)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    both = (f"{source} ||| {target}\n" for source, target in zip(SOURCES, TARGETS, strict=True))
    (tmp_path / "both").write_text("".join(both), "utf-8")
    return tmp_path


def measured(capsys: pytest.CaptureFixture[str], arguments: str) -> dict[str, Any]:
    """The result with what is said on stderr."""
    assert main(["aer", *arguments.split(), "--json"]) == 0
    captured = capsys.readouterr()
    item: dict[str, Any] = json.loads(captured.out)
    return item | {"said": captured.err}


TEXTS = "--source en --target fr"


@pytest.mark.parametrize(
    ("arguments", "aer", "said"),
    [
        ("--links gold --gold gold", 0, ""),
        ("--links one --gold one", 0, ""),  # both count from 1, or both from 0: the same links
        (
            "--links gold --gold one",
            None,
            "no link of one has the number 0: if its words count from 1, use --gold-base 1",
        ),
        ("--links one --gold gold", None, "no link of one has the number 0: if its words count from 1, use --base 1"),
        ("--links gold --gold one --gold-base 1", 0, ""),
        ("--links one --gold gold --base 1", 0, ""),
        ("--links one --gold one --base 1 --gold-base 1", 0, ""),
        (f"--links one --gold gold --base 1 {TEXTS}", 0, ""),
        (f"--links gold --gold one --gold-base 1 {TEXTS}", 0, ""),
        ("--links one --gold gold --base 1 --source both", 0, ""),
    ],
)
def test_links_from_0_against_links_from_1(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: str, aer: float | None, said: str
) -> None:
    item = measured(capsys, arguments)
    assert (item["said"].strip(), item["aer"] > 0.2) == (said, aer is None)
    assert aer is None or item["aer"] == aer


def test_the_links_of_a_run_are_compared_too(
    random_runs: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(random_runs / "search-words")
    links = nmt.load(run).align(SOURCES, TARGETS, pretokenised=True)
    (folder / "two").write_text("a b c\n" * 3)
    lines = [sorted(Extraction("argmax").links(one)) for one in links]
    assert any(0 in link for line in lines for link in line)
    gold = "".join(" ".join(f"{i + 1}-{j + 1}" for i, j in line) + "\n" for line in lines)
    (folder / "gold").write_text(gold, "utf-8")
    item = measured(capsys, f"{run} {TEXTS} --rule argmax --gold gold --gold-base 1")
    assert (item["aer"], item["said"]) == (0, "")
    assert measured(capsys, f"{run} --source both --rule argmax --gold gold --gold-base 1")["aer"] == 0
    (folder / "gold").write_text("1-1\n1-1\n1-1 1-2\n")  # none is outside the text if it counts from 0
    item = measured(capsys, f"{run} {TEXTS.replace('en', 'two').replace('fr', 'two')} --rule argmax --gold gold")
    assert "no link of gold has the number 0: if its words count from 1, use --gold-base 1" in item["said"]


def test_gold_of_the_shared_tasks(folder: Path, cli: Commands, capsys: pytest.CaptureFixture[str]) -> None:
    """From 1 by its format; the last sentence has no line."""
    (folder / "links").write_text("0-0 1-1\n0-0\n\n")
    (folder / "rows").write_text("0001 1 1 S\n0001 2 2 P\n0001 1 2 P\n0002 1 1\n")
    item = measured(capsys, f"--links links --gold rows {TEXTS}")
    assert (item["aer"], item["sure"], item["possible"], item["n"], item["said"]) == (0, 2, 4, 3, "")
    (folder / "marked").write_text("0-0 1?1 0p1\n0-0\n\n")
    assert measured(capsys, f"--links links --gold marked {TEXTS}") == item
    (folder / "numbered").write_text("7\t0-0 1?1 0p1\n8\t0-0\n9\t\n")
    assert measured(capsys, f"--links links --gold numbered {TEXTS}") == item
    (folder / "rows").write_text("1 1 1 S\n1 9 1 S\n")
    assert "rows, sentence 1: there is a link between source word 9" in cli.refused(
        "aer", "--links", "links", "--gold", "rows", *TEXTS.split()
    )


@pytest.mark.parametrize(
    "name", [name for name, sample in SAMPLES.items() if sample.links and sample.format != "naacl"]
)
def test_links_of_other_programs_are_measured(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    sample = SAMPLES[name]
    (folder / "other").write_text(sample.text, "utf-8")
    (folder / "exact").write_text("".join(format_links(sorted(links)) + "\n" for links in sample.links), "utf-8")
    part = f"--part {sample.given.part}" if sample.given.part else ""
    item = measured(capsys, f"--links other --gold exact {TEXTS} {part}")
    assert (item["aer"], item["rule"], item["n"]) == (0, "given", 3)


@pytest.mark.parametrize("name", ["Marian soft", "fairseq soft", "CTranslate2", "Hugging Face", "OpenNMT attn_debug"])
@pytest.mark.parametrize("rule", ["argmax", "grow-diag"])
def test_weights_of_other_programs_are_measured(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, rule: str
) -> None:
    sample = SAMPLES[name]
    drawn = [sorted(Extraction(rule).links(one)) for one in sample.alignments]
    (folder / "other").write_text(sample.text, "utf-8")
    (folder / "exact").write_text("".join(format_links(links) + "\n" for links in drawn), "utf-8")
    chosen = "" if rule == "grow-diag" else f"--rule {rule}"
    item = measured(capsys, f"--links other --gold exact {TEXTS} {chosen}")
    assert (item["aer"], item["rule"], item["run"]) == (0, rule, None)


def test_one_head_is_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer to "which head aligns?": gold made of one head is that head's."""
    (folder / "other").write_text(SAMPLES["Hugging Face"].text, "utf-8")
    gold = [Extraction("argmax").links(one) for one in expected([one[1, 2] for one in HEADS])]
    (folder / "exact").write_text("".join(format_links(sorted(links)) + "\n" for links in gold), "utf-8")
    found = {
        part: measured(capsys, f"--links other --gold exact {TEXTS} --rule argmax --part {part}")["aer"]
        for part in ("0.0", "0.1", "0.2", "1.0", "1.1", "1.2", "1")
    }
    assert min(found, key=lambda part: found[part]) == "1.2"
    assert (found["1.2"], sorted(found.values())[1] > 0.2) == (0, True)


FAULTS = {
    "weights without texts": ("--links soft --gold gold", "has weights: to draw links"),
    "weights as gold": (f"--links gold --gold soft {TEXTS}", "soft has weights, not links"),
    "no source words": ("--links marian --gold gold", "marian: this format does not have the source words"),
    "several methods": (f"--links methods --gold gold {TEXTS}", "links by mwmf, itermax: choose one"),
    "subwords": (f"--links pieces --gold gold {TEXTS}", "sentence 1 has 6 source and 6 target tokens, but the pair"),
    "another text": ("--links marian --gold gold --source en --target en", "sentence 1: the words that are given are"),
    "too far": (f"--links far --gold gold {TEXTS}", "far, line 2: the link 1-0 is out of range"),
    "from 0": ("--links gold --gold gold --base 1", "gold, line 1: 0-"),
    "gold from 0": ("--links gold --gold gold --gold-base 1", "gold, line 1: 0-"),
    "not both": ("--links gold --gold gold --source en", "en, line 1 is not source ||| target"),
    "a no-break space": ("--links words --gold words --source nbsp --target nbsp", "the link 2-2 is out of range"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_does_not_fit_is_one_sentence(folder: Path, cli: Commands, fault: str) -> None:
    pieces = {"source": "The br idge sings at dusk".split(), "target": TARGETS[0].split()}
    (folder / "pieces").write_text(json.dumps([pieces | {"weights": np.full((6, 6), 1 / 6).tolist()}] * 3))
    (folder / "soft").write_text(SAMPLES["source, target, attention"].text)
    (folder / "marian").write_text(SAMPLES["Marian hard"].text)
    (folder / "methods").write_text(SAMPLES["SimAlign, JSON"].text)
    (folder / "far").write_text("0-0\n1-0\n0-0\n")
    (folder / "nbsp").write_text("10\u00a0000 euros\n")
    (folder / "words").write_text("0-0 2-2\n")
    arguments, named = FAULTS[fault]
    assert named in cli.refused("aer", *arguments.split())


def test_links_come_through_a_pipe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which can be read only once."""
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=lambda: (folder / "pipe").write_text("".join(f"{line}\n" for line in GOLD)))
    writer.start()
    assert measured(capsys, f"--links pipe --gold gold {TEXTS}")["aer"] == 0
    writer.join()


def test_align_reads_pairs_from_one_file(random_runs: Path, folder: Path, cli: Commands) -> None:
    run = str(random_runs / "search-words")
    printed = []
    for files in (TEXTS, "--source both"):
        printed.append(cli.printed("align", run, *files.split()))
    assert printed[0] == printed[1] != ""


@pytest.mark.parametrize("line", ["a b", "a ||| b ||| c", "a|||b", "|||"])
def test_a_line_that_is_no_pair_is_named(folder: Path, cli: Commands, line: str) -> None:
    (folder / "both").write_text(f"a ||| b\n{line}\n")
    assert "both, line 2 is not source ||| target" in cli.refused(
        "aer", "--links", "gold", "--gold", "gold", "--source", "both"
    )


def test_prepared_links_from_1_are_those_from_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What phrase-based reads again, and the command that makes the folder, have the number of the first word too."""
    common = "prepare --source-lang en --target-lang fr --corpus en fr --corpus en fr"
    arrays, said = [], []
    for number, options in enumerate(
        ("--links gold --links gold", "--links one --links one --base 1", "--links one --links one")
    ):
        code = main([*common.split(), *options.split(), "--out", f"out{number}"])
        captured = capsys.readouterr()
        said.append("use --base 1" in captured.err)
        if number == 2:  # the last word is linked
            assert (code, "out of range" in captured.err) == (2, True)
            break
        data = open_prepared(folder / f"out{number}")
        arrays.append([data.train.links(pair).tolist() for pair in range(len(data.train))])
    assert arrays[0] == arrays[1]
    assert said == [False, False, False]
    manifest = open_prepared(folder / "out1").manifest
    assert [corpus.links_base for corpus in manifest.train.corpora] == [1, 1]
    assert " --links " in preparation(manifest)
    assert " --base 1 " in preparation(manifest)
    assert " --base " not in preparation(open_prepared(folder / "out0").manifest)


def test_links_that_seem_to_count_from_1_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "links").write_text("1-1\n\n1-1 2-1\n")
    common = "prepare --source-lang en --target-lang fr --corpus en fr --out out --links links"
    assert main(common.split()) == 0
    assert "no link of links has the number 0: if its words count from 1, use --base 1\n" in capsys.readouterr().err
    (folder / "links").write_text("1-1\n0-1\n1-1 2-1\n")
    assert main([*common.split(), "--force"]) == 0
    assert "the number 0" not in capsys.readouterr().err


def test_a_dictionary_of_links_from_1(random_runs: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = folder / "run"
    shutil.copytree(random_runs / "search-words", run)
    found = []
    for options in ("--links gold", "--links one --base 1"):
        assert main(["release", "dictionary", str(run), *f"{TEXTS} {options} --out words.tsv".split()]) == 0
        assert "the number 0" not in capsys.readouterr().err
        found.append(read_dictionary(folder / "words.tsv"))
    assert found[0] == found[1]
    assert found[0]
    (folder / "links").write_text("1-1\n\n1-1 2-1\n")
    assert main(["release", "dictionary", str(run), *f"{TEXTS} --links links --out words.tsv".split()]) == 0
    assert "use --base 1" in capsys.readouterr().err
