"""Re-ranking from a command: features of runs in both directions, tuned weights, the list that is written."""

import json
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import nmt
from nmt.cli import main
from tests.programs import Commands

SOURCES = ["the girl reads", "the cat sleeps", "she has never seen the sea"]


def test_a_list_is_scored_tuned_and_re_ranked(random_runs: Path, tmp_path: Path, cli: Commands) -> None:
    run = random_runs / "search-words"
    candidates = [
        (0, "la fille lit"),
        (0, "le chat dort"),
        (1, "la fille"),
        (1, "le chat dort"),
        (2, "elle a vu la mer"),
    ]
    (tmp_path / "source").write_text("\n".join(SOURCES), "utf-8")
    (tmp_path / "reference").write_text("le chat dort\nle chat dort\nelle a vu la mer\n", "utf-8")
    listed = "".join(f"{number} ||| {text} ||| {-k}.5 ||| {-k}\n" for k, (number, text) in enumerate(candidates))
    (tmp_path / "list").write_text(listed, "utf-8")
    given = ["rescore", str(tmp_path / "list"), "--source", str(tmp_path / "source"), "--forward", str(run), "--length"]
    given += ["--weights", str(tmp_path / "weights.json"), "--json"]
    assert "two runs are called search-words; rename the folder of one" in cli.refused(
        *given, "--forward", str(run), str(run)
    )
    tuned = json.loads(cli.printed(*given, "--reference", str(tmp_path / "reference"), "--out", str(tmp_path / "out")))
    assert [row["feature"] for row in tuned["features"]] == ["given", "forward:search-words", "length"]
    assert tuned["first_of_list"] < tuned["bleu"] == pytest.approx(100)
    model = nmt.load(run)
    for line in (tmp_path / "out").read_text("utf-8").splitlines():
        number, text, features, _ = line.split(" ||| ")
        values = dict(zip(features.split()[::2], map(float, features.split()[1::2]), strict=True))
        expected = model.score(SOURCES[int(number)], text).log_probability
        assert values["forward:search-words="] == pytest.approx(expected, abs=1e-4)
        assert values["length="] == len(text.split())
    best = [json.loads(line)["target"] for line in cli.printed(*given).splitlines()]
    assert best == ["le chat dort", "le chat dort", "elle a vu la mer"]
    assert "backward:search-words is not of" in cli.refused(*given, "--backward", str(run))


@pytest.mark.parametrize("weight", ['"x"', "[1]", "NaN", "null"])
def test_weights_that_are_no_numbers_are_named(tmp_path: Path, cli: Commands, weight: str) -> None:
    (tmp_path / "source").write_text("the girl reads\n", "utf-8")
    (tmp_path / "list").write_text("0 ||| la fille lit ||| 1\n", "utf-8")
    (tmp_path / "w.json").write_text(f'{{"format": 1, "weights": {{"given": {weight}}}}}', "utf-8")
    files = ["--source", str(tmp_path / "source"), "--weights", str(tmp_path / "w.json")]
    assert "w.json" in cli.refused("rescore", str(tmp_path / "list"), *files)


@pytest.mark.parametrize(("script", "text"), [("Japanese", "島は遠い。"), ("Korean", "섬은 멀다.")])
def test_how_bleu_counts_a_language_is_not_guessed(script: str, text: str, tmp_path: Path, cli: Commands) -> None:
    (tmp_path / "source").write_text("the girl reads\n", "utf-8")
    (tmp_path / "list").write_text("0 ||| 島は遠い。 ||| 1\n", "utf-8")
    given = ["rescore", str(tmp_path / "list"), "--source", str(tmp_path / "source"), "--weights", "w.json"]
    (tmp_path / "reference").write_text(f"{text}\n", "utf-8")
    assert f"contains {script}" in cli.refused(*given, "--reference", str(tmp_path / "reference"))


def test_the_backward_direction_scores_the_source(random_runs: Path, tmp_path: Path) -> None:
    (tmp_path / "source").write_text("the girl reads\n", "utf-8")
    (tmp_path / "list").write_text("0 ||| la fille lit ||| 1\n", "utf-8")
    (tmp_path / "reference").write_text("la fille lit\n", "utf-8")
    run, out = str(random_runs / "search-words"), tmp_path / "out"
    files = {"--source": "source", "--reference": "reference", "--weights": "w.json", "--out": "out"}
    options = [part for name, file in files.items() for part in (name, str(tmp_path / file))]
    assert main(["rescore", str(tmp_path / "list"), "--backward", run, *options]) == 0
    value = float(out.read_text("utf-8").split("backward:search-words= ")[1].split()[0])
    assert value == pytest.approx(nmt.load(run).score("la fille lit", "the girl reads").log_probability, abs=1e-4)


