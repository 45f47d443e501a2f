"""Records with all that a figure or a view can show, made by hand: no model computes them, so they are the same
everywhere."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from nmt.charts.film_view import FilmStep
from nmt.charts.small_figure import SmallCurve, SmallFigure
from nmt.charts.step_view import Frame, Stage, StepDrawing
from nmt.charts.style import line_style
from nmt.results import (
    Alignment,
    BeamNode,
    BeamTree,
    Event,
    Interval,
    StressPoint,
    TranslationStep,
    TranslationSteps,
    UpdateEvent,
    ValidationEvent,
)
from nmt.results.inspection import NextToken
from nmt.results.translation import Encoded
from tests.charts.view_data import Bars, Mark, Panel, RibbonSystem
from tests.oracles.crossing import Crossing
from tests.results.events import reported

SOURCE = ("the", "European", "Economic", "Area", "</s>")
TARGET = ("la", "zone", "économique", "européenne", "</s>")
WEIGHTS = np.array(
    [
        [0.80123457, 0.02876543, 0.02, 0.15, 0.0],
        [0.05, 0.15, 0.1, 0.7, 0.0],
        [0.0, 0.2, 0.75, 0.05, 0.0],
        [0.01, 0.9, 0.06, 0.03, 0.0],
        [0.0, 0.004, 0.0, 0.096, 0.9],
    ]
)
ALPHA = Alignment(source=SOURCE, target=TARGET, weights=WEIGHTS)
LOG_PROBABILITY = (-0.105361, -0.5, -1.25, -0.75, -0.03)


def long_alignment(words: int) -> Alignment:
    """A diagonal with a jump, over words of different lengths, some with letters of other scripts."""
    source = tuple("abcdefghijkl"[: 5 + k % 8] + str(k) for k in range(words))
    target = tuple("éöñçßàèùâ"[: 5 + k % 5] + str(k) for k in range(words + 1))
    weights = np.zeros((words + 1, words))
    for i in range(words + 1):
        weights[i, min(i, words - 1)] = 0.75
        weights[i, (i + 2) % words] += 0.25
    return Alignment(source=source, target=target, weights=weights)


def panel(**changes: object) -> Panel:
    """A panel with every sign, bar, link and text."""
    given: dict[str, object] = {
        "alignment": ALPHA,
        "title": "rnnsearch",
        "kind": "RNNsearch",
        "text": "la zone économique européenne",
        "condition": "forced",
        "own_text": "It writes: la zone.",
        "note": "A remark.",
        "coverage": Bars(title="coverage", explained="Sum.", values=WEIGHTS.sum(0).tolist(), most=1.5, line=1.0),
        "entropy": Bars(
            title="entropy",
            explained="Spread.",
            values=[0.912345, 1.3, 1.0, 0.6, 0.5],
            most=2.0,
            second=[0.123456, 0.2, 0.0, 0.3, 0.5],
            texts=["a", "b", "c", "d", "e"],
        ),
        "source_marks": {1: Mark("∅", "hardly looked at")},
        "target_marks": {2: Mark("↻", "repeated")},
        "sure": [(0, 0), (1, 3)],
        "possible": [(2, 2)],
        "rings": [(3, 1)],
        "ring": "both are right",
        "shown": [(0, 0), (1, 3), (2, 2), (3, 1)],
        "log_probability": LOG_PROBABILITY,
        "said_of_source": [f"of source {word}" for word in SOURCE],
        "said_of_target": [f"of target {word}" for word in TARGET],
        "movable": True,
    }
    return Panel(**{**given, **changes})  # type: ignore[arg-type]


def ribbon_systems(alignment: Alignment = ALPHA) -> list[RibbonSystem]:
    """One that attends and was changed, and one that does not."""
    source, target = alignment.source, alignment.target
    return [
        RibbonSystem(
            title="rnnsearch",
            kind="RNNsearch",
            style=line_style(0),
            source=source,
            target=target,
            text=" ".join(target),
            alignment=alignment,
            log_probability=[-(k % 5) / 3 for k in range(len(target))],
            crossing=Crossing(source=(1, 2, 3), target=(1, 2, 3)),
            remarks=["A remark."],
            hint="Point at a word.",
            notes=["A note."],
            movable=True,
            former=(*target[:2], "other", "words"),
            changed="Economic looks at Area",
        ),
        RibbonSystem(
            title="rnnencdec",
            kind="RNNencdec",
            style=line_style(1, dark=True),
            source=source,
            target=("la", "région"),
            text="la région",
            log_probability=(-0.5, -2.25),
            kept="1 of 3 words is kept",
            alone=[("la", False), ("zone", True), ("européenne", True)],
        ),
    ]


SMALL_FIGURE = SmallFigure(
    title="BLEU over length",
    test_set="mine",
    spoken="One falls, one stays.",
    curves=[
        SmallCurve(name="search", style=line_style(0), points=[(5, 30.25), (25.512, 31.257), (55, 28.125)]),
        SmallCurve(name="encdec", style=line_style(1), points=[(5, 29), (25.5, 20), (50, 5.5)]),
    ],
    words=27,
    text="27 words",
    signature="nrefs:1",
)


def _vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def steps_of(architecture: Literal["rnnsearch", "rnnencdec"]) -> TranslationSteps:
    """Two steps of a model with three units, over three source words."""
    attends = architecture == "rnnsearch"
    width = 2 if attends else 1
    found = []
    for i, (token, p) in enumerate((("chat", 0.625), ("</s>", 0.0004))):
        found.append(
            TranslationStep(
                state=_vector(0.512345, -0.265432, 0.125) * (i + 1),
                energies=_vector(-1.512345, 2.0, 0.25) if attends else None,
                alpha=_vector(0.112345, 0.037655 + 0.8 * (1 - i), 0.05 + 0.8 * i) if attends else None,
                context=_vector(*[0.5, -1.5, 0.75] * width),
                update_gate=_vector(0.25, 0.512345, 0.75),
                maxout=_vector(1.0, -0.5),
                log_probability=float(np.log(p)),
                rank=1 + 4 * i,
                next_tokens=(
                    NextToken(token=token, log_probability=float(np.log(p)), without=None),
                    NextToken(token="incroyablement", log_probability=float(np.log(0.25)), without=None),
                ),
                next_state=None if i else _vector(0.1, 0.2, -0.3),
            )
        )
    return TranslationSteps(
        architecture=architecture,
        state_order="printed",
        score="additive",
        vocabulary=30000,
        source=("the", "extraordinary", "</s>"),
        target=("chat", "</s>"),
        text="chat",
        annotations=np.linspace(-1, 1, 9 * width, dtype=np.float32).reshape(3, 3 * width),
        steps=tuple(found),
    )


def step_drawings() -> list[StepDrawing]:
    drawings = []
    for steps in (steps_of("rnnsearch"), steps_of("rnnencdec")):
        stages: Sequence[Stage] = (
            ("state", "scores", "weights", "context", "word") if steps.attends else ("state", "word")
        )
        frames = [
            Frame(0, "read", "It reads."),
            *(Frame(i, stage, f"{i} {stage}.") for i in (0, 1) for stage in stages),
        ]
        name = steps.architecture
        drawings.append(StepDrawing(name=name, kind=f"kind of {name}", steps=steps, frames=tuple(frames), start=3))
    return drawings


def long_steps() -> StepDrawing:
    """A model with more units and more source words, whose first scores are all equal."""
    steps = steps_of("rnnsearch")
    first, second = steps.steps
    wide = np.linspace(-1, 1, 43, dtype=np.float32), np.linspace(-2, 1, 8, dtype=np.float32)
    numbers = (
        replace(
            first,
            state=wide[0],
            context=wide[1],
            energies=_vector(*[0.5] * 20),
            alpha=_vector(0.0625, 0.1, 0.63, 0.0039, 0.004, *[0.0] * 14, 0.1996),
            next_tokens=(NextToken(token="anticonstitutionnellement", log_probability=-0.5, without=None),),
        ),
        replace(
            second,
            energies=_vector(-1.0, 2.0, 0.5, 0.25, *[0.0] * 15, -1.125),
            alpha=_vector(0.0, 0.015, 0.985, *[0.0] * 17),
        ),
    )
    found = replace(
        steps,
        source=("the", "extraordinary", "cat", "sat", *(f"w{k}" for k in range(15)), "</s>"),
        target=("anticonstitutionnellement", "</s>"),
        annotations=np.linspace(-1, 1, 20 * 86, dtype=np.float32).reshape(20, 86),
        steps=numbers,
    )
    frames = tuple(Frame(i, stage, f"{i} {stage}.") for i in (0, 1) for stage in ("state", "weights", "word"))
    return StepDrawing(name="long", kind="kind of long", steps=found, frames=frames, start=1)


def beam_tree() -> BeamTree:
    def node(parent: int | None, length: int, token: str, text: str, p: float, fate: str) -> BeamNode:
        return BeamNode(
            parent=parent,
            length=length,
            token=token,
            text=text,
            token_log_probability=-p / 3,
            log_probability=-1.001 * p - 0.0001 * length,
            fate=fate,  # type: ignore[arg-type]
            following=()
            if fate != "continued"
            else (NextToken("chat", -0.5, None), NextToken("anticonstitutionnel", -1.5, None)),
            alpha=None if parent is None else _vector(0.612345, 0.287655, 0.06, 0.03, 0.01),
        )

    return BeamTree(
        source=Encoded(ids=(4, 5, 6, 7, 0), tokens=SOURCE, words=(0, 1, 2, 3, 4), unknown=()),
        nodes=(
            node(None, 0, "", "", 0.0, "continued"),
            node(0, 1, "le", "le", 0.5, "continued"),
            node(0, 1, "un", "un", 1.5, "open"),
            node(1, 2, "anticonstitutionnellement", "le anticonstitutionnellement", 2.5, "pruned"),
            node(1, 2, "chat", "le chat", 1.25, "continued"),
            node(4, 3, "</s>", "le chat", 1.375, "finished"),
        ),
        best=5,
        given=(),
        beam=2,
    )


def film_steps() -> list[FilmStep]:
    weights = [np.full((3, 3), 1 / 3), np.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]]), np.eye(3)]
    return [
        FilmStep(update=update, text=text, weights=each, entropy=entropy)
        for update, text, each, entropy in zip(
            (0, 400, 12000), ("", "le", "le chat"), weights, (1.584963, 1.1, 0.2), strict=True
        )
    ]


def events() -> list[Event]:
    def update(number: int, loss: float) -> UpdateEvent:
        return reported(number, number / 100, epoch=number / 5000, nll_per_word=loss, nll_per_sentence=10 * loss)

    def validation(number: int, loss: float, best: bool) -> ValidationEvent:
        return ValidationEvent(
            update=number, nll_per_word=loss, nll_per_sentence=10 * loss, bleu=None, best=best, seconds=number / 100
        )

    return [
        update(200, 6.512345),
        validation(400, 5.012345, True),
        update(4000, 4.0),
        validation(8000, 3.5, True),
        update(12000, 2.25),
        validation(12000, 3.75, False),
    ]


def stress_points(alpha: bool = True) -> list[StressPoint]:
    """A stress test of a model with alpha or without."""
    return [
        StressPoint(
            joined=k,
            sentences=24 // k,
            source_words=7.5 * k,
            bleu=30.0 / k,
            interval=Interval(25.0 / k, 40.0 / k) if k < 3 else None,
            bleu_apart=31.0,
            log_probability=-1.5 * k,
            length_ratio=1 - k / 10,
            least_coverage=0.5 / k if alpha else None,
            mean_coverage=0.9 if alpha else None,
        )
        for k in (1, 2, 3)
    ]


def stress_curves() -> dict[str, list[StressPoint]]:
    return {"one": stress_points(), "<b>two</b>": stress_points()[:2]}
