"""The place Models as a reader meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from nmt.ui import strings as shared
from nmt.ui.models import strings
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]


@pytest.mark.journey("models")
def test_from_the_menu_and_by_its_link(server: str, page: Any, visit: Visit, settle: Callable[[Any], None]) -> None:
    """The released checkpoints carry their scores, so there is a table; what is chosen stands in the address."""
    visit(server)
    page.get_by_role("link", name=shared.MODELS, exact=True).click()
    page.get_by_role("heading", name=shared.MODELS_QUESTION).wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/models"
    page.get_by_text(strings.USE_THIS.partition("*")[0]).first.wait_for()
    assert page.get_by_role("link", name=strings.TRANSLATE_WITH_IT).count() > 1
    page.get_by_role("radio", name=strings.SECTIONS["scores"]).click()
    settle(page)
    page.get_by_role("heading", name=strings.TRANSLATION).wait_for()
    page.get_by_test_id("stDataFrame").nth(1).wait_for()
    page.get_by_role("radio", name=strings.METRICS["chrf"]).click()
    wait_for_address(page, score="chrf")
    settle(page)
    visit(f"{server}/models", show="scores", score="ter", column="known")
    page.get_by_text(strings.METRICS_EXPLAINED["ter"]).wait_for()
    assert urlsplit(page.url).path == "/models"
    assert page.evaluate(FITS_IN_WIDTH)
