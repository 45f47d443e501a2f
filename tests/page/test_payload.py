"""What a page carries of each run is what its folder says, and its dictionary is used as Python uses it."""

import json
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nmt
from nmt.answers.shipped import SENTENCES
from nmt.charts.style import line_style
from nmt.config import SearchSettings
from nmt.data.subwords import load_vocabulary
from nmt.data.vocabulary import UNKNOWN
from nmt.evaluation.measurement_files import StoredStress, write_stress
from nmt.files import write_json
from nmt.page import collect
from nmt.page.payload import _ranges, vocabulary_data
from nmt.results import RetentionPoint, Span
from nmt.runs.folder import read_run
from nmt.runs.provenance import PROVENANCE
from tests.oracles.random_run import ENGLISH, FRENCH, random_run
from tests.page.released import released_run
from tests.page.test_translator import translated
from tests.programs import main

PAIRS = dict(zip(ENGLISH, reversed(FRENCH), strict=False))
"""Another word than the source word for each word that a model may replace."""


def with_dictionary(folder: Path, how: str) -> Path:
    run = random_run(folder.with_name(f"{folder.name}-before"))
    entries = "".join(f"{source}\t{target}\n" for source, target in PAIRS.items() if source != "cat")
    (run / "dictionary.tsv").write_text(entries, encoding="utf-8")
    assert (
        main(["release", "publish", str(run), str(folder), "--weights", "int8", "--search", f"replace_unk={how}"]) == 0
    )
    return folder


@pytest.mark.parametrize("how", ["dictionary", "auto", "copy", "null"])
def test_a_dictionary_is_carried_if_the_search_uses_it(how: str, tmp_path: Path) -> None:
    run = with_dictionary(tmp_path / "run", how)
    payload, translator = collect([str(run)]), nmt.load(run)
    (facts,) = payload.data["runs"]
    assert facts["dictionary"] == (
        {source: target for source, target in PAIRS.items() if source != "cat"}
        if how in ("dictionary", "auto")
        else None
    )
    random = np.random.default_rng(2)
    texts = [" ".join(random.choice(ENGLISH, length)) for length in random.integers(2, 7, 30)]
    asked = [(text, 2) for text in texts]
    replaced = set()
    for text, found in zip(texts, translated(run, asked), strict=True):
        best = translator.translate(text, beam=2).best
        assert found["text"] == best.text
        if UNKNOWN in best.tokens:
            replaced.add(UNKNOWN in best.text)
    assert replaced == {how == "null"}


def test_without_a_dictionary_there_is_none(tmp_path: Path) -> None:
    payload = collect([str(released_run(tmp_path / "run", "replace_unk=auto"))])
    (facts,) = payload.data["runs"]
    assert facts["dictionary"] is None
    assert (payload.data["beam"], payload.data["beams"], payload.data["most_characters"]) == (5, [1, 5, 12], 2000)
    assert payload.languages["en"]["texts"]["about"].startswith(
        "This page translates English into French with RNNsearch ("
    )


def test_the_facts_of_each_run_are_those_of_its_folder(tmp_path: Path) -> None:
    folders = [
        released_run(tmp_path / "one", "beam=7", "length_penalty=0.5"),
        released_run(tmp_path / "two", architecture="rnnencdec", state_order="program"),
        released_run(tmp_path / "three", kind="bpe", target_language="ja"),
    ]
    payload = collect([str(folder) for folder in folders], 4)
    data = payload.data
    assert (data["beam"], data["beams"]) == (4, [1, 4, 5, 12])
    texts = payload.languages["en"]["texts"]
    assert "English into French, Japanese with RNNsearch and RNNencdec (" in texts["about"]
    assert texts["run-2"].startswith("three: English to Japanese, ")
    assert [*data["detokenisers"]] == ["fr", "ja"]
    for folder, facts in zip(folders, data["runs"], strict=True):
        run = read_run(folder)
        assert facts["search"] == asdict(run.config.search)
        model = run.config.model
        assert (facts["name"], facts["architecture"], facts["state_order"]) == (
            folder.name,
            model.architecture,
            model.state_order,
        )
        assert (facts["source_language"], facts["target_language"]) == (run.source_language, run.target_language)
        assert (facts["parameters"], facts["trained_to"]) == (
            sum(each.numel() for each in nmt.load(folder).model.parameters()),
            run.config.training.max_length,
        )
        for side, size in (("source", run.source_vocabulary.size), ("target", run.target_vocabulary.size)):
            carried = data["vocabularies"][facts[f"{side}_vocabulary"]]
            assert carried == vocabulary_data(load_vocabulary(folder, side, size))  # type: ignore[arg-type]


