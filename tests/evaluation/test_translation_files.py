"""Translations beside an evaluation: only those of this very evaluation, whole or not at all."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import write_evaluation
from nmt.evaluation.measurement_files import (
    NO_TRANSLATIONS,
    SavedTranslations,
    drop_other_translations,
    read_translations,
    write_translations,
)
from nmt.results import AlignmentSummary, Evaluation, WrittenSentence
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts

LINES = [
    WrittenSentence("Déjà « vu »\u2028.", AlignmentSummary(1.25, 0.5, 0.75)),
    WrittenSentence("", None),
    WrittenSentence("[UNK] <b>", AlignmentSummary(0.0, 1.0, 1.0)),
]
NO_UNK = [LINES[0], WrittenSentence("deux")]


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    found = evaluated("run", "some.set", texts([3, 12, 30]), unknown=[0, 1, 0])
    write_evaluation(tmp_path, found)
    return found


def path(folder: Path) -> Path:
    return folder / "evaluation" / "some.set.translations.jsonl"


def test_written_and_read_by_row(tmp_path: Path, evaluation: Evaluation) -> None:
    assert read_translations(tmp_path, evaluation) == NO_TRANSLATIONS
    write_translations(tmp_path, evaluation, LINES, NO_UNK)
    assert read_translations(tmp_path, evaluation) == SavedTranslations(
        dict(enumerate(LINES)), {0: NO_UNK[0], 2: NO_UNK[1]}
    )
    assert len(path(tmp_path).read_text("utf-8").split("\n")) == 5  # a head, a line each, the end of the last
    drop_other_translations(tmp_path, evaluation)
    assert path(tmp_path).exists()
    for _ in range(2):
        drop_other_translations(tmp_path, replace(evaluation, weights_sha256="other"))
        assert not path(tmp_path).exists()


def test_columns_one_after_the_other(tmp_path: Path, evaluation: Evaluation) -> None:
    write_translations(tmp_path, evaluation, LINES)
    write_translations(tmp_path, evaluation, [], NO_UNK)
    found = read_translations(tmp_path, evaluation)
    assert (list(found.everything.values()), list(found.no_unk.values())) == (LINES, NO_UNK)


@pytest.mark.parametrize("changed", ["weights_sha256", "source_sha256", "system"])
def test_of_another_evaluation_there_is_nothing(tmp_path: Path, evaluation: Evaluation, changed: str) -> None:
    write_translations(tmp_path, evaluation, LINES, NO_UNK)
    other = replace(evaluation, **{changed: "other"})
    assert read_translations(tmp_path, other) == NO_TRANSLATIONS
    write_translations(tmp_path, other, LINES)
    assert read_translations(tmp_path, other).no_unk == {}  # what was there is not this one's


def test_of_a_column_searched_otherwise_there_is_nothing(tmp_path: Path, evaluation: Evaluation) -> None:
    write_translations(tmp_path, evaluation, LINES, NO_UNK)
    assert evaluation.everything is not None
    column = evaluation.everything
    other = replace(evaluation, everything=replace(column, signature=column.signature + "|beam:1"))
    found = read_translations(tmp_path, other)
    assert not found.everything
    assert len(found.no_unk) == 2


def test_measures_of_alpha_have_four_decimals(tmp_path: Path, evaluation: Evaluation) -> None:
    exact, kept = AlignmentSummary(1.23456, 0.65432, 1.0), AlignmentSummary(1.2346, 0.6543, 1.0)
    write_translations(tmp_path, evaluation, [WrittenSentence("a", exact)] * 3)
    assert read_translations(tmp_path, evaluation).everything[0] == WrittenSentence("a", kept)


def test_a_system_that_is_only_its_output(tmp_path: Path) -> None:
    evaluation = evaluated("moses", "some.set", texts([3, 12]))
    write_evaluation(tmp_path, evaluation)
    written = [WrittenSentence("a"), WrittenSentence("x y", segments="a | b ||| x | y")]
    write_translations(tmp_path, evaluation, written)
    assert read_translations(tmp_path, evaluation).everything == dict(enumerate(written))


@pytest.mark.parametrize(
    "fault",
    [
        lambda lines: [],
        lambda lines: lines[:-1],
        lambda lines: [*lines, "{}"],
        lambda lines: ["[]", *lines[1:]],
        lambda lines: [lines[0], *(["no JSON"] * 3)],
        lambda lines: [lines[0], '{"all": {"text": 3}}', *lines[2:]],
        lambda lines: [lines[0], '{"all": {"text": "a", "alignment": [1, 2]}}', *lines[2:]],
        lambda lines: [lines[0], '{"all": {"text": "a", "segments": ["a", "b"]}}', *lines[2:]],
        lambda lines: [lines[0], '{"all": {"text": "a", "alignment": [1, 2, NaN]}}', *lines[2:]],
        lambda lines: [lines[0], "[" * 100_000, *lines[2:]],
    ],
)
def test_a_broken_file_is_named_and_replaced(tmp_path: Path, evaluation: Evaluation, fault: object) -> None:
    assert callable(fault)
    write_translations(tmp_path, evaluation, LINES, NO_UNK)
    lines = path(tmp_path).read_text("utf-8").split("\n")[:-1]
    assert [list(json.loads(line)) for line in lines[1:]] == [["all", "no_unk"], ["all"], ["all", "no_unk"]]
    path(tmp_path).write_text("\n".join(fault(lines)), "utf-8")
    with pytest.raises(InputError, match=r"some\.set\.translations\.jsonl"):
        read_translations(tmp_path, evaluation)
    write_translations(tmp_path, evaluation, LINES)
    assert len(read_translations(tmp_path, evaluation).everything) == 3