def test_the_gain_of_a_feature_is_what_is_lost_without_it(
    random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list tuned without the number of words loses just that; text and JSON say the same. What is the only feature
    has no gain."""
    references = ["la fille lit un livre", "le chat dort", "elle a vu la mer", "un chat lit"]
    candidates = ["la fille lit un livre ||| -3", "la fille ||| -1", "le ||| 0", "le chat dort ||| -2"]
    candidates += ["elle a vu la mer ||| -1", "elle la a mer vu ||| -5", "chat lit un ||| -1", "un chat lit ||| -4"]
    listed = "".join(f"{k // 2} ||| {text.replace('|||', '||| f=')}\n" for k, text in enumerate(candidates))
    for name, text in {
        "list": listed,
        "reference": "\n".join(references),
        "source": "the girl reads a book\nthe cat sleeps\nshe has seen the sea\na cat reads",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    files = {"--source": "source", "--reference": "reference", "--weights": "w.json"}
    usual = ["rescore", str(tmp_path / "list"), *(w for o, f in files.items() for w in (o, str(tmp_path / f)))]

    def tuned(*options: str) -> dict[str, Any]:
        assert main([*usual, *options, "--json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert main([*usual, *options]) == 0
        first, *lines = capsys.readouterr().out.splitlines()
        assert first == f"BLEU {found['first_of_list']:.2f} of the first of each list, {found['bleu']:.2f} re-ranked"
        assert len(lines) == len(found["features"])
        for line, row in zip(lines, found["features"], strict=True):
            name, _, told = line.strip().partition(": ")
            numbers = dict(part.split(" ") for part in told.split(", "))
            assert name == row["feature"]
            assert float(numbers.pop("weight")) == pytest.approx(row["weight"], rel=1e-3)
            assert numbers.pop("alone") == f"{row['alone']:.2f}"
            assert numbers == ({} if row["gain"] is None else {"gain": f"{row['gain']:+.2f}"})
        return found

    alone, run = tuned(), str(random_runs / "search-words")
    assert [row["gain"] for row in alone["features"]] == [None]
    both = tuned("--length")
    own, length = both["features"]
    assert length["gain"] == pytest.approx(both["bleu"] - alone["bleu"])
    assert length["gain"] > 1
    three = tuned("--length", "--forward", run)
    (scored,) = [row for row in three["features"] if row["feature"] == "forward:search-words"]
    assert scored["gain"] == pytest.approx(three["bleu"] - both["bleu"])
    for found in (alone, both):
        assert found["features"][0]["alone"] == pytest.approx(own["alone"])


def test_candidates_of_a_sentence_that_there_is_not_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last number may be that of the last line, counted from 0. A sentence without candidates is a blank line."""
    (tmp_path / "source").write_text("one\ntwo\nthree\n", "utf-8")
    (tmp_path / "w.json").write_text('{"format": 1, "weights": {"f": 1}}', "utf-8")
    files = ["--source", str(tmp_path / "source"), "--weights", str(tmp_path / "w.json")]
    for last, status in ((2, 0), (3, 2)):
        (tmp_path / "list").write_text(f"0 ||| un ||| f= 1\n0 ||| une ||| f= 2\n{last} ||| x ||| f= 1\n", "utf-8")
        assert main(["rescore", str(tmp_path / "list"), *files]) == status
        found = capsys.readouterr()
        if status:
            assert "sentence 3," in found.err
            assert "3 lines" in found.err
        else:
            assert found.out == "une\n\nx\n"


def tuned(tmp_path: Path, candidates: str, references: str, cli: Commands, *more: str) -> dict[str, Any]:
    (tmp_path / "source").write_text("a\n" * len(references.splitlines()), "utf-8")
    (tmp_path / "reference").write_text(references, "utf-8")
    (tmp_path / "list").write_text(candidates, "utf-8")
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference"), *more]
    (found,) = cli.objects("rescore", str(tmp_path / "list"), *files, "--weights", str(tmp_path / "w.json"))
    return found


@pytest.mark.parametrize("missing", [[0], [1], [3], [0, 2], [1, 2, 3]])
def test_a_sentence_without_candidates_counts_as_blank(tmp_path: Path, cli: Commands, missing: list[int]) -> None:
    references = [f"le mot numéro {k} est ici" for k in range(4)]
    listed = [f"{k} ||| {text} ||| A= {-k} ||| 0\n" for k, text in enumerate(references) if k not in missing]
    found = tuned(tmp_path, "".join(listed), "\n".join(references) + "\n", cli)
    written = ["" if k in missing else text for k, text in enumerate(references)]
    expected = sacrebleu.corpus_bleu(written, [references]).score
    assert expected < 99
    assert found["first_of_list"] == found["bleu"] == pytest.approx(expected)
    files = [str(tmp_path / "list"), "--source", str(tmp_path / "source"), "--weights", str(tmp_path / "w.json")]
    assert cli.printed("rescore", *files).split("\n")[:-1] == written


def test_candidates_that_are_missing_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("un chat\n" * 3, "utf-8")
    (tmp_path / "list").write_text("1 ||| un chat ||| A= 1 ||| 0\n", "utf-8")
    files = ["--source", str(tmp_path / "text"), "--reference", str(tmp_path / "text")]
    assert main(["rescore", str(tmp_path / "list"), *files, "--weights", str(tmp_path / "w.json")]) == 0
    assert "sentences without candidates, counted as blank translations: 2 of 3." in capsys.readouterr().err


def test_too_few_references_are_refused(tmp_path: Path, cli: Commands) -> None:
    (tmp_path / "source").write_text("a\nb\nc\n", "utf-8")
    (tmp_path / "reference").write_text("a\nb\n", "utf-8")
    (tmp_path / "list").write_text("0 ||| a ||| A= 1 ||| 0\n", "utf-8")
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference")]
    assert "reference has 2 lines, but" in cli.refused(
        "rescore", str(tmp_path / "list"), *files, "--weights", str(tmp_path / "w.json")
    )


MARIAN = {
    "links": "0-0 1-1 2-2 ||| ",
    "no links": "||| ",
    "soft alignments": "0.9,0.1,0 0.05,0.9,0.05 ||| ",
    "scores of words": "WordScores= -0.5 -0.25 ||| ",
    "both": "0-0 1-1 ||| WordScores= -1 ||| ",
}


@pytest.mark.parametrize("kind", MARIAN)
def test_lists_of_marian_with_more_fields_are_read(tmp_path: Path, cli: Commands, kind: str) -> None:
    """As the same list without these fields."""
    rows = [(0, "le chat dort ici", -1.5), (0, "le chat", -0.5), (1, "elle lit un livre", -2.0), (1, "elle", -1.0)]
    results = []
    for field in ("", MARIAN[kind]):
        listed = "".join(f"{k} ||| {text} ||| {field}F0= {score} ||| {score / 2}\n" for k, text, score in rows)
        results.append(tuned(tmp_path, listed, "le chat dort ici\nelle lit un livre\n", cli))
    assert results[0] == results[1]
    assert [row["feature"] for row in results[1]["features"]] == ["F0"]
    assert results[1]["bleu"] == pytest.approx(100)


def test_several_references_are_tuned_on(tmp_path: Path, cli: Commands) -> None:
    """In columns and in files the same: what sacreBLEU says of the first of each list."""
    first, second = ["le chat dort ici", "elle lit un livre"], ["un chat dort là", "elle lit un gros livre"]
    listed = "0 ||| un chat dort ici ||| A= 1 ||| 0\n1 ||| elle lit un gros livre ||| A= 1 ||| 0\n"
    columns = "".join(f"{a}\t{b}\n" for a, b in zip(first, second, strict=True))
    found = tuned(tmp_path, listed, columns, cli)
    (tmp_path / "more").write_text("\n".join(second) + "\n", "utf-8")
    files = tuned(tmp_path, listed, "\n".join(first) + "\n", cli, "--reference", str(tmp_path / "more"))
    expected = sacrebleu.corpus_bleu(["un chat dort ici", "elle lit un gros livre"], [first, second]).score
    assert found["bleu"] == files["bleu"] == pytest.approx(expected)


def test_a_tokenised_list_has_one_remark_of_our_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [f"le mot {k}" for k in range(120)]
    (tmp_path / "source").write_text("a\n" * 120, "utf-8")
    (tmp_path / "list").write_text(
        "".join(f"{k} ||| {line} . ||| A= 1 ||| 0\n" for k, line in enumerate(lines)), "utf-8"
    )
    files = ["rescore", str(tmp_path / "list"), "--source", str(tmp_path / "source")]
    for end, remarks in ((" .", 0), (".", 1)):
        (tmp_path / "reference").write_text("".join(f"{line}{end}\n" for line in lines), "utf-8")
        given = ["--reference", str(tmp_path / "reference"), "--weights", str(tmp_path / "w.json")]
        assert main([*files, *given]) == 0
        errors = capfd.readouterr().err
        assert errors.count("looks tokenised") == errors.count("Note:") == remarks
        assert "force" not in errors