def test_the_examples_are_the_sentences_of_the_languages(tmp_path: Path) -> None:
    """The remark on what to look at is about one pair of languages, so it is left out of a page with several."""
    french, japanese = released_run(tmp_path / "fr"), released_run(tmp_path / "ja", kind="bpe", target_language="ja")
    for folders, pairs in (
        ([french], [("en", "fr")]),
        ([japanese], [("en", "ja")]),
        ([french, japanese], [("en", "fr"), ("en", "ja")]),
    ):
        own = [each for each in SENTENCES if each.languages in pairs]
        expected = own or [each for each in SENTENCES if each.languages[0] == "en"]
        shown = collect([str(folder) for folder in folders]).languages["en"]["examples"]
        assert expected
        assert [example["sentence"] for example in shown] == [each.sentence for each in expected]
        for example, each in zip(shown, expected, strict=True):
            assert bool(example["look"]) == (pairs == [each.languages] and bool(each.look))


def stress(run: str, test_set: str, points: list[tuple[float, float]]) -> StoredStress:
    return StoredStress(
        run=run,
        test_set=test_set,
        source_sha256="a",
        reference_sha256="b",
        weights_sha256="",
        search=SearchSettings(),
        precision="fp32",
        tokeniser="13a",
        retention=tuple(
            RetentionPoint(
                span=Span(1, 99), texts=3, sentences=9, source_words=words, bleu=bleu, bleu_apart=bleu, kept=1.0
            )
            for words, bleu in points
        ),
    )


def test_the_curves_are_those_of_the_runs_that_were_measured_on_one_set(tmp_path: Path) -> None:
    names = ("none", "first", "other", "elsewhere", "second")
    folders = {name: released_run(tmp_path / name) for name in names}
    assert collect([str(folder) for folder in folders.values()]).languages["en"]["figure"] is None
    given = {
        "first": stress("first", "mine", [(40.5, 20.25), (10.0, 30.5)]),
        "second": stress("second", "mine", [(11.0, 28.0), (41.0, 25.0), (70.0, 8.0)]),
        "other": stress("other", "others", [(11.0, 28.0), (41.0, 25.0)]),
        "elsewhere": replace(stress("elsewhere", "mine", [(11.0, 28.0)]), source_sha256="other sentences"),
    }
    for name, measured in given.items():
        write_stress(folders[name], measured, into_run=True)
    for figure in (texts["figure"] for texts in collect([str(f) for f in folders.values()]).languages.values()):
        assert "mine" in figure["title"]
        assert [(curve["name"], names[curve["run"]]) for curve in figure["curves"]] == [
            ("first", "first"),
            ("second", "second"),
        ]
        for curve in figure["curves"]:
            assert curve["colour"] == line_style(curve["run"]).colour
            points = [(point.source_words, point.bleu) for point in given[curve["name"]].retention]
            assert curve["points"] == [[*point] for point in sorted(points)]
            for words, bleu in (min(points), max(points)):
                assert f"{bleu:.1f}" in figure["spoken"]
                assert f"{words:.0f}" in figure["spoken"]


def test_corpora_of_the_run_that_another_began_with_are_named(tmp_path: Path) -> None:
    def trained(corpus: str, initial: object) -> dict[str, object]:
        used = {"source": f"{corpus}/train.en", "target": f"{corpus}/train.fr", "source_sha256": ""}
        used |= {"target_sha256": "", "repeat": 1, "read": 1, "kept": 1}
        provenance = {"train": [used], "dev": [], "pairs_per_epoch": 3, "tokens": 9, "sessions": []}
        return {**provenance, "preparation": "", "initial": initial}

    def begun(run: str, corpus: str, initial: object) -> dict[str, object]:
        return {"run": run, "sha256": "ab", "update": 5, "provenance": trained(corpus, initial)}

    run = random_run(tmp_path / "before")
    chain = trained("last", begun("b", "tatoeba", begun("a", "first", None)))
    write_json(run / PROVENANCE, {"format": 1, **chain})
    assert main(["release", "publish", str(run), str(tmp_path / "run"), "--weights", "int8"]) == 0
    named = collect([str(tmp_path / "run")]).attributions
    assert [sentence.split(".")[0] for sentence in (named[0], named[2])] == ["last", "first"]
    assert "tatoeba.org" in named[1]
    assert len(named) == 3
    assert json.loads((tmp_path / "run" / PROVENANCE).read_text())["initial"]["run"] == "b"


@given(st.sets(st.integers(0, 40).map(chr)))
def test_ranges_are_as_few_as_can_be_and_have_nothing_else(characters: set[str]) -> None:
    ranges = _ranges(characters)
    assert {chr(point) for first, last in ranges for point in range(first, last + 1)} == characters
    for (_, before), (first, _) in pairwise(ranges):
        assert first > before + 1
