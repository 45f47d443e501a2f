"""``aer``, and the rules of ``align``: against the functions they stand on, and how faults end."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.alignments.links import RULES, SYMMETRISATIONS, Extraction
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate, alignment_error_rate, read_gold
from nmt.evaluation.measurement_files import read_error_rates
from nmt.inspection.maps import maps_by_name
from nmt.results.links import LEAVE_ONE_OUT
from tests.oracles.random_run import random_run
from tests.programs import Commands

SOURCE = ["the girl reads .", "a cat sleeps on the mat", "she"]
TARGET = ["la fille lit .", "un chat dort", "elle dort"]
GOLD = ["0-0 1-1 2-2 3p3", "0-0 1-1 2-2 3p2", "0-0"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    contents = {"SOURCE": SOURCE, "TARGET": TARGET, "GOLD": GOLD, "LINKS": ["0-0 1-1", "2-2 4-2", "0-1"]}
    contents |= {"SHORT": GOLD[:2], "BAD": [*GOLD[:2], "0~0"], "BEYOND": [*GOLD[:2], "0-2"], "NOSURE": ["0p0"] * 3}
    contents |= {"FEW": ["0-0", "1-1"], "FAR": ["0-0", "1-1", "0-2"]}
    contents |= {"WRITTEN": [f"{line} ||| 0-0" for line in TARGET]}
    paths = {}
    for name, lines in contents.items():
        path = tmp_path / name.lower()
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        paths[name] = str(path)
    return paths


def measured(cli: Commands, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli.printed("aer", *arguments, "--json").splitlines()]


def sides(files: dict[str, str]) -> list[str]:
    return ["--source", files["SOURCE"], "--target", files["TARGET"], "--gold", files["GOLD"]]


def agrees(item: dict[str, Any], error: AlignmentErrorRate) -> bool:
    assert [item[key] for key in ("aer", "precision", "recall")] == [error.aer, error.precision, error.recall]
    assert [item[key] for key in ("links", "sure", "possible")] == [error.links, error.sure, error.possible]
    assert [item["sure_found"], item["possible_found"]] == [error.sure_found, error.possible_found]
    return bool(item["n"] == error.sentences == len(SOURCE))


def test_every_rule(random_runs: Path, files: dict[str, str], cli: Commands) -> None:
    run = str(random_runs / "search-words")
    items = cli.objects("aer", run, *sides(files), "--rule", "all", "--threshold", "0.2")
    alignments = nmt.load(run).align(SOURCE, TARGET, pretokenised=True)
    gold = read_gold(files["GOLD"])
    rules = [Extraction(name, 0.2) for name in RULES]
    assert [item["rule"] for item in items] == [rule.name for rule in rules]
    for item, rule in zip(items, rules, strict=True):
        assert agrees(item, alignment_error_rate([rule.links(a) for a in alignments], gold))
        assert (item["run"], item["update"], item["map"]) == ("search-words", 7, "attention")
    (one,) = cli.objects("aer", run, *sides(files), "--rule", "argmax")
    assert one == items[0]


@pytest.mark.parametrize("name", ["encdec-bpe", "search-words"])
def test_the_stand_in_is_named(name: str, random_runs: Path, files: dict[str, str], cli: Commands) -> None:
    run = str(random_runs / name)
    forced = ["--map", "leave-one-out"] if name.startswith("search") else []
    (item,) = cli.objects("aer", run, *sides(files), "--rule", "columns", *forced)
    maps = maps_by_name(nmt.load(run), zip(SOURCE, TARGET, strict=True), LEAVE_ONE_OUT, pretokenised=True)
    assert agrees(item, alignment_error_rate([Extraction("columns").links(m) for m in maps], read_gold(files["GOLD"])))
    assert (item["map"], item["rule"]) == ("leave-one-out", "leave-one-out columns")
    assert "rule:leave-one-out" in cli.printed("aer", run, *sides(files), *forced)


def test_two_directions(random_runs: Path, tmp_path: Path, files: dict[str, str], cli: Commands) -> None:
    run, back = str(random_runs / "search-words"), _reversed(tmp_path / "back")
    argmax = Extraction("argmax").links
    for rule in SYMMETRISATIONS:
        (item,) = cli.objects("aer", run, *sides(files), "--reverse", back, "--rule", rule)
        forward = nmt.load(run).align(SOURCE, TARGET, pretokenised=True)
        backward = nmt.load(back).align(TARGET, SOURCE, pretokenised=True)
        links = [
            SYMMETRISATIONS[rule](argmax(f), frozenset((i, j) for j, i in argmax(b)))
            for f, b in zip(forward, backward, strict=True)
        ]
        assert agrees(item, alignment_error_rate(links, read_gold(files["GOLD"])))
        assert item["rule"] == f"{rule} with back"


def test_gold_links_of_the_other_direction(
    random_runs: Path, tmp_path: Path, files: dict[str, str], cli: Commands
) -> None:
    """Gold links with both words exchanged are read back by --target-first, beside a run and beside a file."""
    turned = tmp_path / "turned"
    lines = [re.sub(r"(\d+)([-p])(\d+)", r"\3\2\1", line) for line in GOLD]
    turned.write_text("\n".join(lines) + "\n")
    pairs = sides(files)[:4]
    for links in (
        [str(random_runs / "search-words"), *pairs],
        ["--links", files["LINKS"]],
        ["--links", files["LINKS"], *pairs],
    ):
        usual = cli.objects("aer", *links, "--gold", files["GOLD"])
        assert cli.objects("aer", *links, "--gold", str(turned), "--target-first") == usual


def _reversed(folder: Path) -> str:
    """A run that says it translates French to English."""
    random_run(folder)
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    settings["source_language"], settings["target_language"] = "fr", "en"
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return str(folder)


def test_a_file_of_links(files: dict[str, str], cli: Commands) -> None:
    """|A| = 5, |S| = 7; 0-0, 1-1 and 2-2 are sure: 3 found, and no more that are possible."""
    (item,) = cli.objects("aer", "--links", files["LINKS"], "--gold", files["GOLD"])
    assert item["aer"] == pytest.approx(1 - 6 / 12)
    assert (item["precision"], item["recall"]) == (pytest.approx(3 / 5), pytest.approx(3 / 7))
    assert (item["run"], item["update"], item["map"], item["rule"]) == (None, None, None, "given")
    assert cli.objects("aer", "--links", files["LINKS"], *sides(files)) == [item]
    assert "AER  50.0 %  precision  60.0 %  recall  42.9 %" in cli.printed(
        "aer", "--links", files["LINKS"], "--gold", files["GOLD"]
    )


def test_align_takes_the_rules(random_runs: Path, files: dict[str, str], cli: Commands) -> None:
    run = str(random_runs / "search-bpe")
    arguments = ["align", run, "--source", files["SOURCE"], "--target", files["TARGET"], "--pretokenised"]
    alignments = nmt.load(run).align(SOURCE, TARGET, pretokenised=True)
    for rule in RULES:
        lines = cli.printed(*arguments, "--rule", rule).splitlines()
        expected = [Extraction(rule).links(alignment) for alignment in alignments]
        found = [{tuple(int(k) for k in link.split("-")) for link in line.split()} for line in lines]
        assert found == expected
    encdec = ["align", str(random_runs / "encdec-bpe"), *arguments[2:], "--map", "leave-one-out", "--json"]
    items = [json.loads(line) for line in cli.printed(*encdec).splitlines()]
    assert {(one["kind"], one["rule"]) for item in items for one in item["systems"][0]["maps"]} == {
        ("leave-one-out", ""),
        ("links", "leave-one-out argmax"),
    }


def test_a_file_that_names_its_words_must_have_those_of_the_same_line(files: dict[str, str], cli: Commands) -> None:
    """Sentences of equally many words in another order gave an error rate without a word."""
    for name, lines in (("SOURCE", "a b\nc d\n"), ("TARGET", "x y\nz w\n"), ("GOLD", "0-0 1-1\n0-1 1-0\n")):
        Path(files[name]).write_text(lines, encoding="utf-8")
    tables = ['"","a","b"\n"x",1,0\n"y",0,1\n\n', '"","c","d"\n"z",0,1\n"w",1,0\n\n']
    remark = "# Sentence pair ({number}) source length 2 target length 2 alignment score : 0.1"
    words = "x y\nNULL ({ }) a ({ 1 }) b ({ 2 })\n", "z w\nNULL ({ }) c ({ 2 }) d ({ 1 })\n"
    for parts, rule in ((tables, ["--rule", "argmax"]), (words, [])):
        for name, order in (("LINKS", parts), ("FEW", parts[::-1])):
            remarks = ["" if rule else remark.format(number=number) + "\n" for number in (1, 2)]
            content = "".join(first + part for first, part in zip(remarks, order, strict=True))
            Path(files[name]).write_text(content, encoding="utf-8")
        (item,) = cli.objects("aer", "--links", files["LINKS"], *sides(files), *rule)
        assert (item["aer"], item["n"]) == (0, 2)
        refused = cli.refused("aer", "--links", files["FEW"], *sides(files), *rule)
        assert "sentence 1 has the words of line 2" in refused


def test_rows_of_links_may_lack_the_last_sentences(files: dict[str, str], cli: Commands) -> None:
    Path(files["FEW"]).write_text("1 1 1\n1 2 2\n", encoding="utf-8")
    (item,) = cli.objects("aer", "--links", files["FEW"], *sides(files))
    assert (item["links"], item["sure_found"], item["n"]) == (2, 2, 3)


FAULTS = {
    "neither": (["--gold", "GOLD"], "either a run folder or --links"),
    "both": (["RUN", "--links", "LINKS", "--gold", "GOLD"], "either a run folder or --links"),
    "no text": (["RUN", "--gold", "GOLD"], "with --source and --target"),
    "half the text": (["RUN", "--source", "SOURCE", "--gold", "GOLD"], "line 1 is not source ||| target"),
    "no gold": (["RUN", "--source", "SOURCE", "--target", "TARGET", "--gold", "nofile"], "nofile does not exist"),
    "short gold": (["RUN", "--source", "SOURCE", "--target", "TARGET", "--gold", "SHORT"], "has 2 lines, but"),
    "bad gold": (["RUN", "--source", "SOURCE", "--target", "TARGET", "--gold", "BAD"], "line 3: '0~0' is not a link"),
    "beyond": (["RUN", "--source", "SOURCE", "--target", "TARGET", "--gold", "BEYOND"], "line 3: the link 0-2 is out"),
    "links beyond": (["--links", "FAR", *"--source SOURCE --target TARGET --gold GOLD".split()], "line 3: the link"),
    "few links": (["--links", "FEW", "--gold", "GOLD"], "has 2 lines, but"),
    "no sure link": (["--links", "LINKS", "--gold", "NOSURE"], "no sure link"),
    "a rule for a run": (["--links", "LINKS", "--gold", "GOLD", "--rule", "all"], "are for a run, not for --links"),
    "a base for a run": ("RUN --source SOURCE --target TARGET --gold GOLD --base 1".split(), "are for --links"),
    "a base of decoders": (
        "--links WRITTEN --source SOURCE --target TARGET --gold GOLD --base 1".split(),
        "which numbers words from 0",
    ),
    "no parts": (["--links", "LINKS", "--gold", "GOLD", "--part", "3"], "so it has no part 3"),
    "no source": (["--links", "LINKS", "--gold", "GOLD", "--target", "TARGET"], "--target needs --source"),
    "a rule for links": (
        ["--links", "LINKS", "--gold", "GOLD", "--rule", "union"],
        "--rule draws links from weights, but",
    ),
    "attention": ("ENCDEC --source SOURCE --target TARGET --gold GOLD --map attention".split(), "one vector"),
    "direction": ("RUN --source SOURCE --target TARGET --gold GOLD --reverse RUN".split(), "translates en to fr"),
    "one rule": ("RUN --source SOURCE --target TARGET --gold GOLD --reverse RUN --rule argmax".split(), "two direct"),
    "threshold of another rule": (
        "RUN --source SOURCE --target TARGET --gold GOLD --threshold 0.9".split(),
        "has no threshold",
    ),
    "threshold": (
        "RUN --source SOURCE --target TARGET --gold GOLD --threshold 2".split(),
        "--threshold must be",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong_is_one_sentence_and_status_2(
    fault: str, random_runs: Path, files: dict[str, str], cli: Commands
) -> None:
    arguments, message = FAULTS[fault]
    places = files | {"RUN": str(random_runs / "search-words"), "ENCDEC": str(random_runs / "encdec-words")}
    assert message in cli.refused("aer", *(places.get(part, part) for part in arguments))


def test_results_are_kept_by_map_and_rule(
    random_runs: Path, files: dict[str, str], tmp_path: Path, cli: Commands
) -> None:
    run = tmp_path / "mine"
    shutil.copytree(random_runs / "search-words", run)
    for rule, weights in (("argmax", "attention"), ("all", "posterior"), ("argmax", "posterior")):
        cli.objects("aer", str(run), *sides(files), "--rule", rule, "--map", weights, "--name", "toy")
    (kept,) = read_error_rates(run).values()
    assert {(found.map, found.rule) for found in kept} == {
        ("attention", "argmax"),
        *(("posterior", f"posterior {rule}") for rule in RULES if rule != "threshold"),
        ("posterior", f"posterior {Extraction('threshold').name}"),
    }
    assert len(kept) == len(RULES) + 1
    item = cli.objects("aer", str(run), *sides(files), "--rule", "argmax")[0]
    (same,) = [found for found in kept if found.map == "attention"]
    assert same.to_dict() == item
    Path(files["GOLD"]).write_text("0-0\n0-0\n0-0\n", encoding="utf-8")  # other gold links under the same name
    item = cli.objects("aer", str(run), *sides(files), "--rule", "argmax", "--name", "toy")[0]
    ((only,),) = read_error_rates(run).values()
    assert only.to_dict() == item
