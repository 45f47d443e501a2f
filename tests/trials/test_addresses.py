"""How random addresses are drawn, and that a page which breaks is found; the trials open them."""

from collections.abc import Iterator
from random import Random
from urllib.parse import parse_qs

import pytest
import streamlit as st

from nmt.ui.app_shell import PLACES
from trials.addresses import OWN_RUNS, addresses, app_over, fault_of, make_runs
from trials.random_addresses import PAGES, RandomAddress, random_address

SEED = 17


def test_every_page_is_drawn() -> None:
    drawn = addresses(SEED, 500)
    assert {address.page for address in drawn} == {*PAGES} == {place.path for place in PLACES}


def test_a_seed_draws_the_same_addresses_again() -> None:
    assert addresses(SEED, 20) == addresses(SEED, 40)[:20]
    assert addresses(SEED, 20) != addresses(SEED + 1, 20)


def test_an_address_as_text_has_all_its_parameters() -> None:
    random = Random(SEED)
    for _ in range(50):
        address = random_address(random, OWN_RUNS)
        page, _, query = str(address).partition("?")
        assert page == address.page
        assert parse_qs(query, keep_blank_values=True) == {name: list(values) for name, values in address.asked}


@pytest.fixture(scope="module")
def small_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    runs = tmp_path_factory.mktemp("addresses") / "runs"
    make_runs(runs)
    st.cache_resource.clear()
    with app_over(runs):
        yield
    st.cache_resource.clear()


@pytest.mark.slow
def test_a_page_that_breaks_is_found(small_app: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("the page is broken")

    address = RandomAddress(page="models", asked=(("show", ("scores",)), ("models", OWN_RUNS)))
    assert fault_of(address) == ""
    monkeypatch.setattr("nmt.ui.models.page.show_scoreboard", broken)
    assert "the page is broken" in fault_of(address)
