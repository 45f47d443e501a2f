"""Evaluations in files: compact, whole, and named when they are broken."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import (
    evaluate_external_system,
    list_systems,
    merge_with_saved,
    read_evaluated_system,
    read_evaluation,
    write_evaluation,
    write_system,
)
from nmt.evaluation.metrics import corpus_scores
from nmt.evaluation.test_set import TestSet, digest
from nmt.records import FORMAT_VERSION
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import WORDS, texts


def test_a_digest_is_that_of_a_plain_file() -> None:
    lines = ["one", "", "déjà vu"]
    text = "".join(line + "\n" for line in lines)
    assert digest(lines) == hashlib.sha256(text.encode()).hexdigest()
    assert digest(["one", "two"]) != digest(["one\ntwo "])


def test_written_and_read(tmp_path: Path) -> None:
    given = texts([3, 12, 30, 0])
    evaluation = evaluated("run", "some.set", given, unknown=[0, 1, 0, 2])
    write_evaluation(tmp_path, evaluation)
    path = tmp_path / "evaluation" / "some.set.json"
    again = read_evaluation(path)
    assert again.to_dict() == evaluation.to_dict()
    for no_unk in (False, True):
        kept, before = again.statistics(no_unk=no_unk), evaluation.statistics(no_unk=no_unk)
        assert kept is not None
        assert before is not None
        assert corpus_scores(kept) == corpus_scores(before)
    text = path.read_text("utf-8")
    assert json.loads(text) == {"format": FORMAT_VERSION} | evaluation.to_dict()
    assert not any(word in text for word in WORDS if word.isalpha() and word not in ("no", "all"))


def test_a_file_is_small(tmp_path: Path) -> None:
    """About a hundred bytes a sentence and column."""
    given = texts(np.random.default_rng(1).integers(5, 45, 80))
    write_evaluation(tmp_path, evaluated("run", "set", given))
    assert (tmp_path / "evaluation" / "set.json").stat().st_size < 80 * 110 + 2500


def test_the_columns_are_measured_one_after_the_other(tmp_path: Path) -> None:
    both = evaluated("run", "set", texts([3, 12, 30]), unknown=[0, 1, 0])
    everything, no_unk = replace(both, no_unk=None), replace(both, everything=None)
    assert merge_with_saved(tmp_path, no_unk, into_run=False) is no_unk
    write_evaluation(tmp_path, everything)
    assert merge_with_saved(tmp_path, no_unk, into_run=False).to_dict() == both.to_dict()
    write_evaluation(tmp_path, no_unk)
    assert merge_with_saved(tmp_path, everything, into_run=False).to_dict() == both.to_dict()
    for other in ({"weights_sha256": "f" * 64}, {"reference_sha256": "f" * 64}):
        assert merge_with_saved(tmp_path, replace(everything, **other), into_run=False).no_unk is None  # type: ignore[arg-type]
    (tmp_path / "evaluation" / "set.json").write_text("{")
    assert merge_with_saved(tmp_path, no_unk, into_run=False) is no_unk


def test_results_of_other_weights_are_not_those_of_the_run(tmp_path: Path) -> None:
    """A run that was trained on has no scores until it is evaluated again."""
    (tmp_path / "model.safetensors").write_bytes(b"1")
    evaluation = evaluated("run", "set", texts([3, 12]))
    write_evaluation(tmp_path, replace(evaluation, weights_sha256=hashlib.sha256(b"1").hexdigest()))
    (tmp_path / "config.json").write_text('{"format": 1}')
    assert [*read_evaluated_system(tmp_path).evaluations] == ["set"]
    (tmp_path / "model.safetensors").write_bytes(b"2")
    assert not read_evaluated_system(tmp_path).evaluations


def test_runs_and_systems(tmp_path: Path) -> None:
    write_system(tmp_path / "moses", "Moses", "phrases")
    write_evaluation(tmp_path / "moses", evaluated("Moses", "b", texts([3])))
    write_evaluation(tmp_path / "moses", evaluated("Moses", "a", texts([4])))
    found = read_evaluated_system(tmp_path / "moses")
    assert (found.name, found.about, list(found.evaluations)) == ("Moses", "phrases", ["a", "b"])
    for about, kept in (("", "phrases"), ("words", "words")):  # another set is added, with or without a description
        write_system(tmp_path / "moses", "Moses", about)
        assert read_evaluated_system(tmp_path / "moses").about == kept
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text("{}")
    assert (read_evaluated_system(tmp_path / "run").name, read_evaluated_system(tmp_path / "run").evaluations) == (
        "run",
        {},
    )
    assert list_systems(tmp_path) == [tmp_path / "moses"]
    assert list_systems(tmp_path / "nowhere") == []
    with pytest.raises(InputError, match=re.escape(str(tmp_path / "run"))):
        write_system(tmp_path / "run", "run", "")
    with pytest.raises(InputError, match="nowhere"):
        read_evaluated_system(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"config\.json .*system\.json"):
        read_evaluated_system(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "JSON"),
        ('{"format": 99}', "format 99"),
        ('{"format": 1, "bleu": 3}', ": run "),
        (
            '{"format": 1, "run": "a", "test_set": "b", "sentences_given": "many"}',
            "sentences_given .*'many'",
        ),
        ('{"format": 1, "run": "a", "test_set": "b", "sentences_given": 1e999}', "1e999"),
        ('{"format": 1, "run": "a", "test_set": "b", "sentences_given": 1, "pairs": 3}', ": pairs: "),
        (
            '{"format": 1, "run": "a", "test_set": "b", "sentences_given": 1, "no_unk": 3}',
            "no_unk .*3$",
        ),
    ],
)
def test_a_broken_file_is_named(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        read_evaluation(path)
    assert str(path) in str(caught.value)


def test_a_broken_column_is_named(tmp_path: Path) -> None:
    write_evaluation(tmp_path, evaluated("run", "set", texts([3, 4])))
    path = tmp_path / "evaluation" / "set.json"
    data = json.loads(path.read_text("utf-8"))
    data["all"]["hypotheses"]["edits"].append(1)
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match=r"set\.json: all\.hypotheses: edits .*\(3,\).*\(2,\)"):
        read_evaluation(path)


TEST = TestSet(
    name="mine", sources=["the cat sleeps", "", "she reads"], references=["le chat dort", "oui", "elle lit un livre"]
)
WRITTEN = ["le chat dort bien", "", "elle lit"]


def test_scores_are_sacrebleus() -> None:
    told: list[int] = []
    found = evaluate_external_system("moses", TEST, WRITTEN, on_progress=told.append)
    assert found.everything is not None
    scores = found.everything
    references = [list(TEST.references)]
    assert scores.bleu == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, references).score)
    assert scores.chrf == pytest.approx(sacrebleu.corpus_chrf(WRITTEN, references).score)
    assert scores.ter == pytest.approx(sacrebleu.corpus_ter(WRITTEN, references).score)
    assert {"system:moses", "n:3", "test:mine"} < set(scores.signature.split("|"))
    assert TEST.is_of(found)
    assert told[-1] == 3


@pytest.mark.parametrize("lines", [2, 4])
def test_another_number_of_lines_is_refused(lines: int) -> None:
    with pytest.raises(InputError, match=f"moses .*{lines} lines.*mine .*3 sentences"):
        evaluate_external_system("moses", TEST, ["une ligne"] * lines)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"^moses is an n-best list"):
        evaluate_external_system("moses", TEST, [f"{k} ||| le chat ||| -1" for k in range(3)])
