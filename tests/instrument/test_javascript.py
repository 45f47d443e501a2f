"""The instrument's modules: their own unit tests, what they draw, and their arithmetic against Python's."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.alignments.measures import (
    coverage,
    end_mask,
    entropy,
    marks,
    punctuation_mask,
    repeated_tokens,
)
from nmt.alignments.policy import restrict
from nmt.charts.colour_scales import INK, STAND_IN, stand_in_scale
from nmt.evaluation.alignment_error_rate import every_head, head_maps
from nmt.instrument import FOLDER, About, scales, texts
from nmt.results import Alignment, Encoded
from nmt.results.alignment import END, joined
from nmt.results.difference import changes
from nmt.results.links import Gold
from nmt.runs.folder import read_run
from tests.charts.node import check_no_markup, evaluate, run_unit_tests
from tests.charts.view_data import right_to_left, view_data
from tests.kept import compare_with_kept
from tests.oracles.crossing import crossing
from tests.page.released import released_run

JS = FOLDER / "js"
UNIT_TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))
TEXTS = texts()
SIDES = ("source", "target")


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit(path: Path) -> None:
    run_unit_tests(path)


def test_words_enter_as_text_alone() -> None:
    check_no_markup(JS)


def test_what_hosts_know_of_a_system_is_read_by_the_modules() -> None:
    scripts = "".join(path.read_text("utf-8") for path in JS.glob("*.js"))
    assert [name for name in About.__annotations__ if not re.search(rf"\b{name}\b", scripts)] == []


def test_english_lies_beside_the_modules_for_hosts_without_texts(request: pytest.FixtureRequest) -> None:
    compare_with_kept(FOLDER / "english.json", json.dumps(TEXTS, ensure_ascii=False), request, exact=True)


def test_the_direction_of_words_is_that_of_the_app() -> None:
    words = [["«", "مرحبا"], ["a", "مرحبا"], ["12", "שלום"], ["ܫ"], ["ދ"], ["ߊ"], ["日本"], ["1 !"], [], ["я"], ["ก"]]
    assert evaluate(JS / "tokens.js", "given.map(m.rightToLeft)", words) == [right_to_left(each) for each in words]


@pytest.mark.parametrize("name", [*scales()])
def test_the_scales_of_a_view_are_those_of_python(name: str) -> None:
    """A map in place of alpha has the transform of the scale of alpha."""
    given = {"host": {"texts": TEXTS, "scales": scales()}, "view": {"scale": name}}
    found = evaluate(JS / "panels.js", "m.viewSettings(given.host, given.view)", given)
    assert found["scale"] == scales()[name]
    assert found["difference_scale"] == scales()["difference"]
    expected = stand_in_scale(found["scale"]["transform"]).to_dict()
    assert {key: found["stand_in_scale"][key] for key in expected} == expected
    assert found.keys() | {"panels", "pin"} == view_data([]).keys()


def test_without_scales_of_a_host_those_of_python_are_drawn() -> None:
    """But for the symbol of another map than alpha, which is shorter."""
    found = evaluate(JS / "panels.js", "m.viewSettings({ texts: given })", TEXTS)
    assert found["scale"] == INK.to_dict()
    same = ("stops", "low", "high", "transform", "floor", "ticks")
    expected = STAND_IN.to_dict()
    assert [found["stand_in_scale"][key] for key in same] == [expected[key] for key in same]


def test_panels_and_ribbons_of_a_model_have_the_numbers_of_python(tmp_path: Path) -> None:
    run = released_run(tmp_path / "run", kind="bpe", hidden=16)
    info, translator = read_run(run), nmt.load(run)
    translations = [
        translator.translate(text)
        for text in (
            "the cat sleeps on the mat .",
            "a girl , a cat , the sea",
            "European Economic Area .",
            "she is seen",
        )
    ]
    given = {"records": [_record(one, info) for one in translations], "texts": TEXTS}
    expression = """given.records.map((record) => {
      const host = { texts: given.texts, about: {}, remarks: {}, changes: [] };
      const drawn = m.drawing(record, record, { view: { bars: true } }, host);
      return [drawn.panels[0], drawn.systems[0]];
    })"""
    for translation, (panel, ribbons) in zip(translations, evaluate(JS / "drawing.js", expression, given), strict=True):
        best = translation.best
        assert best.alignment is not None
        merged = best.alignment.merged()
        sums = dict.fromkeys(best.alignment.target_words, 0.0)
        for word, value in zip(best.alignment.target_words, best.token_log_probabilities, strict=True):
            sums[word] += value
        bits, marked = entropy(merged.weights), marks(merged)
        assert (panel["source"], panel["target"]) == (list(merged.source), list(merged.target))
        wrote = any(word != END for word in merged.target)
        assert panel["text"] == (best.text or ("" if wrote else TEXTS["nothing_written"]))
        _same(panel["weights"], merged.weights.tolist())
        _same(panel["log_probability"], list(sums.values()))
        bars = panel["bars"]
        _same(bars["source"]["values"], coverage(merged).tolist())
        _same(bars["target"]["values"], bits.tolist())
        elsewhere = merged.weights.astype(float)[:, end_mask(merged.source) | punctuation_mask(merged.source)]
        _same(bars["target"]["second"], (bits * np.minimum(1, elsewhere.sum(axis=1))).tolist())
        signs = {**dict.fromkeys(marked.dropped, "∅"), **dict.fromkeys(marked.attended_often, "+")}
        found = [mark and mark["sign"] for mark in panel["marks"]["source"]]
        assert found == [signs.get(j) for j in range(len(merged.source))]
        again = ["↻" if i in marked.repeated else None for i in range(len(merged.target))]
        assert [mark and mark["sign"] for mark in panel["marks"]["target"]] == again
        shown = restrict(merged, without_end=True).undivided
        where = crossing(best.alignment)
        assert ribbons["source"] == list(shown.source)
        assert ribbons["target"] == list(shown.target)
        _same(ribbons["weights"], shown.weights.tolist())
        assert ribbons["crossing"] == (
            None if where is None else {"source": list(where.source), "target": list(where.target)}
        )


def test_repeated_words_are_those_that_python_marks() -> None:
    """In random texts of few words and of punctuation, with and without the end of the sentence."""
    random = np.random.default_rng(1)
    texts = [
        [str(word) for word in random.choice(["a", "b", "c", ",", "."], random.integers(1, 14))] + [END] * (k % 2)
        for k in range(300)
    ]
    found = evaluate(
        JS / "weights_over_words.js",
        "given.map(([tokens, ngram]) => [...m.repeatedTokens(tokens, ngram)].toSorted((a, b) => a - b))",
        [[tokens, ngram] for tokens in texts for ngram in (2, 3, 4)],
    )
    expected = [list(repeated_tokens(tokens, ngram)) for tokens in texts for ngram in (2, 3, 4)]
    assert found == expected
    assert sum(map(bool, expected)) > 300


def test_a_crossing_is_found_where_python_finds_it() -> None:
    """In the paper's example, and in random links between words and pieces, where there is one in some."""
    given, expected = [], []
    for seed in range(60):
        random = np.random.default_rng(seed)
        size = int(random.integers(3, 8))
        sides = []
        for letter in "st":
            words = np.cumsum(random.random(size) < 0.85).tolist()
            tokens = [
                "▁" * (k == 0 or words[k] > words[k - 1]) + letter * int(random.choice([3, 4, 5, 6]))
                for k in range(size)
            ]
            sides.append({"tokens": [*tokens, END], "words": [*words, size + 1]})
        alpha = random.dirichlet(np.full(size + 1, 0.05), size + 1)
        alpha[1:-1] = np.eye(size + 1)[size - 1 : 0 : -1] * 0.8 + 0.2 * alpha[1:-1]
        maps = [{"kind": "alpha", "weights": alpha.tolist()}]
        given.append({"source": sides[0], "target": sides[1], "maps": maps})
        alignment = nmt.Alignment(
            source=tuple(sides[0]["tokens"]),
            target=tuple(sides[1]["tokens"]),
            weights=alpha.astype(np.float32),
            source_words=tuple(sides[0]["words"]),
            target_words=tuple(sides[1]["words"]),
        )
        where = crossing(alignment)
        expected.append(None if where is None else {"source": list(where.source), "target": list(where.target)})
    found = evaluate(JS / "crossing.js", "given.map((one) => m.crossing(one))", given)
    assert found == expected
    assert 10 < sum(each is not None for each in expected) < 50


