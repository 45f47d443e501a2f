"""Sentences of all kinds through the Python interface: translated, scored and aligned."""

import json
from pathlib import Path
from random import Random

import numpy as np

from nmt.config import SearchSettings
from nmt.inference.translator import Translator, load
from nmt.results import Alignment, Translation
from tests.oracles.random_run import random_run
from trials.texts import random_text
from trials.trial import Cases, Trial, must

_TOGETHER = 6
_GROUPS = 30
_ROUNDING = 1e-3  # nats
_SETTINGS = (
    SearchSettings(beam=1),
    SearchSettings(beam=2, n_best=2),
    SearchSettings(beam=3, no_unk=True),
    SearchSettings(beam=2, length_penalty=0.6),
)


def _run(random: Random, cases: Cases, folder: Path) -> None:
    models = [
        load(random_run(folder / "words")),
        load(random_run(folder / "subwords", kind="bpe")),
        load(random_run(folder / "encdec", "rnnencdec")),
    ]
    for _ in range(_GROUPS):
        model, settings = random.choice(models), random.choice(_SETTINGS)
        texts = [random_text(random, 10) for _ in range(_TOGETHER)]
        alone = [_one(cases, model, text, settings, random) for text in texts]
        with cases.case(f"together, {model.name}, {settings}: {texts!a}"):
            together = list(model.translate(texts, settings))
            for text, found, single in zip(texts, together, alone, strict=True):
                must(found.source == text, f"the source {text!a} became {found.source!a}")
                if single is not None and single.text != found.text:
                    must(_rounding_decides(model, text, single.text), f"alone {single!a}, together {found!a}")


def _one(cases: Cases, model: Translator, text: str, settings: SearchSettings, random: Random) -> Translation | None:
    other = random_text(random, 6)
    found = None
    with cases.case(f"{model.name}, {settings}: {text!a}"):
        found = model.translate(text, settings)
        json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False)
        for hypothesis in found.hypotheses:
            must(hypothesis.log_probability <= 1e-4, f"log p is {hypothesis.log_probability}")
            _check_rows(hypothesis.alignment)
    with cases.case(f"score and align with {model.name}: {text!a}, {other!a}"):
        scored = model.score(text, other)
        must(np.isfinite(scored.log_probability), f"log p is {scored.log_probability}")
        if model.has_alignment:
            _check_rows(model.align(text, other))
    return found


def _rounding_decides(model: Translator, text: str, target: str) -> bool:
    """Whether two copies of a pair, side by side, have different log-probabilities: untrained weights can be chaotic on
    a long run of one token, so that the last digit of a sum becomes hundredths of a nat."""
    one, other = model.score([text, text], [target, target])
    return abs(one.log_probability - other.log_probability) > _ROUNDING


def _check_rows(alignment: Alignment | None) -> None:
    """Rows of alpha sum to 1; a blank sentence has none."""
    if alignment is not None and alignment.weights.size:
        sums = alignment.weights.sum(axis=1)
        must(bool(np.allclose(sums, 1, atol=1e-4)), f"rows of alpha sum to {sums}")


TRIAL = Trial(
    name="sentences",
    tried="random texts of all Unicode categories, translated, scored and aligned by three small models",
    holds="a result whose rows of alpha sum to 1, the same alone and beside others",
    run=_run,
    pieces=100,
    ci=2,
    seconds=900,
    case_seconds=60,
)
