"""The language of the app: from the address, the browser, or the switch; every place opens in each."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.runs.folder import RunInfo
from nmt.texts import APP, follow, languages
from nmt.ui.app_shell import PLACES
from tests.ui.opened import opened


@pytest.fixture(autouse=True)
def _english_afterwards() -> Any:
    yield
    follow(lambda: "en")


def heading(at: AppTest) -> str:
    return next(match[1] for each in at.get("html") if (match := re.search(r"<h1[^>]*>([^<]*)", each.proto.body)))


@pytest.mark.parametrize("place", [place.name for place in PLACES])
def test_every_place_opens_in_korean(
    place: str, runs: Path, write_run: Callable[..., RunInfo], translators: dict[str, Any]
) -> None:
    write_run(runs / "search")
    write_run(runs / "encdec", "rnnencdec")
    at = opened(place, lang="ko", **({"view": "draw"} if place == "learn" else {}))
    assert re.search("[가-힣]", heading(at))
    assert at.query_params["lang"] == "ko"


def test_a_button_changes_the_language_and_the_address(runs: Path, write_run: Callable[..., RunInfo]) -> None:
    write_run(runs / "search")
    at = opened("length")
    assert heading(at) == "What is lost when the sentence gets longer?"
    assert "lang" not in at.query_params
    next(button for button in at.button if button.label == languages()["ko"]).click().run()
    assert heading(at) == "문장이 길어지면 무엇을 잃는가?"
    assert at.query_params["lang"] == "ko"
    next(button for button in at.button if button.label == languages()["en"]).click().run()
    assert heading(at) == "What is lost when the sentence gets longer?"
    assert "lang" not in at.query_params


def test_an_unknown_language_is_english(runs: Path, write_run: Callable[..., RunInfo]) -> None:
    write_run(runs / "search")
    at = opened("length", lang="<b>")
    assert heading(at) == "What is lost when the sentence gets longer?"
    assert APP.length == "Length"


def test_what_is_wrong_is_said_in_korean(runs: Path, write_run: Callable[..., RunInfo]) -> None:
    write_run(runs / "search")
    (runs / "torn").mkdir()
    (runs / "torn" / "config.json").write_text("{", encoding="utf-8")
    at = opened("models", lang="ko", show="cards", runs="nothing")
    said = [each.value.replace("\\", "") for each in (*at.warning, *at.error, *at.info)]
    assert any(
        re.fullmatch(
            r"torn 체크포인트를 사용할 수 없습니다: \S+config\.json: JSON으로 읽을 수 없습니다\. Expecting .*", each
        )
        for each in said
    )
    assert any("“nothing”" in each.value and "없습니다" in each.value for each in at.caption)
    assert [each for each in said if re.search("[a-z]{2,} [a-z]{2,}", each.partition("Expecting")[0])] == []
