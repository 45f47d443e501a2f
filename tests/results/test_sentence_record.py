"""The record of a sentence: every writer keeps its JSON Schema, and every fault of a foreign one is named."""

import copy
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import numpy as np
import pytest
from pydantic import TypeAdapter

import nmt
from nmt.alignments.formats import read
from nmt.alignments.formats.checks import Given
from nmt.errors import InputError
from nmt.instrument.changes import Change
from nmt.results import Alignment, Hypothesis, Translation
from nmt.results import record as module
from nmt.results.record import (
    ALPHA,
    ChangeKind,
    GoldLinks,
    ReadersChange,
    SentenceRecord,
    System,
    Text,
    Tokens,
    WeightMap,
    read_sentence_record,
)
from tests.aligners.conftest import reversed_run
from tests.kept import compare_with_kept
from tests.programs import Commands

SCHEMA = Path(module.__file__).with_name("record.schema.json")
SENTENCES = ["The girl reads a book.", "", "A xylophone!"]
WHOLE = SentenceRecord(
    source=Text(text="We sleep.", language="en"),
    systems=(
        System(
            name="mine",
            kind="rnnsearch",
            language="fr",
            text="Nous dormons.",
            source=Tokens(tokens=("We", "sleep", "</s>"), words=(0, 1, 2)),
            target=Tokens(tokens=("▁Nous", "▁dorm", "ons", "</s>"), words=(0, 1, 1, 2), unknown=("ons",)),
            log_probability=-1.5,
            score=-0.5,
            token_log_probabilities=(-0.5, -0.5, -0.25, -0.25),
            maps=(WeightMap(kind=ALPHA, weights=((1, 0, 0), (0.25, 0.75, 0), (0, 1, 0), (0, 0, 1))),),
            changes=(ReadersChange(kind="weights", row=1, weights=(0.25, 0.75, 0)),),
            search={"beam": 5},
            features={"words": 2.0},
        ),
        System(name="mine", rank=2, text=""),
    ),
    gold=GoldLinks(source=("We", "sleep"), target=("Nous", "dormons"), sure=((0, 0),), possible=((1, 1),)),
)


def checked(data: Any) -> None:
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(data)


def test_the_schema_that_ships_is_that_of_the_records(request: pytest.FixtureRequest) -> None:
    """``--keep`` writes it."""
    made = TypeAdapter(SentenceRecord).json_schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    compare_with_kept(SCHEMA, json.dumps(made, indent=1, ensure_ascii=False), request, exact=True)


def test_app_instrument_and_record_know_the_same_kinds_of_changes() -> None:
    script = Path(nmt.__file__).with_name("instrument") / "js" / "changes.js"
    assert f'const KINDS = "{"|".join(get_args(ChangeKind))}";' in script.read_text("utf-8")
    assert get_type_hints(Change)["kind"] == ChangeKind


def test_a_record_survives_json() -> None:
    data = json.loads(json.dumps(WHOLE.to_dict()))
    checked(data)
    assert read_sentence_record(data, "it") == WHOLE


@pytest.mark.parametrize("name", ["search-bpe", "search-words", "encdec-bpe"])
def test_python_writes_records(random_runs: Path, name: str) -> None:
    model = nmt.load(random_runs / name)
    for sentence in SENTENCES:
        for made in (
            model.translate(sentence, beam=3, n_best=2),
            model.sample(sentence, 2),
            model.score(sentence, "le livre"),
        ):
            data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
            checked(data)
            record = read_sentence_record(data, "it")
            assert (record.source.text, record.source.language) == (sentence, "en")
            assert {(one.name, one.kind, one.language) for one in record.systems} == {
                (name, model.config.model.architecture, "fr")
            }
    committee = model.with_committee([model]).translate(SENTENCES[0]).record()
    assert (committee.systems[0].kind, committee.systems[0].name) == ("committee", f"{name} + {name}")


