"""Random addresses in a browser: no page raises an exception, and every one comes to rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import settle
from trials.addresses import addresses

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED, NUMBER = 18, 12
"""The trial opens more: `python -m trials --only addresses browser`."""


def test_no_random_address_breaks_a_page(server: str, page: Any) -> None:
    for address in addresses(SEED, NUMBER):
        page.goto(f"{server}/{address}")
        settle(page)
