"""Which checkpoint to use for what: chosen by its scores, and said with them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from nmt.evaluation.evaluation_files import write_evaluation
from nmt.results import ALL_SETS
from nmt.runs.folder import read_run, read_settings, write_settings
from nmt.texts import MODELS, counted
from nmt.ui.app_shell import PLACES
from nmt.ui.models.guide import Measured, explained, purposes
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.runs.origins import corpus_used, session, write_origin
from tests.ui.opened import opened


def measured(name: str, attends: bool, **known: Any) -> Measured:
    """A checkpoint of which nothing else is known."""
    unknown: dict[str, Any] = {"bleu": {}, "error_rate": {}, "together": None, "most_together": 0}
    return Measured(name=name, attends=attends, **({"trained_on": "", "updates": 0, "steps": 0} | unknown | known))


KNOWN = [
    measured(
        name="a", attends=True, bleu={"laws": 30.0, "talk": 40.0, ALL_SETS: 35.0}, error_rate={"gold": 0.2},
        together=10.0, most_together=8,
    ),
    measured(
        name="b", attends=True, bleu={"laws": 28.0, "talk": 41.5, ALL_SETS: 34.0}, error_rate={"gold": 0.1},
        together=30.0, most_together=8, steps=4,
    ),
    measured(name="c", attends=False, bleu={"laws": 15.0, "talk": 30.0, ALL_SETS: 20.0}, together=2.0, most_together=8),
    measured(name="d", attends=False, bleu={"laws": 14.0, ALL_SETS: 19.0}, together=50.0, most_together=4),
]  # fmt: skip


def test_each_purpose_has_the_best_checkpoint() -> None:
    found = {purpose.kind: purpose for purpose in purposes(KNOWN, None)}
    assert {kind: purpose.name for kind, purpose in found.items()} == {
        "translate": "a", "similar": "b", "align": "b", "long": "b", "baseline": "c", "learn": "b",
    }  # fmt: skip
    assert found["similar"].use == MODELS.by_key.uses["similar"].format(test_set="talk")
    evidence = MODELS.by_key.evidence
    assert {kind: purpose.evidence for kind, purpose in found.items()} == {
        "translate": evidence["translate"].format(
            bleu=35.0, where=MODELS.on_all, of_several=MODELS.best_of.format(rivals=4)
        ),
        "similar": evidence["similar"].format(bleu=41.5, lead=1.5),
        "align": evidence["align"].format(rate=10.0, gold="gold", rivals=2),
        "long": evidence["long"].format(bleu=30.0, sentences=8, rivals=3),
        "baseline": evidence["baseline"].format(less=15.0, where=MODELS.on_all, data=""),
        "learn": evidence["learn"].format(steps=4),
    }


@pytest.mark.parametrize(("gold", "rate", "named"), [("gold", 0.05, True), ("gold", 0.1, False), ("x", 0.05, False)])
def test_an_aligner_is_named_where_it_is_better_than_every_checkpoint(gold: str, rate: float, named: bool) -> None:
    aligner = "pair", {gold: rate, "other": 0.01}
    (found,) = [purpose for purpose in purposes(KNOWN, aligner) if purpose.kind == "align"]
    alone = MODELS.by_key.evidence["align"].format(rate=10.0, gold="gold", rivals=2)
    better = MODELS.better_aligner.format(name="pair", rate=100 * rate)
    assert found.evidence == (f"{alone} {better}" if named else alone)


def test_gold_links_on_which_one_alone_was_measured_say_nothing() -> None:
    known = [replace(KNOWN[0], error_rate={"alone": 0.01, "gold": 0.2}), KNOWN[1]]
    (found,) = [purpose for purpose in purposes(known, None) if purpose.kind == "align"]
    assert (found.name, found.evidence) == (
        "b",
        MODELS.by_key.evidence["align"].format(rate=10.0, gold="gold", rivals=2),
    )


def test_a_training_that_kept_one_step_is_not_watched() -> None:
    assert "learn" not in {purpose.kind for purpose in purposes([replace(KNOWN[1], steps=1)], None)}
    (found,) = [purpose for purpose in purposes([replace(KNOWN[1], steps=2)], None) if purpose.kind == "learn"]
    assert found.evidence == MODELS.by_key.evidence["learn"].format(steps=2)


def test_what_attention_is_for_is_seen_beside_a_model_trained_on_the_same_data() -> None:
    known = [replace(KNOWN[0], trained_on="x"), KNOWN[2], replace(KNOWN[3], trained_on="x")]
    (purpose,) = [purpose for purpose in purposes(known, None) if purpose.kind == "baseline"]
    assert purpose.name == "d"
    assert purpose.evidence == MODELS.by_key.evidence["baseline"].format(
        less=16.0, where=MODELS.on_all, data=MODELS.same_data
    )
    longer = [replace(known[0], updates=9_000), known[1], replace(known[2], updates=5_000)]
    (purpose,) = [each for each in purposes(longer, None) if each.kind == "baseline"]
    assert purpose.evidence == MODELS.by_key.evidence["baseline"].format(
        less=16.0, where=MODELS.on_all, data=MODELS.fewer_updates.format(updates=5_000, most=9_000)
    )
    (without,) = [each for each in purposes([KNOWN[0], *known[1:]], None) if each.kind == "baseline"]
    assert without.name == "c"


def test_a_checkpoint_without_rivals_is_not_the_best_of_one() -> None:
    (purpose, *_) = purposes(KNOWN[:1], None)
    assert purpose.evidence == MODELS.by_key.evidence["translate"].format(bleu=35.0, where=MODELS.on_all, of_several="")


def test_the_only_test_set_that_counts_is_named() -> None:
    """Sets of the repository, and of other domains than every training corpus, do not count among all sets."""
    known = [measured("a", True, bleu={"x": 7.0, "jointly-300": 9.0}), measured("c", False, bleu={"x": 5.0})]
    found = {purpose.kind: purpose for purpose in purposes(known, None)}
    evidence, of_two, where = MODELS.by_key.evidence, MODELS.best_of.format(rivals=2), MODELS.on.format(test_set="x")
    assert found["translate"].evidence == evidence["translate"].format(bleu=7.0, where=where, of_several=of_two)
    assert found["baseline"].evidence == evidence["baseline"].format(less=2.0, where=where, data="")
    more = [replace(known[0], bleu={"x": 7.0, "y": 7.0}), known[1]]
    assert "translate" not in {purpose.kind for purpose in purposes(more, None)}


def test_the_best_on_several_test_sets_is_said_to_be_so() -> None:
    several = [replace(KNOWN[0], bleu={"x": 1.0, "y": 1.0}), replace(KNOWN[1], bleu={"x": 2.0, "y": 3.0})]
    (purpose,) = [purpose for purpose in purposes(several, None) if purpose.kind == "similar"]
    first = MODELS.by_key.evidence["similar"].format(bleu=3.0, lead=2.0)
    assert purpose.evidence == f"{first} {counted(1, MODELS.forms.best_on_more)}"


@pytest.mark.parametrize(("lead", "named"), [(0.4, False), (0.5, True)])
def test_a_checkpoint_that_hardly_leads_is_not_named_for_texts_like_a_test_set(lead: float, named: bool) -> None:
    several = [replace(KNOWN[0], bleu={"x": 1.0, ALL_SETS: 9.0}), replace(KNOWN[1], bleu={"x": 1.0 + lead})]
    assert ("similar" in {purpose.kind for purpose in purposes(several, None)}) == named


def test_of_several_leads_those_of_one_checkpoint_are_told() -> None:
    """The best of all is not named for texts, too; who leads on more test sets is; of these the widest lead is told."""
    known = [
        measured(name="best", attends=True, bleu={"t": 50.0, "u": 10.0, "v": 10.0, "w": 10.0, ALL_SETS: 30.0}),
        measured(name="one", attends=True, bleu={"t": 20.0, "u": 30.0}),
        measured(name="two", attends=False, bleu={"v": 12.0, "w": 15.0, ALL_SETS: 5.0}),
        measured(name="alone", attends=False, bleu={"x": 99.0, "y": 99.0, "z": 99.0}),
    ]
    (purpose,) = [purpose for purpose in purposes(known, None) if purpose.kind == "similar"]
    assert (purpose.name, purpose.use) == ("two", MODELS.by_key.uses["similar"].format(test_set="w"))
    first = MODELS.by_key.evidence["similar"].format(bleu=15.0, lead=5.0)
    assert purpose.evidence == f"{first} {counted(1, MODELS.forms.best_on_more)}"


def test_of_equal_checkpoints_the_first_is_named() -> None:
    equal = [replace(KNOWN[0], name="x"), replace(KNOWN[0], name="y")]
    assert {purpose.kind: purpose.name for purpose in purposes(equal, None)} == dict.fromkeys(
        ("translate", "align", "long"), "x"
    )


def test_nothing_is_recommended_that_was_not_measured() -> None:
    assert list(purposes([], None)) == []
    assert list(purposes([measured(name="a", attends=True), measured(name="b", attends=False)], None)) == []
    alone = list(purposes([replace(KNOWN[0], error_rate={"gold": 0.2})], None))
    assert [purpose.kind for purpose in alone] == ["translate"]


def test_names_are_explained_by_the_settings(runs: Path, write_run: Any) -> None:
    thirty = MODELS.in_name.format(part="30")
    own = MODELS.from_corpora.format(corpora=MODELS.by_key.own_pairs["pasted"].format(pairs=100, dev=100))
    short = MODELS.trained_on.format(longest=30, in_name="", corpora=own)
    for name, changes, expected in (
        ("mine-30", ["training.max_length=30"], MODELS.trained_on.format(longest=30, in_name=thirty, corpora=own)),
        ("mine", ["training.max_length=30"], short),
        ("mine-guided", ["training.guided=0.5"], MODELS.guided.format(in_name=MODELS.in_name.format(part="guided"))),
        ("mixed", ["training.concatenate=0.5"], MODELS.concatenated.format(in_name="")),
        ("mine-star", [], MODELS.trained_longer),
    ):
        write_run(runs / name)
        write_origin(runs / name, corpus_used("pasted-0a1b/train"), session(), "")
        settings = read_settings(runs / name)
        write_settings(runs / name, replace(settings, config=settings.config.override(changes)))
        assert expected in explained(read_run(runs / name))


@pytest.fixture
def registry(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    write_run(runs / "search")
    write_run(runs / "encdec", "rnnencdec")
    return runs


def test_the_page_opens_with_cards_that_lead_on(registry: Path) -> None:
    for name, kept in (("search", 0.9), ("encdec", 0.5)):
        for test_set in ("canada-laws-test", "tatoeba-test"):
            write_evaluation(registry / name, evaluated(name, test_set, texts(range(3, 15), kept=kept)))
    at = opened("models")
    said = [str(element.value) for element in at.markdown]
    translate, baseline = (MODELS.use_this.format(uses=MODELS.by_key.uses[kind]) for kind in ("translate", "baseline"))
    assert said.index(translate) < said.index("**search**") < said.index(baseline) < said.index("**encdec**")
    links = [(link.proto.label, link.proto.query_string) for link in at.get("page_link")]
    taken = [json.loads(parse_qs(query)["take"][0]) for label, query in links if label == MODELS.translate_with_it]
    assert taken == [{"models": ["search"]}, {"models": ["encdec"]}]
    icons = {"", *(place.icon for place in PLACES)}  # a link to a page has the icon of the page
    assert {link.proto.icon for link in at.get("page_link")} <= icons


def said() -> list[str]:
    at = opened("models")
    return [str(each.value) for each in (*at.text, *at.markdown)]


def test_what_is_broken_counts_as_not_measured(registry: Path) -> None:
    write_evaluation(registry / "search", evaluated("search", "tatoeba-test", texts(range(3, 15))))
    whole = said()
    for place in ("alignment/gold.json", "stress/toy.json", "provenance.json"):
        path = registry / "search" / place
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}")
        assert said() == whole


def test_without_scores_it_says_what_to_do(registry: Path) -> None:
    assert [info.value for info in opened("models").info] == [MODELS.no_purpose]