def test_the_error_rate_of_a_head_is_that_of_python() -> None:
    """For random heads over words in pieces, with gold links of the words."""
    given, expected = [], []
    for seed in range(60):
        random = np.random.default_rng(seed)
        sides = []
        for letter in "xy":
            words = [word for word in range(random.integers(1, 7)) for _ in range(random.integers(1, 3))]
            starts = [k == 0 or words[k - 1] != word for k, word in enumerate(words)]
            tokens = [*("▁" * start + letter for start in starts), END]
            numbers = (*words, words[-1] + 1)
            sides.append(Encoded(ids=(0,) * len(tokens), tokens=tuple(tokens), words=numbers, unknown=()))
        source, target = sides
        weights = random.dirichlet(np.full(len(source.ids), 0.3), (2, 3, len(target.ids))).astype(np.float32)
        pairs = [(j, i) for j in range(source.words[-1]) for i in range(target.words[-1])]
        chosen = random.permutation(len(pairs))
        sure = [pairs[k] for k in chosen[: max(1, len(pairs) // 4)]]
        possible = [pairs[k] for k in chosen[: len(pairs) // 2]]
        gold = Gold(frozenset(sure), frozenset({*sure, *possible}))
        rates = every_head([head_maps(weights, source, target)], [gold])
        expected += [each.rate.aer for each in rates if each.row == "before" and len(each.heads) == 1]
        words_of_sides = [[word for word in joined(side.tokens, side.words) if word != END] for side in sides]
        given.append(
            {
                "system": {
                    side: {"tokens": one.tokens, "words": one.words} for side, one in zip(SIDES, sides, strict=True)
                },
                "gold": dict(zip(SIDES, words_of_sides, strict=True)) | {"sure": sure, "possible": possible},
                "heads": weights.reshape(-1, *weights.shape[2:]).tolist(),
            }
        )
    expression = "given.flatMap(({ gold, system, heads }) => heads.map((each) => m.errorRate(gold, system, each)))"
    assert evaluate(JS / "heads.js", expression, given) == pytest.approx(expected)
    assert len({*expected}) > 30


def _record(translation: Any, run: Any) -> dict[str, Any]:
    best = translation.best
    sides = {
        side: {name: list(value) for name, value in vars(encoded).items() if name != "ids"}
        for side, encoded in (("source", translation.encoded), ("target", best.encoded))
    }
    system = {
        "name": run.name,
        "kind": run.config.model.architecture,
        "language": run.target_language,
        "text": best.text,
        **sides,
        "log_probability": best.log_probability,
        "token_log_probabilities": list(best.token_log_probabilities),
        "maps": [{"kind": "alpha", "weights": best.alignment.weights.tolist()}],
    }
    return {"format": 1, "source": {"text": translation.source, "language": run.source_language}, "systems": [system]}


def _same(found: Any, expected: Any, place: str = "") -> None:
    """Assert equality, numbers up to the rounding that the app sends them with."""
    if isinstance(expected, dict):
        assert set(found) == set(expected), place
        for name, value in expected.items():
            _same(found[name], value, f"{place}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), place
        for k, value in enumerate(expected):
            _same(found[k], value, f"{place}[{k}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=2e-4), place
    else:
        assert found == expected, place


def test_the_weight_that_moved_is_counted_between_words_that_both_have() -> None:
    random = np.random.default_rng(3)
    pairs, expected = [], []
    for _ in range(200):
        sides = [[f"w{k}" for k in random.integers(0, 5, int(random.integers(1, 8)))] for _ in range(4)]
        one, other = (
            Alignment(
                source=(*source, END), target=(*target, END), weights=random.random((len(target) + 1, len(source) + 1))
            )
            for source, target in (sides[:2], sides[2:])
        )
        rows, columns = changes(one.target, other.target), changes(one.source, other.source)
        both = [
            abs(other.weights[row.after, column.after] - one.weights[row.before, column.before])
            for row in rows
            for column in columns
            if None not in (row.before, row.after, column.before, column.after)
        ]
        expected.append(sum(both) / 2)
        pairs.append([{"source": a.source, "target": a.target, "weights": a.weights.tolist()} for a in (one, other)])
    found = evaluate(JS / "typed_changes.js", "given.map((pair) => m.movedWeight(...pair))", pairs)
    assert found == pytest.approx(expected)
