"""Translations, log p and alpha in JavaScript as in Python, over the same weights of 8 bits."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.data.vocabulary import UNKNOWN
from nmt.evaluation.test_set import from_folder
from nmt.page import collect
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

KERNELS = {"loops": "", "kernels": base64.b64encode((JS.parent / "kernels.wasm").read_bytes()).decode()}
"""What computes, and the module that the page has for it: WebAssembly, or none."""

TRANSLATE = """(() => {
  const engine = new m.Engine({ ...given.data, kernels: given.kernels }, [given.weights]);
  if ((engine.arithmetic().product.name === "product") !== (given.kernels === "")) {
    throw new Error("another arithmetic computes");
  }
  const translator = engine.translator(0);
  return given.asked.map(([sentence, beam]) => {
    const steps = translator.translate(sentence, beam);
    for (;;) {
      const { value, done } = steps.next();
      if (done) {
        return value;
      }
    }
  });
})()"""


def test_an_unknown_word_is_replaced_by_a_word_also_where_the_end_is_attended_most(tmp_path: Path) -> None:
    run = released_run(tmp_path / "run", "replace_unk=copy")
    payload, translator = collect([str(run)]), nmt.load(run)
    random = np.random.default_rng(1)
    texts = [" ".join(random.choice([*ENGLISH, "Zanzibar"], length)) for length in random.integers(1, 5, 40)]
    given = {"data": payload.data, "weights": payload.weights[0], "asked": [(text, 2) for text in texts], "kernels": ""}
    found = evaluate(JS / "engine.js", TRANSLATE, given)
    ends = 0
    for text, ours in zip(texts, found, strict=True):
        best = translator.translate(text, beam=2).best
        assert ours["text"] == best.text
        assert best.alignment is not None
        most = best.alignment.weights.argmax(axis=1).tolist()
        ends += sum(token == UNKNOWN and j == len(text.split()) for token, j in zip(best.tokens, most, strict=True))
    assert ends > 5


def test_a_mark_without_letters_is_no_word_of_the_text() -> None:
    """As tests/inference/test_text_codec.py has it."""
    given = {
        "source": {"tokens": ["\u2581€", "</s>"], "words": [0, 1]},
        "target": {"tokens": ["\u2581", UNKNOWN, "\u2581", "\u2581euros", "</s>"], "words": [0, 0, 1, 2, 3]},
        "alpha": [[1, 0]] * 4 + [[0, 1]],
    }
    assert evaluate(JS / "translator.js", "m.withoutUnknown(given, {})", given) == ["€", "euros"]


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", KERNELS)
@pytest.mark.parametrize("quarter", [0, *(pytest.param(each, marks=pytest.mark.thorough) for each in (1, 2, 3))])
def test_two_hundred_sentences_of_a_released_run_are_translated_as_in_python(quarter: int, arithmetic: str) -> None:
    """With a length penalty, over a beam in which outputs of several lengths compete."""
    run = ROOT / "checkpoints" / "rnnsearch-en-fr"
    sets = [from_folder(ROOT / "testsets" / name, "en", "fr") for name in ("jointly-150", "jointly-300")]
    texts = sorted((text for test in sets for text in test.sources), key=len)[quarter:200:4]
    payload = collect([str(run)])
    assert payload.data["runs"][0]["search"]["length_penalty"] == 1
    asked = [(text, BEAM) for text in texts]
    given = {"data": payload.data, "weights": payload.weights[0], "asked": asked, "kernels": KERNELS[arithmetic]}
    found = evaluate(JS / "engine.js", TRANSLATE, given)
    expected = nmt.load(run, precision="fp32").translate(texts, beam=BEAM)
    assert [ours["text"] for ours in found] == [each.best.text for each in expected]
    assert [tuple(ours["target"]["tokens"]) for ours in found] == [each.best.tokens for each in expected]
    for ours, translation in zip(found, expected, strict=True):
        assert translation.best.alignment is not None
        assert ours["logProbability"] == pytest.approx(translation.best.log_probability, rel=1e-4)
        np.testing.assert_allclose(ours["alpha"], translation.best.alignment.weights, atol=1e-3)


@pytest.mark.parametrize("arithmetic", KERNELS)
@pytest.mark.parametrize("name", RUNS)
def test_translations_are_those_of_python(name: str, arithmetic: str, tmp_path: Path) -> None:
    search, settings = RUNS[name]
    run = released_run(tmp_path / "run", *search, **settings)
    payload = collect([str(run)])
    asked = [(sentence, beam) for sentence in SENTENCES for beam in (1, 5, 7)]
    given = {"data": payload.data, "weights": payload.weights[0], "asked": asked, "kernels": KERNELS[arithmetic]}
    found = evaluate(JS / "engine.js", TRANSLATE, given)
    translator = nmt.load(run)
    for (sentence, beam), ours in zip(asked, found, strict=True):
        translation = translator.translate(sentence, beam=beam)
        best = translation.best
        assert translation.encoded is not None
        assert tuple(ours["source"]["ids"]) == translation.encoded.ids
        assert tuple(ours["source"]["unknown"]) == translation.unknown_words
        assert tuple(ours["target"]["tokens"]) == best.tokens
        assert ours["text"] == best.text
        assert ours["logProbability"] == pytest.approx(best.log_probability, rel=1e-4)
        assert ours["tokenLogProbabilities"] == pytest.approx(best.token_log_probabilities, abs=1e-4)
        if best.alignment is None:
            assert ours["alpha"] is None
        else:
            np.testing.assert_allclose(ours["alpha"], best.alignment.weights, atol=1e-4)
