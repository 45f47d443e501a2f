"""``word-counts``: the words of the texts that a run names are counted, and other texts are refused."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.config import FORMAT_VERSION
from nmt.data.word_counts import WORD_COUNTS, read_word_counts
from nmt.files import sha256_of, write_json
from nmt.records import to_data
from nmt.runs.checksums import check_all_files, write_checksums
from nmt.runs.provenance import PROVENANCE, CorpusUsed, Provenance


def test_words_of_the_stated_texts_are_counted(
    random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(random_runs / "search-words", tmp_path / "run"))
    texts = tmp_path / "texts"
    (texts / "toy").mkdir(parents=True)
    (texts / "toy" / "train.en").write_text("The sea, the sea.\nA cat\n" * 3, encoding="utf-8")
    (texts / "toy" / "train.fr").write_text("La mer, la mer.\nUn chat\n" * 3, encoding="utf-8")
    command = ["word-counts", str(run), "--texts", str(texts)]
    assert main(command) == 2
    assert PROVENANCE in capsys.readouterr().err
    used = CorpusUsed(
        source="toy/train.en",
        target="toy/train.fr",
        source_sha256=sha256_of(texts / "toy" / "train.en"),
        target_sha256=sha256_of(texts / "toy" / "train.fr"),
        repeat=2,
        read=6,
        kept=6,
    )
    provenance = Provenance(train=(used,), dev=(), pairs_per_epoch=12, tokens=60, sessions=())
    write_json(run / PROVENANCE, {"format": FORMAT_VERSION} | to_data(provenance))
    write_checksums(run)
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["words"] == 5
    written = read_word_counts(run)
    assert written is not None
    assert written.counts == {"sea": 12, "The": 6, "the": 6, "A": 6, "cat": 6}
    check_all_files(run)
    assert f'"{WORD_COUNTS}"' in (run / "checksums.json").read_text("utf-8")
    other = replace(provenance, train=(replace(used, target_sha256="0" * 64),))
    write_json(run / PROVENANCE, {"format": FORMAT_VERSION} | to_data(other))
    assert main(command) == 2
    assert "train.fr" in capsys.readouterr().err
