"""Texts as commands take them: files of WMT and TMX are read, files of other programs refused, several references."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import nmt
from tests.data.test_text_files import DATASET, REFUSED, TMX
from tests.programs import Commands, main

SOURCE = ["the girl reads", "the cat sleeps", "she has never seen the sea"]
TARGET = ["la fille lit", "le chat dort", "elle a jamais vu la mer"]
N_BEST = "".join(f"{k} ||| {line} ||| F0= -1 ||| -1\n" for k, line in enumerate(TARGET))


def sgm(lines: list[str], root: str) -> str:
    segments = "".join(f'<seg id="{k}"> {line.replace("&", "&amp;")} </seg>\n' for k, line in enumerate(lines, 1))
    return (
        f'<{root} setid="x" srclang="en" trglang="fr">\n<doc docid="d.{root}" sysid="s">\n{segments}</doc>\n</{root}>\n'
    )


def tmx(source: list[str], target: list[str]) -> str:
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{a}</seg></tuv><tuv xml:lang="fr"><seg>{b}</seg></tuv></tu>'
        for a, b in zip(source, target, strict=True)
    )
    return f'<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>{units}</body></tmx>'


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(name: str, text: str | list[str]) -> str:
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else "".join(f"{line}\n" for line in text), "utf-8", newline="")
        return str(path)

    return written


def scored(
    hypothesis: str, source: str, *references: str, out: Path, languages: tuple[str, str] = ("en", "fr")
) -> list[str]:
    given = [part for reference in references for part in ("--reference", reference)]
    return [
        *("evaluate-output", "s", "--hypothesis", hypothesis, "--source", source, *given, "--name", "x", "--out"),
        *(str(out), "--languages", *languages, "--json"),
    ]


def bleu(capsys: pytest.CaptureFixture[str]) -> tuple[float, str]:
    result = json.loads(capsys.readouterr().out)["all"]
    return result["bleu"], result["signature"]


WRITTEN = ["la fille lit bien", "un chat dort", "elle a jamais vu la mer"]


@pytest.mark.parametrize("kind", ["sgm", "tmx", "plain"])
def test_segments_are_scored_as_their_sentences(
    write: Any, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "sgm":
        files = write("h", sgm(WRITTEN, "tstset")), write("s", sgm(SOURCE, "srcset")), write("r", sgm(TARGET, "refset"))
    elif kind == "tmx":
        files = write("h", WRITTEN), *[write("both", tmx(SOURCE, TARGET))] * 2
    else:
        files = write("h", WRITTEN), write("s", SOURCE), write("r", TARGET)
    assert main(scored(*files, out=tmp_path / "out")) == 0
    assert bleu(capsys)[0] == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, [TARGET]).score)


def test_a_file_of_three_sides_has_each(write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("set.xml", DATASET)
    assert main(scored(path, path, path, out=tmp_path / "out", languages=("de", "en"))) == 0
    one, two = ["Bread < cake.", "Butter.", "Milk."], ["Bread below cake.", "The butter.", "The milk."]
    value, signature = bleu(capsys)
    assert value == pytest.approx(sacrebleu.corpus_bleu(["Bread cake.", "Butters.", "Milks."], [one, two]).score)
    assert signature.startswith("nrefs:2|")


@pytest.mark.parametrize("way", ["tabs", "files", "both"])
def test_several_references_are_sacrebleus(
    write: Any, tmp_path: Path, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    second, third = ["une fille lit", "un chat dort", "elle n'a jamais vu la mer"], ["x", "le chat dort", "y"]
    columns = [TARGET, second] if way != "both" else [TARGET, second, third]
    joined = ["\t".join(row) for row in zip(TARGET, second, strict=True)]
    references = {
        "tabs": [write("r", joined)],
        "files": [write("r1", TARGET), write("r2", second)],
        "both": [write("r12", joined), write("r3", third)],
    }[way]
    assert main(scored(write("h", WRITTEN), write("s", SOURCE), *references, out=tmp_path / "out")) == 0
    value, signature = bleu(capsys)
    assert value == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, columns).score)
    assert signature.startswith(f"nrefs:{len(columns)}|")


def test_a_run_is_scored_on_several_references(
    random_runs: Path, write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run = random_runs / "search-words"
    references = write("r", [f"{line}\tun {line}" for line in TARGET])
    given = ["--source", write("s", SOURCE), "--reference", references, "--beam", "2", "--json", "--fresh"]
    assert main(["evaluate", str(run), *given]) == 0
    texts = [each.text for each in nmt.load(run).translate(SOURCE, beam=2)]
    value, signature = bleu(capsys)
    assert value == pytest.approx(sacrebleu.corpus_bleu(texts, [TARGET, [f"un {line}" for line in TARGET]]).score)
    assert signature.startswith("nrefs:2|")


def test_references_of_unequal_files_are_refused(write: Any, tmp_path: Path, cli: Commands) -> None:
    files = write("h", WRITTEN), write("s", SOURCE), write("r", TARGET), write("r2", TARGET[:2])
    assert "r2 has 2 lines, but" in cli.refused(*scored(*files, out=tmp_path / "out"))


@pytest.mark.parametrize("case", ["a web page", "two systems", "uneven references"])
def test_evaluate_refuses_what_is_no_text(write: Any, tmp_path: Path, case: str, cli: Commands) -> None:
    """Each kind in the place of its side; and nothing is stored."""
    text, side, message = REFUSED[case]
    files = {"hypothesis": write("h", ["a"]), "source": write("s", ["a"]), "reference": write("r", ["a"])}
    files[side] = write("odd", text)
    unknown = scored(files["hypothesis"], files["source"], files["reference"], out=tmp_path / "out", languages=("", ""))
    error = cli.refused(*unknown)
    assert message in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "odd", [N_BEST, "".join(f"<s> {line} </s>\n" for line in SOURCE), '{"a": "b"}\n', "<p>a</p>\n<p>b</p>\n"]
)
def test_every_command_with_texts_refuses_them(
    random_runs: Path, write: Any, tmp_path: Path, odd: str, cli: Commands,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    run, bad, good, other = str(random_runs / "search-words"), write("odd", odd), write("s", SOURCE), write("t", TARGET)
    links, prepared = write("links", ["0-0"] * 3), str(tmp_path / "out")
    languages = ["--source-lang", "en", "--target-lang", "fr"]
    commands = [
        ["score", run, "--source", good, "--target", bad],
        ["align", run, "--source", bad, "--target", other],
        ["aer", run, "--source", good, "--target", bad, "--gold", links],
        ["stress", run, "--source", bad, "--reference", other],
        ["evaluate", run, "--source", bad, "--reference", other],
        ["release", "dictionary", run, "--source", good, "--target", bad, "--links", links, "--out", prepared],
        ["shard", bad, "--out", prepared],
        ["shard", good, "--target", bad, "--out", prepared],
        ["prepare", "--corpus", good, bad, "--out", prepared, *languages],
        ["prepare", "--corpus", good, other, "--dev", bad, other, "--out", prepared, *languages],
        ["rescore", write("list", N_BEST), "--source", bad, "--weights", prepared],
        ["rescore", write("list", N_BEST), "--source", good, "--reference", bad, "--weights", prepared],
    ]  # fmt: skip
    for command in commands:
        assert "odd " in cli.refused(*command), command
    for command in (["translate", run], ["figure3", run, "--out", f"{prepared}.pdf"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(odd.encode())))
        assert "standard input " in cli.refused(*command)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["sgm", "tmx"])
def test_translate_reads_segments(random_runs: Path, kind: str, cli: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sgm(SOURCE, "srcset") if kind == "sgm" else tmx(SOURCE, TARGET)
    outputs = []
    for data in (text, "\n".join(SOURCE)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
        outputs.append(cli.printed("translate", str(random_runs / "search-words")))
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == len(SOURCE)


def test_score_and_align_take_a_translation_memory_in_the_direction_of_the_run(
    random_runs: Path, write: Any, cli: Commands
) -> None:
    """Whatever the file calls its source."""
    run, both = str(random_runs / "search-words"), tmx(SOURCE, TARGET).replace('srclang="en"', 'srclang="fr"')
    files = [[write("both", both)] * 2, [write("s", SOURCE), write("t", TARGET)]]
    for command in ("score", "align"):
        outputs = []
        for source, target in files:
            outputs.append(cli.printed(command, run, "--source", source, "--target", target))
        assert outputs[0] == outputs[1] != ""


def test_prepare_reads_a_translation_memory(write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = write("both.tmx", TMX)
    folders = []
    for name, corpus in (
        ("a", [both, both]),
        ("b", [write("s", ["Salt & pepper.", "", "Enough."]), write("t", ["Du sel et du poivre.", "x", "Assez."])]),
    ):
        folders.append(tmp_path / name)
        given = ["--source-lang", "en", "--target-lang", "fr", "--out", str(folders[-1]), "--workers", "1"]
        assert main(["prepare", "--corpus", *corpus, *given]) == 0
    capsys.readouterr()
    for name in ("source.vocabulary.json", "target.vocabulary.json", "train.source.ids.npy"):
        if (folders[0] / name).exists():
            assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert json.loads((folders[0] / "manifest.json").read_text())["train"]["pairs"] == 2


def test_prepare_says_that_it_takes_no_vocabulary_of_another_program(write: Any, tmp_path: Path, cli: Commands) -> None:
    for name in ("spm.model", "codes.bpe"):
        corpus = ["--corpus", write("s", SOURCE), write("t", TARGET), "--vocabularies-from", write(name, ["e n 1"])]
        given = ["--source-lang", "en", "--target-lang", "fr", "--out", str(tmp_path / "out")]
        assert f"{name} is a file; a SentencePiece model or BPE codes" in cli.refused("prepare", *corpus, *given)
