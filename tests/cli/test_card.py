"""Cards and the overview of runs whose facts are full of Markdown and HTML: all of it is shown as typed."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from nmt.cli.card import card
from nmt.cli.overview import overview
from nmt.files import write_json
from nmt.recipes import RECIPES
from nmt.runs.provenance import CorpusUsed, Machine, Provenance, Session

NAME = "[a](b) *c* _d_ <i>"
FACT = "*m* <img src=x onerror=y> `tick` | [x](y) $z$ &lt;"


@pytest.fixture
def folder(tmp_path: Path, random_runs: Path) -> Path:
    """One run with a hostile name and hostile facts."""
    run = tmp_path / NAME
    shutil.copytree(random_runs / "search-words", run)
    corpus = CorpusUsed(
        source=f"{NAME}.en",
        target=f"{NAME}.fr",
        source_sha256="ab" * 32,
        target_sha256="cd" * 32,
        repeat=1,
        read=120,
        kept=100,
    )
    session = Session(
        command=f"jointly train --run {FACT}",
        commit=FACT,
        device="cpu",
        processes=1,
        threads=2,
        from_update=0,
        machine=Machine(processor=FACT, cores=4, memory_gb=8, system="x", python="3", torch="2"),
    )
    origin = Provenance(
        train=(corpus,),
        dev=(corpus,),
        pairs_per_epoch=200,
        tokens=900,
        sessions=(session,),
        preparation=f"jointly prepare --out {FACT}",
    )
    write_json(run / "provenance.json", {"format": 1, **asdict(origin)})
    return tmp_path


def tokens(markdown: str) -> Iterator[Token]:
    for block in MarkdownIt().enable(["table", "strikethrough"]).parse(markdown):
        yield block
        yield from block.children or []


def test_a_card_shows_facts_as_typed(folder: Path) -> None:
    found = list(tokens(card(folder / NAME)))
    assert not {"html_inline", "html_block", "link_open", "image", "em_open"} & {token.type for token in found}
    cells = ["".join(child.content for child in token.children or []) for token in found if token.type == "inline"]
    assert cells[0] == NAME
    assert {f"jointly prepare --out {FACT}", f"{NAME}.en, {NAME}.fr"} <= set(cells)
    assert f"jointly train --run {FACT}, code of commit {FACT}" in cells
    assert any(cell.startswith(f"{FACT}, x, cpu, ") for cell in cells)


def test_a_card_says_what_its_recipe_is(folder: Path) -> None:
    settings = json.loads((folder / NAME / "config.json").read_text())
    for recipe, about in (("rnnsearch_50", RECIPES["rnnsearch_50"].about), ("mine", "")):
        write_json(folder / NAME / "config.json", settings | {"recipe": recipe})
        heading, first, *_ = card(folder / NAME).split("\n\n")
        assert heading.startswith("# ")
        assert first.endswith(f"Recipe `{recipe}`: {about}")


def test_an_overview_links_to_each_run_under_its_name(folder: Path) -> None:
    found = list(tokens(overview(folder)))
    assert not {"html_inline", "html_block", "image", "em_open"} & {token.type for token in found}
    (opened, *_) = (k for k, token in enumerate(found) if token.type == "link_open")
    assert found[opened].attrs["href"] == "%5Ba%5D%28b%29%20%2Ac%2A%20_d_%20%3Ci%3E/README.md"
    closed = next(k for k, token in enumerate(found) if token.type == "link_close")
    assert "".join(token.content for token in found[opened:closed]) == NAME
