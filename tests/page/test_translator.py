"""Translations, log p and alpha in JavaScript as in Python, over the same weights of 8 bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.page import collect
from tests.charts.node import evaluate
from tests.page.released import JS, released_run

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

TRANSLATE = """(() => {
  const bytes = Uint8Array.from(atob(given.weights), (c) => c.charCodeAt(0));
  const translator = new m.Translator(given.data.runs[0], given.data, bytes);
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


@pytest.mark.parametrize("name", RUNS)
def test_translations_are_those_of_python(name: str, tmp_path: Path) -> None:
    search, settings = RUNS[name]
    run = released_run(tmp_path / "run", *search, **settings)
    payload = collect([str(run)])
    asked = [(sentence, beam) for sentence in SENTENCES for beam in (1, 5, 7)]
    given = {"data": payload.data, "weights": payload.weights[0], "asked": asked}
    found = evaluate(JS / "translator.js", TRANSLATE, given)
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
