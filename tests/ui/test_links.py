"""What one page hands to another."""

import pytest

from nmt.ui.address import unpacked
from tests.ui.opened import opened


@pytest.mark.parametrize(
    "given", ['{"embed": "true"}', '{"embed_options": "x"}', '{"take": "{}"}', '{"s": 1}', "[", "[" * 100_000, "3"]
)
def test_nonsense_is_nothing(given: str) -> None:
    assert unpacked(given) == {}
    opened(take=given)
