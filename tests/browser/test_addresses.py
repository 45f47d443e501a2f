"""Pages of former versions lead to the places that took them in, with all that their addresses ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from nmt.ui.app_shell import _FORMER

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("former", list(_FORMER))
def test_a_former_address_leads_on(former: str, server: str, page: Any, visit: Callable[..., None]) -> None:
    target, added = _FORMER[former]
    place = "" if target == "pages/look.py" else target.removeprefix("pages/").removesuffix(".py")
    visit(f"{server}/{former}", models=["rnnsearch-50"], nonsense="kept")
    page.wait_for_url(lambda address: urlsplit(address).path == f"/{place}")
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["nonsense"] == ["kept"]
    for name, value in added.items():
        assert asked.get(name, [value]) == [value]
