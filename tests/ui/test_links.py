"""What one page hands to another."""

import pytest
from streamlit.testing.v1 import AppTest

from nmt.ui.address import unpacked
from tests.ui.length.curve.lengths_page import APP


@pytest.mark.parametrize(
    "given", ['{"embed": "true"}', '{"embed_options": "x"}', '{"take": "{}"}', '{"s": 1}', "[", "[" * 100_000, "3"]
)
def test_nonsense_is_nothing(given: str) -> None:
    assert unpacked(given) == {}
    at = AppTest.from_file(str(APP), default_timeout=30)
    at.query_params["take"] = given
    assert not at.run().exception
