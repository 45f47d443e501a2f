"""Translations, log p and alpha in JavaScript as in Python, over the same weights of 8 bits."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import nmt
from nmt.data.vocabulary import UNKNOWN
from nmt.evaluation.test_set import from_folder
from nmt.inspection.maps import word_scores
from nmt.inspection.what_if import what_if
from nmt.model.kernels import IntegerWeight, has_integer_products, round_rows
from nmt.model.steps import DecoderState, DecodingSteps
from nmt.page import collect
from nmt.results import Intervention
from nmt.results.alignment import joined
from nmt.results.inspection import may_doubt
from nmt.results.record import read_sentence_record
from nmt.results.translation import Encoded
from nmt.runs.folder import read_run
from nmt.search.beam import BeamChoice, BeamSettings, beam_search
from nmt.search.constrained import Constrained, OutputConstraints, Weights, prefix
from tests.charts.node import ROOT, evaluate
from tests.oracles.random_run import ENGLISH
from tests.page.released import JS, released_run

BEAM = 3
SENTENCES = ["the cat sleeps on the mat .", "a girl reads", "she is a unicorn , the sea", "European Economic Area"]
RUNS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "words, printed order": ((), {}),
    "subwords, program order": ((), {"kind": "bpe", "state_order": "program"}),
    "length penalty": (("length_penalty=1",), {"state_order": "program"}),
    "no unknown words": (("no_unk=true",), {"kind": "bpe"}),
    "copied words": (("replace_unk=copy",), {}),
    "into Japanese": ((), {"kind": "bpe", "target_language": "ja"}),
    "into Japanese, RNNencdec": ((), {"kind": "bpe", "target_language": "ja", "architecture": "rnnencdec"}),
    "into Japanese, words": (("replace_unk=copy",), {"target_language": "ja", "state_order": "program"}),
    "RNNencdec": ((), {"architecture": "rnnencdec", "state_order": "program"}),
    "RNNencdec, printed order": (("length_penalty=0.5",), {"architecture": "rnnencdec", "kind": "bpe"}),
}

MODULE = base64.b64encode((JS.parent / "engine.wasm").read_bytes()).decode()

TRANSLATE = """(() => {
  const translator = new m.Engine(given.data, [given.weights]).translator(0);
  return given.asked.map(([sentence, beam, changes]) => {
    const steps = translator.translate(sentence, beam, changes);
    for (;;) {
      const { value, done } = steps.next();
      if (done) {
        return value;
      }
    }
  });
})()"""


def translated(run: Path, asked: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """What the page finds for sentences, each with its beam and, if there are any, the changes to it."""
    payload = collect([str(run)])
    given = {"data": payload.data | {"engine": MODULE}, "weights": payload.weights[0], "asked": asked}
    found: list[dict[str, Any]] = evaluate(JS / "engine.js", TRANSLATE, given)
    return found


def test_an_unknown_word_is_replaced_by_a_word_also_where_the_end_is_attended_most(tmp_path: Path) -> None:
    run = released_run(tmp_path / "run", "replace_unk=copy")
    translator, random = nmt.load(run), np.random.default_rng(1)
    texts = [" ".join(random.choice([*ENGLISH, "Zanzibar"], length)) for length in random.integers(1, 5, 40)]
    found = translated(run, [(text, 2) for text in texts])
    ends = 0
    for text, ours in zip(texts, found, strict=True):
        best = translator.translate(text, beam=2).best
        assert ours["text"] == best.text
        assert best.alignment is not None
        most = best.alignment.weights.argmax(axis=1).tolist()
        ends += sum(token == UNKNOWN and j == len(text.split()) for token, j in zip(best.tokens, most, strict=True))
    assert ends > 5


def test_a_spelled_unknown_word_is_replaced_as_a_whole() -> None:
    """As tests/inference/test_text_codec.py has it."""
    given = {
        "source": {"tokens": ["\u2581€", "</s>"], "words": [0, 1]},
        "target": {"tokens": ["\u2581[", "\u2581UNK", "\u2581]", "\u2581euros", "</s>"], "words": [0, 0, 0, 1, 2]},
        "maps": [{"kind": "alpha", "weights": [[1, 0]] * 4 + [[0, 1]]}],
    }
    assert evaluate(JS / "translator.js", "m.withoutUnknown(given, {})", given) == ["€", "euros"]


SEARCH = """given.asked.map((asked) => {
  const { model } = given.translator ??= new m.Engine(given.data, [given.weights]).translator(0);
  const steps = model.search(given.ids, { beam: 4, lengthPenalty: 1, forbidden: [], ...asked });
  for (let told = 1; ; told += 1) {
    const { value, done } = steps.next();
    if (done) {
      return { ...value, told };
    }
    if (value.step !== told || value.longest !== 2 * given.ids.length + 9 + (asked.forced ?? []).length) {
      throw new Error(`step ${value.step} of ${value.longest}`);
    }
  }
})"""


@pytest.mark.parametrize("order", ["printed", "program"])
def test_words_can_be_forced_left_out_and_weighed(order: str, tmp_path: Path) -> None:
    """With the results of a constrained search in Python, and of one whose words are padding."""
    run = released_run(tmp_path / "run", state_order=order)
    translator, payload = nmt.load(run), collect([str(run)])
    ids = translator.read("the cat sleeps on the mat .").encoded.ids
    row = [0.5, 0, 0.25, 0, 0, 0.25, 0, 0]
    asked: list[dict[str, Any]] = [{"forced": [9, 4]}, {"blocked": [k in (1, 4) for k in range(8)]}]
    asked += [{"given": [{"step": step, "alpha": row} for step in steps]} for steps in ((0,), (2,), (0, 2))]
    given = {"data": payload.data | {"engine": MODULE}, "weights": payload.weights[0], "ids": ids, "asked": asked}
    found = evaluate(JS / "engine.js", SEARCH, given)

    class Without(DecodingSteps):
        def start(self, source: torch.Tensor, mask: torch.Tensor) -> DecoderState:
            return super().start(source, mask & ~torch.tensor([[k in (1, 4) for k in range(8)]]))

        def _read(self, source: torch.Tensor, mask: torch.Tensor) -> Any:
            return super()._read(source, torch.ones_like(mask))

    steps, source = DecodingSteps(translator.model), torch.tensor([ids])
    models = [
        Constrained(steps, [OutputConstraints(prefix((9, 4)))]),
        Without(translator.model),
        *(
            Constrained(steps, [OutputConstraints((), dict.fromkeys(at, Weights(tuple(row), tuple(range(8)))))])
            for at in ((0,), (2,), (0, 2))
        ),
    ]
    for model, each, ours in zip(models, asked, found, strict=True):
        mask = torch.ones_like(source, dtype=torch.bool)
        longest = 2 * (len(ids) - 1) + 10 + len(each.get("forced", ()))
        settings = BeamSettings(beam=4, length_penalty=1, max_length=longest)
        ((best,),) = beam_search(model, source, mask, settings)  # type: ignore[arg-type]
        assert tuple(ours["ids"]) == best.ids
        assert ours["told"] >= len(best.ids)
        assert ours["score"] == pytest.approx(best.score, abs=1e-4)
        np.testing.assert_allclose(ours["alpha"], best.alpha, atol=1e-4)
    assert found[0]["ids"][:2] == [9, 4]
    assert not np.array(found[1]["alpha"])[:, [1, 4]].any()
    assert found[2]["alpha"][0] == found[3]["alpha"][2] == found[4]["alpha"][0] == found[4]["alpha"][2] == row


PACKED = """(() => {
  const { model } = new m.Engine(given.data, [given.weights]).translator(0);
  const view = new DataView(model.memory.buffer);
  const scales = Array.from({ length: 13 }, (_, k) => view.getUint32(model.model + 32 * k + 4, true));
  const [at, rows] = [view.getUint32(model.model + 32 * given.matrix, true), 64 * Math.ceil(given.rows / 64)];
  return {
    integers: scales.map(Boolean),
    scale: [...new Float32Array(model.memory.buffer, scales[given.matrix], given.rows)],
    weights: Buffer.from(model.memory.buffer, at, rows * given.columns).toString("base64"),
  };
})()"""


def test_large_matrices_are_integers_where_they_are_in_python(tmp_path: Path) -> None:
    """C has 2^20 weights here, W_o has not. Its parts lie one below the other, in panels of 64 and pairs of inputs."""
    run = released_run(tmp_path / "run", hidden=420)
    payload, model = collect([str(run)]), nmt.load(run).model
    context = torch.cat([model.decoder.stacked("C"), model.readout.C_o]).detach()
    rows, columns = context.shape
    given = {"data": payload.data | {"engine": MODULE}, "weights": payload.weights[0]}
    found = evaluate(JS / "engine.js", PACKED, {**given, "matrix": 4, "rows": rows, "columns": columns})
    assert found["integers"] == [k == 4 for k in range(13)]
    expected = round_rows(context)
    packed = np.frombuffer(base64.b64decode(found["weights"]), dtype=np.int8).reshape(-1, columns // 2, 64, 2)
    np.testing.assert_array_equal(packed.swapaxes(1, 2).reshape(-1, columns)[:rows], expected.values)
    np.testing.assert_allclose(found["scale"], expected.scale / 127, rtol=1e-6)
    pays_off = {name: IntegerWeight.pays_off(weight) for name, weight in (("C", context), ("W_o", model.readout.W_o))}
    assert pays_off == {"C": has_integer_products(), "W_o": False}


def test_a_browser_without_simd_is_told_so() -> None:
    """Its compiler refuses the module, as this one does a module that is none."""
    told = "given.told = []; const engine = new m.Engine({ runs: [{}], engine: 'AAAA' }, ['']);"
    asked = "{ id: 1, text: 'x', beam: 1, runs: [0], changes: [] }"
    ask = f"await engine.answer({asked}, (answer) => given.told.push(answer));"
    expression = f"await (async () => {{ {told} {ask} return given.told; }})()"
    assert evaluate(JS / "engine.js", expression, {})[-1] == {"id": 1, "old": True}


def least_gap(run: nmt.Translator, text: str) -> float:
    """The least distance, in nats, between the last continuation that a step of Python's search keeps and the next one:
    the last digits of either decide which is kept where it is small."""
    source, gaps, live = torch.tensor([run.read(text).encoded.ids]), [], [np.zeros(1)]

    def look(choice: BeamChoice) -> None:
        totals = np.sort((choice.log_probabilities.double().numpy() + live.pop()[:, None]).ravel())[::-1]
        taken = np.count_nonzero(choice.kept | choice.ended)
        gaps.append(totals[taken - 1] - totals[taken])
        live.append(choice.totals[choice.kept])

    settings = BeamSettings(beam=BEAM, length_penalty=run.search_settings.length_penalty)
    steps = run.search(run.search_settings).model()
    beam_search(steps, source, torch.ones_like(source, dtype=torch.bool), settings, on_choice=look)
    return float(min(gaps))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["rnnsearch-en-fr", *(pytest.param(run, marks=pytest.mark.thorough) for run in ("rnnsearch-50", "rnnencdec-50"))],
)
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, 6))])
def test_sentences_of_released_runs_are_translated_as_in_python(name: str, part: int) -> None:
    """jointly-300 by three runs in integers. Where a translation is another one, two continuations within 0.01 nats
    decided so; the log-probability of 99 % is within 5e-3 nats."""
    texts = from_folder(ROOT / "testsets" / "jointly-300", "en", "fr").sources[part::6]
    run = nmt.load(ROOT / "checkpoints" / name, precision="int8")
    found = translated(ROOT / "checkpoints" / name, [(text, BEAM) for text in texts])
    others, off = 0, []
    for text, ours, translation in zip(texts, found, run.translate(list(texts), beam=BEAM), strict=True):
        best = translation.best
        if ours["text"] != best.text:
            others += 1
            assert least_gap(run, text) <= 0.01
            continue
        assert tuple(ours["target"]["tokens"]) == best.tokens
        off.append(abs(ours["log_probability"] - best.log_probability))
        if best.alignment is not None:
            np.testing.assert_allclose(ours["maps"][0]["weights"], best.alignment.weights, atol=1e-3)
    assert others <= 1
    assert np.quantile(off, 0.99) <= 5e-3


@pytest.mark.parametrize("name", RUNS)
def test_translations_are_those_of_python(name: str, tmp_path: Path) -> None:
    search, settings = RUNS[name]
    run = released_run(tmp_path / "run", *search, **settings)
    asked = [(sentence, beam) for sentence in SENTENCES for beam in (1, 5, 7)]
    found = translated(run, asked)
    translator = nmt.load(run)
    for (sentence, beam), ours in zip(asked, found, strict=True):
        translation = translator.translate(sentence, beam=beam)
        best = translation.best
        for side, encoded in (("source", translation.encoded), ("target", best.encoded)):
            assert encoded is not None
            assert {name: tuple(value) for name, value in ours[side].items()} == _without_ids(encoded)
        assert ours["text"] == best.text
        record = read_sentence_record({"source": {"text": sentence}, "systems": [ours]}, "the page's record")
        assert (record.systems[0].name, record.systems[0].kind) == ("run", read_run(run).config.model.architecture)
        assert ours["log_probability"] == pytest.approx(best.log_probability, rel=1e-4)
        assert ours["score"] == pytest.approx(best.score, rel=1e-4)
        assert ours["token_log_probabilities"] == pytest.approx(best.token_log_probabilities, abs=1e-4)
        if best.alignment is None:
            assert ours["maps"] == []
        else:
            np.testing.assert_allclose(ours["maps"][0]["weights"], best.alignment.weights, atol=1e-4)


def _without_ids(encoded: Encoded) -> dict[str, tuple[Any, ...]]:
    return {name: value for name, value in vars(encoded).items() if name != "ids"}


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_a_dragged_ribbon_is_what_python_makes_of_these_weights(kind: str, tmp_path: Path) -> None:
    """Over words, whose weight is divided among their tokens; a second drag keeps one that stands before it."""
    run = released_run(tmp_path / "run", kind=kind, state_order="program")
    model, random = nmt.load(run), np.random.default_rng(1)
    for text in SENTENCES:
        encoded = model.read(text).encoded
        words = len({*encoded.words})
        rows = [(row, random.dirichlet(np.full(words, 0.3)).round(3)) for row in (0, 2, 1)]
        changes = [{"kind": "weights", "system": "run", "row": row, "weights": each.tolist()} for row, each in rows]
        found = translated(run, [(text, 3, changes[:count]) for count in range(4)])
        intervention, best = Intervention(), model.translate(text, beam=3).best
        settings = replace(model.search_settings, beam=3)
        for ours, (row, weights) in zip(found, [*rows, (0, None)], strict=True):
            assert best.alignment is not None
            assert ours["text"] == best.text
            assert ours["log_probability"] == pytest.approx(best.log_probability, abs=1e-3)
            np.testing.assert_allclose(ours["maps"][0]["weights"], best.alignment.weights, atol=1e-4)
            if weights is None or row not in best.alignment.target_words:
                break
            step = best.alignment.target_words.index(row)
            given = (*(each for each in intervention.weights if each[0] < step), (step, tuple(weights.tolist())))
            intervention = Intervention(prefix=best.tokens[:step], weights=given)
            best = what_if(model, text, intervention, settings).best


def test_a_word_is_left_out_and_taken_back(tmp_path: Path) -> None:
    """Of its tokens none has weight, in any step; only a word of this text at this place is left out."""
    run = released_run(tmp_path / "run", kind="bpe")
    text = "European Economic Area"
    source = nmt.load(run).read(text).encoded
    change = {"kind": "blocked", "row": 1, "text": "Economic"}
    asked = [
        [],
        [change],
        [change | {"text": "x"}],
        [change | {"row": 3, "text": "</s>"}],
        [change, change | {"row": 0, "text": "European"}],
    ]
    plain, without, other, end, both = translated(run, [(text, 3, changes) for changes in asked])
    assert other["maps"] == plain["maps"] == end["maps"]
    for system, blocked in ((without, {1}), (both, {0, 1})):
        columns = np.array(system["maps"][0]["weights"]).max(axis=0) == 0
        assert columns.tolist() == [word in blocked for word in source.words]
        assert len({*source.words}) < len(source.words)
        record = read_sentence_record({"source": {"text": text}, "systems": [system]}, "the page's record")
        assert {(each.kind, each.row) for each in record.systems[0].changes} == {("blocked", row) for row in blocked}


def test_an_rnnencdec_follows_no_change(tmp_path: Path) -> None:
    run = released_run(tmp_path / "run", architecture="rnnencdec")
    changes = [
        {"kind": "blocked", "row": 1, "text": "girl"},
        {"kind": "weights", "system": "run", "row": 0, "weights": [1, 0, 0, 0]},
    ]
    plain, changed = translated(run, [("a girl reads", 3, []), ("a girl reads", 3, changes)])
    assert plain | {"changes": changes} == changed


DOUBTS = """await (async () => {
  const engine = new m.Engine(given.data, given.weights);
  const found = [];
  for (const [id, text] of given.texts.entries()) {
    const told = { texts: [], doubts: null };
    await engine.answer({ id, text, beam: given.beam, runs: [0, 1], changes: [] }, ({ system, ...answer }) => {
      told.texts.push(...(system ? [system.text] : []));
      told.written ??= system?.target;
      Object.assign(told, answer.doubts && answer);
    });
    told.scores = await engine.finish(id, engine.translators[1].wordScores(text, told.written));
    found.push(told);
  }
  return found;
})()"""


@pytest.mark.slow
def test_words_are_doubted_as_in_python() -> None:
    """The first 20 sentences of jointly-300. Each score is within 0.05 nats."""
    names = ("rnnencdec-en-fr", "rnnsearch-en-fr")
    payload = collect([str(ROOT / "checkpoints" / name) for name in names])
    texts = from_folder(ROOT / "testsets" / "jointly-300", "en", "fr").sources[:20]
    given = {"data": payload.data | {"engine": MODULE}, "weights": payload.weights, "texts": texts, "beam": BEAM}
    encdec, search = (nmt.load(ROOT / "checkpoints" / name, precision="int8") for name in names)
    marked = 0
    for text, ours in zip(texts, evaluate(JS / "engine.js", DOUBTS, given), strict=True):
        written, own = encdec.translate(text, beam=BEAM), search.translate(text, beam=BEAM)
        assert ours["texts"] == [written.text, own.text]
        assert own.encoded and own.best.encoded and written.best.encoded  # noqa: PT018
        scores = word_scores(search, own.encoded, written.best.encoded)
        np.testing.assert_allclose(ours["scores"], scores.log_probabilities, atol=0.05)
        if not may_doubt(own.record().systems[0]):
            assert ours["doubts"] is None
            continue
        words, theirs = (joined(side.tokens, side.words) for side in (written.best.encoded, own.best.encoded))
        expected = scores.improbable(words, theirs)
        assert [p is not None for p in ours["doubts"]] == [p is not None for p in expected]
        assert (ours["run"], ours["judge"], ours["text"]) == (0, 1, text)
        marked += any(expected)
    assert marked > 2