def test_commands_write_records(
    random_runs: Path, tmp_path: Path, cli: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = str(random_runs / "search-bpe")
    for side in ("source", "target"):
        (tmp_path / side).write_text("".join(f"{one}\n" for one in SENTENCES), "utf-8")
    files = ["--source", str(tmp_path / "source"), "--target", str(tmp_path / "target")]
    back = reversed_run(tmp_path / "back")
    for command in (
        ["translate", run, "--n-best", "2"],
        ["translate", run, "--sample", "2"],
        ["score", run, *files],
        ["align", run, *files],
        ["align", run, *files, "--reverse", str(back)],
    ):
        lines = "".join(f"{one}\n" for one in SENTENCES).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
        found = cli.printed(*command, "--json").splitlines()
        assert len(found) == len(SENTENCES)
        for line in found:
            checked(json.loads(line))
        assert len(read("\n".join(found)).alignments) == len(SENTENCES)


def test_without_its_ids_a_translation_has_the_words_of_its_alignment() -> None:
    alignment = Alignment(
        source=("▁a", "b", "</s>"), target=("x", "</s>"), weights=np.full((2, 3), 1 / 3), source_words=(0, 0, 1)
    )
    parts: dict[str, Any] = {"log_probability": -1.0, "score": -1.0, "token_log_probabilities": (-0.5, -0.5)}
    one = Hypothesis(text="x", tokens=("x", "</s>"), alignment=alignment, **parts)
    (system,) = Translation("ab", (one,)).record().systems
    assert system.source == Tokens(tokens=alignment.source, words=(0, 0, 1))
    assert system.target == Tokens(tokens=alignment.target, words=(0, 1))
    checked(Translation("ab", (one,)).to_dict())


def test_a_reader_chooses_among_systems_ranks_and_maps() -> None:
    map_of = WeightMap(kind="head", layer=1, head=3, weights=((0.5, 0.5),))
    tokens: dict[str, Any] = {"source": Tokens(tokens=("a", "b")), "target": Tokens(tokens=("x",))}
    alpha = WeightMap(kind=ALPHA, weights=((1, 0),))
    record = SentenceRecord(
        source=Text(text="a b"),
        systems=(
            System(name="one", text="x", maps=(alpha, map_of), **tokens),
            System(name="two", text="x", maps=(alpha,), **tokens),
            System(name="two", rank=2, text="x", maps=(map_of,), **tokens),
        ),
    )
    text = json.dumps(record.to_dict())
    plain = read(text)
    assert plain.parts == ("one alpha", "one head 1.3", "two", "two #2 1.3")
    assert (plain.part, plain.kind, plain.run) == ("one alpha", ALPHA, "")
    for part, kind, weights in (("one head 1.3", "head", [[0.5, 0.5]]), ("two", ALPHA, [[1, 0]])):
        found = read(text, given=Given(part=part))
        assert (found.part, found.kind) == (part, kind)
        assert found.alignments[0].weights.tolist() == weights
    with pytest.raises(InputError, match="no part three"):
        read(text, given=Given(part="three"))


def _set(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
        for step in steps:
            data = data[step]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("format", 2, "sentence 1 has format 2"),
        ("source.text", 3, "source.text"),
        ("systems", [], "systems"),
        ("systems.0", 7, "systems"),
        ("systems.0.rank", 0, "rank"),
        ("systems.0.text", None, "text"),
        ("systems.0.target.words", [0, 1, 1], "system 1: there are 3 target word numbers of 4 tokens"),
        ("systems.0.target.words", [0, 2, 1, 3], "system 1: the target word numbers decrease"),
        ("systems.0.target.words", [0, -1, 1, 3], "words"),
        ("systems.0.maps.0.weights", [[1, 0, 0]], "the map alpha does not have 4 rows of 3 weights"),
        ("systems.0.maps.0.weights.2", [1], "the map alpha does not have 4 rows of 3 weights"),
        ("systems.0.maps.0.weights.2", [0, 2, 0], "weights"),
        ("systems.0.maps.0.weights.2", [0.1, 0.1, 0], "row 3"),
        ("systems.0.maps.0.weights.2", ["a", 0, 0], "weights"),
        ("systems.0.token_log_probabilities", [-1], "there are 1 log-probabilities of 4 tokens"),
        ("systems.0.target.tokens.0", "x" * 1001, "1,000 characters"),
        ("systems.0.name", "x" * 1001, "system's name"),
        ("systems.0.changes.0.kind", "magic", "kind"),
        ("gold.sure", [[0, -1]], "sure"),
    ],
)
def test_faults_of_a_record_are_named(path: str, value: Any, named: str) -> None:
    data = copy.deepcopy(WHOLE.to_dict())
    _set(path, value)(data)
    with pytest.raises(InputError, match=re.escape(named)):
        read(json.dumps(data))


def test_what_is_not_known_is_passed_over() -> None:
    data = WHOLE.to_dict() | {"later": 1}
    data["systems"][0]["later"] = {"a": 1}
    assert read_sentence_record(data, "it") == WHOLE


def test_a_sentence_without_a_map_among_others() -> None:
    blank = SentenceRecord(source=Text(text=""), systems=(System(text=""),)).to_dict()
    lines = [json.dumps(one) for one in (WHOLE.to_dict(), blank)]
    assert [one.weights.shape for one in read("\n".join(lines)).alignments] == [(4, 3), (0, 0)]
    without = WHOLE.to_dict()
    for system in without["systems"]:
        system["maps"] = []
    with pytest.raises(InputError, match="sentence 2 has no alignment"):
        read("\n".join([lines[0], json.dumps(without)]))
    with pytest.raises(InputError, match="sentence 2 is not a record"):
        read("\n".join([lines[0], json.dumps({"source": ["a"]})]))
