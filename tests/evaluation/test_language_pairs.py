import re
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.evaluation.comparison import by_pair, compare, of_first_pair
from nmt.evaluation.evaluation_files import EvaluatedSystem, read_evaluated_system, write_evaluation, write_system
from nmt.results import UNKNOWN_LANGUAGES, Languages
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts

FRENCH, JAPANESE = Languages("en", "fr"), Languages("en", "ja")


def system(name: str, languages: Languages) -> EvaluatedSystem:
    return EvaluatedSystem(
        name=name,
        path=Path(name),
        about="",
        evaluations={"mine": evaluated(name, "mine", texts(range(3, 15)))},
        trained_to=None,
        languages=languages,
    )


def test_the_first_system_that_tells_its_languages_decides() -> None:
    systems = [system("moses", UNKNOWN_LANGUAGES), system("a", FRENCH), system("b", JAPANESE), system("c", FRENCH)]
    found, note = of_first_pair(systems)
    assert [one.name for one in found] == ["moses", "a", "c"]
    assert re.search(rf"\b{FRENCH}\b.*\bb\b.*\b{JAPANESE}\b", note)
    assert of_first_pair(found)[1] == ""
    assert [one.name for one in of_first_pair(systems[2:3])[0]] == ["b"]


def test_systems_by_their_languages() -> None:
    a, b, c, other = system("a", JAPANESE), system("b", FRENCH), system("c", JAPANESE), system("d", UNKNOWN_LANGUAGES)
    assert by_pair([other, a, b, c]) == {JAPANESE: [other, a, c], FRENCH: [b]}
    assert by_pair([other]) == {UNKNOWN_LANGUAGES: [other]}


def test_one_comparison_has_one_pair() -> None:
    with pytest.raises(InputError, match=r"b \(en to ja\)"):
        compare([system("a", FRENCH), system("b", JAPANESE)])
    with pytest.raises(InputError, match=r"b \(fr to en\)"):
        compare([system("a", FRENCH), system("b", Languages("fr", "en"))])
    assert compare([system("a", FRENCH), system("moses", UNKNOWN_LANGUAGES)]).systems == ("a", "moses")


def test_a_system_has_the_languages_that_it_was_evaluated_in(tmp_path: Path) -> None:
    write_system(tmp_path, "moses", "")
    assert read_evaluated_system(tmp_path).languages == UNKNOWN_LANGUAGES
    evaluation = evaluated("moses", "mine", texts(range(3, 15)))
    write_evaluation(tmp_path, evaluation)
    assert read_evaluated_system(tmp_path).languages == UNKNOWN_LANGUAGES
    write_evaluation(tmp_path, replace(evaluation, test_set="other", languages=JAPANESE))
    assert read_evaluated_system(tmp_path).languages == JAPANESE
