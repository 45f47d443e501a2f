"""Cards and the overview of runs whose facts are full of Markdown and HTML: all of it is shown as typed."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from nmt.config import Config
from nmt.files import write_json
from nmt.recipes import RECIPES
from nmt.results import StopEvent, ValidationEvent, event_to_dict
from nmt.runs.folder import read_run, read_settings, write_settings
from release.card import card
from release.overview import overview
from tests.results.events import reported
from tests.runs.origins import MACHINE, corpus_used, session, write_origin

NAME = "[a](b) *c* _d_ <i>"
FACT = "*m* <img src=x onerror=y> `tick` | [x](y) $z$ &lt;"


@pytest.fixture
def folder(tmp_path: Path, random_runs: Path) -> Path:
    """One run with a hostile name and hostile facts."""
    run = tmp_path / NAME
    shutil.copytree(random_runs / "search-words", run)
    trained = session(command=f"jointly train --run {FACT}", commit=FACT, machine=replace(MACHINE, processor=FACT))
    write_origin(run, corpus_used(NAME), trained, f"jointly prepare --out {FACT}")
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
    assert any(cell.startswith(f"{FACT}, {MACHINE.system}, cpu, ") for cell in cells)


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


def rows(markdown: str, section: str) -> dict[str, str]:
    """The rows of the table in a section of a card, by their first cell."""
    table = markdown.split(f"## {section}\n\n")[1].split("\n\n")[0]
    cells = [line.strip("|").split(" | ", 1) for line in table.splitlines()[2:]]
    return {name.strip(): value.strip() for name, value in cells}


SETTINGS = {
    "training.warmup=123": "123 updates of warm-up",
    "training.max_length=37": "sentences of up to 37 words",
    "training.batch_tokens=4321": "4,321 padded tokens per minibatch",
    "training.batch_size=41": "41 sentences",
    "training.label_smoothing=0.125": "label smoothing 0.125",
    "training.guided=0.75": "guided attention, weight 0.75",
    "model.word_dropout=0.25": "word dropout 0.25",
    "model.dropout=0.375": "dropout 0.375",
    "training.seed=77": "seed 77",
    "training.optimizer=adam": "Adam, rate 1",
    "training.learning_rate=0.0625": "Adadelta, rate 0.0625",
    "training.precision=bf16": "bf16 products",
}
"""A setting, and what a card says of it."""


def settings_of(run: Path, *assignments: str) -> list[str]:
    """What the card of a run says of its settings, with some of them changed."""
    info = read_run(run)
    sizes = [f"model.{key}={getattr(info.config.model, key)}" for key in ("embedding", "hidden", "alignment", "maxout")]
    config = Config().override([*sizes, "training.max_length=null", *assignments])
    write_settings(run, replace(read_settings(run), config=config))
    return rows(card(run), "Training")["settings"].split("; ")


def test_a_card_names_each_setting_that_is_in_use_and_no_other(random_runs: Path, tmp_path: Path) -> None:
    """A weight of zero is not named, nor a limit that there is not, nor sentences where tokens are counted."""
    run = shutil.copytree(random_runs / "search-words", tmp_path / "run")
    usual = settings_of(run)
    assert len(usual) == 6  # optimizer, schedule, minibatch, dropout, precision, seed
    for assignment, said in SETTINGS.items():
        found = settings_of(run, assignment)
        assert said in found
        assert said not in usual
        assert len({*found} - {*usual}) == 1
    assert "80 sentences" in usual
    assert not any(part.endswith(" sentences") for part in settings_of(run, "training.batch_tokens=4321"))
    for schedule, held in (("cosine", True), ("constant", False)):
        given = (f"training.schedule={schedule}", "training.max_updates=9", "training.warmup=1")
        found = settings_of(run, *given, "training.hold=0.25")
        assert (f"{schedule} after 25% of the updates" in found, schedule in found) == (held, not held)
        assert schedule in settings_of(run, *given)


def test_a_card_has_the_numbers_of_the_training(folder: Path) -> None:
    run = folder / NAME
    validations = [
        ValidationEvent(update=update, nll_per_word=nll, nll_per_sentence=20 * nll, bleu=None, best=best, seconds=50.0)
        for update, nll, best in ((7, 2.3456, True), (12345, 2.6543, False))
    ]
    update = reported(7, nll_per_word=2.1111, nll_per_sentence=33.3333, words_per_second=12345.6)
    stop = StopEvent(update=12345, reason="enough", seconds=4.5 * 3600)
    events = [update, *validations, stop]
    (run / "training.jsonl").write_text("".join(json.dumps(event_to_dict(each)) + "\n" for each in events), "utf-8")
    found = rows(card(run), "Training")
    assert found["trained"].startswith("12,345 updates, ")
    assert found["time"] == "4.50 hours; median 12,346 target tokens/s"
    assert found["NLL on train, with dropout"] == "33.3 nats per sentence, 2.111 per token"
    assert found["NLL on dev, weights in fp32"] == "46.9 nats per sentence, 2.346 per token"
    assert found["weights from"].startswith("update 7, epoch 0.50")
    curve = card(run).split("during training:\n\n")[1].split("\n\n")[0].splitlines()[2:]
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in curve] == [
        ["7", "2.346", "46.9"],
        ["12,345", "2.654", "53.1"],
    ]


def test_a_card_has_the_sizes_of_the_model(random_runs: Path) -> None:
    for name in ("search-words", "encdec-bpe"):
        info = read_run(random_runs / name)
        model, found = info.config.model, rows(card(random_runs / name), "Model")
        sizes = {"m": model.embedding, "n": model.hidden, "l": model.maxout}
        sizes |= {"n'": model.alignment} if name == "search-words" else {}
        assert found["sizes"] == ", ".join(f"{k} {v}" for k, v in sizes.items()) + "; state order printed"
        for side, known in (("source", info.source_vocabulary), ("target", info.target_vocabulary)):
            assert f"{known.size} " in found[f"{side} vocabulary"]
            assert ("shortlist" in found[f"{side} vocabulary"]) == (name == "search-words")
        weights = info.weights.path
        megabytes = f"{weights.stat().st_size / 1e6:.1f} MB"
        assert found["weights"].startswith(f"{info.weights.parameters:,}, ")
        assert f"{megabytes}; SHA-256 `{hashlib.sha256(weights.read_bytes()).hexdigest()}`" in found["weights"]
