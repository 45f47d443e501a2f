import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.cli import prepare as command
from nmt.cli.lines import stage_bars
from nmt.cli.program import Parser
from nmt.data.corpus import CorpusFile
from nmt.data.prepared import (
    CorpusRecord,
    Manifest,
    SideCounts,
    SplitRecord,
    VocabularyRecord,
    open_prepared,
)
from nmt.errors import InputError
from nmt.records import as_record

SOURCE = "The cat sleeps.\nA boat is here.\nWhere is it now?\n"
TARGET = "Le chat dort.\nUn bateau est ici.\nOù est-il ?\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.en").write_text(SOURCE)
    (tmp_path / "a.fr").write_text(TARGET)
    return tmp_path


def _run(arguments: str) -> None:
    parser = Parser()
    command.register(parser.add_subparsers())
    options = parser.parse_args(["prepare", *arguments.split()])
    options.run(options)


COMMON = "--source-lang en --target-lang fr --out out"


def test_summary_on_stdout_and_progress_on_stderr(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(f"--corpus a.en a.fr x2 --corpus a.en a.fr --dev a.en a.fr --dev a.en a.fr {COMMON}")
    out, err = capsys.readouterr()
    assert re.search(r"\b6 pairs, 9\b", out)
    assert re.search(r"\ba\.en\b.*\b3\b.*\b3\b.* x2$", out, re.MULTILINE)
    assert "tokenise" in err
    assert "development pairs that are also training pairs: 6 of 6" in err
    assert "tokenise" not in out
    data = open_prepared(files / "out")
    assert data.train.repeats.tolist() == [2, 2, 2, 1, 1, 1]
    assert len(data.dev) == 6
    assert data.manifest.max_length == 50
    assert (data.manifest.source_vocabulary.kind, data.manifest.source_vocabulary.asked) == ("words", 30_000)


def test_progress_through_millions_is_short(capsys: pytest.CaptureFixture[str]) -> None:
    with stage_bars(command._style) as show:
        for stage in ("read", "tokenise", "encode"):
            show(stage, 1_234_567, None)
    shown = re.findall(r"(\w+): (\S+) (\w+) \[", capsys.readouterr().err)
    assert set(shown) == {
        ("read", "1234567", "corpora"),
        ("tokenise", "1.23M", "pairs"),
        ("encode", "1.23M", "sentences"),
    }


def test_json_is_the_manifest(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(f"--corpus a.en a.fr {COMMON} --json")
    data = json.loads(capsys.readouterr().out)
    assert data["format"] == 1
    del data["format"]
    assert as_record(Manifest, data) == open_prepared(files / "out").manifest


def test_vocabulary_of_each_side(files: Path) -> None:
    _run(f"--corpus a.en a.fr --vocabulary bpe --vocabulary-size 40 --target-vocabulary words {COMMON}")
    manifest = open_prepared(files / "out").manifest
    assert (manifest.source_vocabulary.kind, manifest.source_vocabulary.asked) == ("bpe", 40)
    assert (manifest.target_vocabulary.kind, manifest.target_vocabulary.asked) == ("words", 40)
    _run(f"--corpus a.en a.fr --vocabulary-size 9 --source-vocabulary-size 7 {COMMON} --force")
    manifest = open_prepared(files / "out").manifest
    assert (manifest.source_vocabulary.size, manifest.target_vocabulary.size) == (7, 9)
    _run("--corpus a.en a.fr --source-lang en --target-lang fr --vocabularies-from out --out second")
    assert open_prepared(files / "second").manifest.source_vocabulary.size == 7


def test_a_vocabulary_that_stays_small_is_said(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(f"--corpus a.en a.fr --vocabulary bpe {COMMON}")
    size = open_prepared(files / "out").manifest.source_vocabulary.size
    assert size < 30_000
    assert re.search(rf"\bbpe, {size}\b.*\b30,000\b", capsys.readouterr().out)


def test_maximum_length(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(f"--corpus a.en a.fr --max-length 4 {COMMON}")
    assert re.search(r"\ba\.en\b.*\b1\b.*\b3\b.*\b2\b.* long\b", capsys.readouterr().out)
    assert open_prepared(files / "out").manifest.train.corpora[0].dropped["too_long"] == 2


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("--corpus a.en", r"--corpus .*\ba\.en$"),
        ("--corpus a.en a.fr x2 x3", r"--corpus .*\ba\.en a\.fr x2 x3$"),
        ("--corpus a.en a.fr 2", "'2'.* --corpus"),
        ("--corpus a.en a.fr x0", r"x0\b.* x1 to x1000"),
        ("--corpus a.en absent.fr", r"^absent\.fr does not exist$"),
        ("--corpus a.en a.fr --max-length 0", "--max-length .*'0'"),
        ("--corpus a.en a.fr --vocabulary-size 1", "--vocabulary-size .*'1'"),
        ("--corpus a.en a.fr --vocabularies-from out --vocabulary bpe", "--vocabularies-from"),
        ("--corpus a.en a.fr --vocabularies-from a.en", r"^a\.en .*\bfolder\b"),
        ("--corpus a.en a.fr --workers 0", "--workers .*'0'"),
    ],
)
def test_what_the_user_can_put_right(files: Path, arguments: str, named: str) -> None:
    before = set(files.rglob("*"))
    with pytest.raises(InputError, match=named):
        _run(f"{arguments} {COMMON}")
    assert set(files.rglob("*")) == before


def test_the_summary_has_each_number_of_the_manifest_once() -> None:
    """And says nothing of what did not happen: nothing dropped, no repetition, as many subwords as asked for."""

    def corpus(name: str, repeat: int, **dropped: int) -> CorpusRecord:
        file = CorpusFile(f"{name}.en", "ab", 5432)
        cleaned = {"carriage_returns": 1234 if dropped else 0, "byte_order_mark": 0}
        return CorpusRecord(
            source=file, target=file, repeat=repeat, read=5432, kept=4321, dropped=dropped, cleaned=cleaned
        )

    sides = SideCounts(23456, 34567, 0.01234), SideCounts(45678, 56789, 0.5)
    train = SplitRecord(
        pairs=8642,
        pairs_per_epoch=12963,
        source=sides[0],
        target=sides[1],
        corpora=(corpus("one", 2, too_long=1111, blank=0), corpus("two", 1)),
    )
    dev = replace(train, pairs=77, pairs_per_epoch=77, corpora=(corpus("dev", 1),))
    manifest = Manifest(
        source_language="en",
        target_language="fr",
        max_length=50,
        source_vocabulary=VocabularyRecord("bpe", 7999, 8000),
        target_vocabulary=VocabularyRecord("bpe", 8000, 8000),
        train=train,
        dev=dev,
        files={},
    )
    lines = command.summary(manifest, Path("out"))
    (begin,) = {line.index(re.split(r"(?<=\S) {2,}", line)[1]) for line in lines}  # all values below one another
    found = [(line[:begin].strip(), line[begin:]) for line in lines]
    counts = [
        (side, f"{each.words:,} words, {each.tokens:,} tokens, {100 * each.unknown_share:.2f}% of the words unknown")
        for side, each in zip(("source", "target"), sides, strict=True)
    ]
    kept = "4,321 of 5,432 pairs kept"
    assert found == [
        ("folder", "out"),
        ("languages", "en to fr"),
        ("source vocabulary", "bpe, 7,999 (the text does not yield 8,000)"),
        ("target vocabulary", "bpe, 8,000"),
        ("train", "8,642 pairs, 12,963 per epoch"),
        *counts,
        ("from", f"one.en: {kept} x2; 1,111 dropped as too long; 1,234 lines with carriage returns"),
        ("from", f"two.en: {kept}"),
        ("dev", "77 pairs"),
        *counts,
        ("from", f"dev.en: {kept}"),
    ]
    taken = replace(manifest, source_vocabulary=VocabularyRecord("words", 300, None), bpe_dropout=0.125)
    more = command.summary(taken, Path("out"))
    assert [re.split(r" {2,}", line) for line in more if line not in lines] == [
        ["source vocabulary", "words, 300"],
        ["BPE-dropout", "0.125 in train"],
    ]
