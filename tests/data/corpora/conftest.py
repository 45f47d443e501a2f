from collections.abc import Iterator

import pytest

from tests.data.corpora.making import make
from tests.oracles.site import Site, serving

__all__ = ["make"]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as site:
        yield site
