import json
import re
from pathlib import Path

import pytest

from nmt.data.corpora.registry import CORPORA
from tests.programs import Commands, main


def law(language: str, text: str) -> str:
    return (
        f'<Statute xml:lang="{language}"><Body><Section><Label>1</Label><Text>{text}</Text></Section></Body></Statute>'
    )


@pytest.fixture
def xml(tmp_path: Path) -> Path:
    for folder, language, text in (("eng/acts", "en", "Kite {} flies."), ("fra/lois", "fr", "Le cerf-volant {} vole.")):
        (tmp_path / "xml" / folder).mkdir(parents=True)
        for n in range(20):
            (tmp_path / "xml" / folder / f"K-{n}.xml").write_text(law(language, text.format(n)))
    return tmp_path / "xml"


def test_laws_are_built_and_described(xml: Path, cli: Commands, capsys: pytest.CaptureFixture[str]) -> None:
    out = xml.parent / "out"
    command = ["release", "corpus", "build-laws", str(xml), "--out", str(out)]
    assert main(command) == 0
    text, progress = capsys.readouterr()
    assert "20 pairs" in text
    assert CORPORA["canada-laws"].licence in text
    assert "documents" in progress
    data = json.loads(cli.printed(*command, "--force", "--json"))
    assert data == json.loads((out / "canada-laws/corpus.json").read_text())
    assert {split["name"] for split in data["splits"]} == {"train", "dev", "test", "pairs"}


def test_laws_with_scores(xml: Path, cli: Commands) -> None:
    scores = xml.parent / "scores"
    scores.write_text("".join(f"{n}\n" for n in range(20)))
    assert "6 excluded: score" in cli.printed(
        "release", "corpus", "build-laws", str(xml), "--out", str(xml.parent), "--scores", str(scores), str(scores)
    )


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("get nothing", "'nothing'.*tatoeba"),
        ("build-laws absent", "absent .*law"),
        ("build-laws xml --scores absent", "absent does not exist"),
    ],
)
def test_what_the_user_can_put_right(
    xml: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands, arguments: str, named: str
) -> None:
    monkeypatch.chdir(xml.parent)
    before = set(xml.parent.rglob("*"))
    assert re.search(
        f"python -m release corpus: .*{named}",
        cli.refused("release", "corpus", *arguments.split(), "--out", str(xml.parent)),
    )
    assert set(xml.parent.rglob("*")) == before
