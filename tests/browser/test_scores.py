"""The place Models as a reader meets it."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from nmt.texts import APP, MODELS
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]


@pytest.mark.journey("models")
def test_from_the_menu_and_by_its_link(server: str, page: Any, visit: Visit, settle: Callable[[Any], None]) -> None:
    """The released checkpoints carry their scores, so there is a table; what is chosen stands in the address."""
    visit(server)
    page.get_by_role("link", name=APP.models, exact=True).click()
    page.get_by_role("heading", name=MODELS.by_key.questions["use"]).wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/models"
    page.get_by_text(MODELS.use_this.partition("*")[0]).first.wait_for()
    assert page.get_by_role("link", name=MODELS.translate_with_it).count() > 1
    page.get_by_role("radio", name=MODELS.by_key.sections["scores"]).click()
    settle(page)
    page.get_by_role("heading", name=MODELS.translation).wait_for()
    page.get_by_test_id("stDataFrame").nth(1).wait_for()
    page.get_by_role("radio", name="chrF").click()
    wait_for_address(page, score="chrf")
    settle(page)
    visit(f"{server}/models", show="scores", score="ter", column="known")
    page.get_by_text(MODELS.by_key.metrics_explained["ter"]).wait_for()
    assert urlsplit(page.url).path == "/models"
    assert page.evaluate(FITS_IN_WIDTH)
