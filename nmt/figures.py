"""The paper's Figures 3 and 2, drawn by ``nmt.heatmap(…)`` and ``nmt.compare(…).figure2()``."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.alignments.policy import Policy, restrict
from nmt.charts import figure2, figure3
from nmt.charts.figure3 import PrintSettings
from nmt.charts.print_figure import PrintFigure
from nmt.charts.ribbons import ribbons_figure
from nmt.charts.style import line_style
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_width
from nmt.evaluation.comparison import common_sentences
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.length_curves import length_curves
from nmt.files import ROOT
from nmt.instrument import cell
from nmt.results import UNKNOWN, Alignment, ForcedScore, Hypothesis, LengthCurves, Translation
from nmt.results.record import ALPHA, LEAVE_ONE_OUT, record_of_map
from nmt.texts import say

if TYPE_CHECKING:
    from nmt.inference.translator import Translator

_FRAME, _ROW, _TALL, _MORE = 540, 36, 17, 10
"""Height, in pixels, of a frame in a notebook without the rows of its matrix. Height of a row. Rows from which on the
matrix is no taller, and what each further word adds to the lines of ribbons."""


def heatmap(
    result: Translation | Hypothesis | ForcedScore | Alignment,
    *,
    scale: str = "paper",
    subwords: bool = False,
    leave_one_out: bool = False,
) -> PrintFigure:
    """Draw the alignment weights alpha of a result as in Figure 3. ``.save("figure.pdf")`` writes PDF, SVG or PNG.

    Args:
        result: a translation (its best hypothesis is drawn), a hypothesis, a forced score, or an alignment.
        scale: colours, "paper" (0 black, 1 white), "light paper", "ink", "colour-blind safe", "square root" or "log".
        subwords: whether rows and columns are the model's tokens. Otherwise they are whole words.
        leave_one_out: True for a leave-one-out map of ``nmt.inspection.maps``, which does not look like attention.

    Raises InputError if the model has no attention.
    """
    alignment = result if isinstance(result, Alignment) else result.alignment
    if alignment is None:
        raise InputError("a model without attention has no alignment weights to draw")
    record = record_of_map(alignment, kind=LEAVE_ONE_OUT if leave_one_out else ALPHA)
    return figure3(
        record, settings=PrintSettings(policy=Policy(subwords="pieces" if subwords else "words"), scale=scale)
    )


FIGURE_3_SEED = 2014
_FIRST_PANEL = {
    "en": "The agreement on the European Economic Area was signed in August 1992.",
    "fr": "L'accord sur la zone économique européenne a été signé en août 1992.",
}


def figure3_sentences(
    models: Sequence[Translator], lines: Sequence[str] | None = None, seed: int = FIGURE_3_SEED
) -> list[str]:
    """Choose the sentences of Figure 3: the paper's sentence, if it has one in the source language, and three random
    lines. The random lines have 10 to 20 words, none of which is unknown to any model. No model writes [UNK] in its
    translation of a chosen sentence.

    The random lines come from ``lines``, by default testsets/jointly-300, in an order that depends only on the seed.
    InputError if fewer than three lines fit, or the file of lines is missing. Paper: 5.2.1, Figure 3
    """
    if lines is None:
        file = ROOT / "testsets" / "jointly-300" / f"sentences.{models[0].source_language}"
        if not file.is_file():
            raise InputError(f"{file} does not exist, so test sentences must be given")
        lines = file.read_text("utf-8").splitlines()
    printed = _FIRST_PANEL.get(models[0].source_language)
    first = [printed] if printed is not None and _without_unknown(models, printed) else []
    chosen: list[str] = []
    for line in random.Random(seed).sample(lines, len(lines)):
        read = [model.source.encode(line) for model in models]
        suits = 10 <= read[0].words[-1] <= 20 and not any(encoded.unknown for encoded in read)
        if suits and _without_unknown(models, line):
            chosen.append(line)
        if len(chosen) == 3:
            return [*first, *chosen]
    raise InputError(say("errors.few_known"))


def _without_unknown(models: Sequence[Translator], sentence: str) -> bool:
    """Whether no model writes [UNK] in its translation of a sentence."""
    return not any(UNKNOWN in model.translate(sentence, replace_unk=False).text for model in models)


def figure3_pdf(drawn: Mapping[str, Sequence[Translation]]) -> bytes:
    """Draw a page for each run, with a panel for each of its translations. InputError for a run without attention."""
    for name, translations in drawn.items():
        if any(drawing.alignment is None for drawing in translations):
            raise InputError(f"{name} has no attention, and so no alpha to draw")
    settings = PrintSettings(titles=False, lettered=True)
    pages = [[drawing.record() for drawing in translations] for translations in drawn.values()]
    return PrintFigure.pages([figure3(*records, settings=settings) for records in pages])


def notebook_html(translation: Translation) -> str | None:
    """HTML for a notebook: the ribbons and the matrix of a translation, over whole words. None without attention."""
    if translation.alignment is None:
        return None
    merged = translation.alignment.merged()
    shown = restrict(merged, without_end=True).undivided
    with warnings.catch_warnings(action="ignore"):  # the reader's fonts draw the texts of an SVG
        picture = ribbons_figure(shown, line_style(0).colour).to_bytes("svg") if shown.weights.size else b""
    best = replace(translation, hypotheses=translation.hypotheses[:1]).to_dict()
    rows = len(merged.target)
    return cell(best, picture, _FRAME + _ROW * min(rows, _TALL) + _MORE * max(rows - _TALL, 0))


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several systems' scores on the same sentences: BLEU for each range of lengths, with 95 % intervals."""

    curves: LengthCurves

    def figure2(self, *, longest: float | None = 60) -> PrintFigure:
        """Draw BLEU against sentence length as in Figure 2, up to ``longest`` words (None = all)."""
        return figure2(self.curves, longest=longest)


def compare(
    systems: Iterable[str | Path], test_set: str, *, width: int = 10, no_unk: bool = False, resamples: int = 1000
) -> Comparison:
    """Compare evaluated runs or systems by sentence length. Only the statistics in their folders are read.

    Args:
        systems: run folders or system folders, evaluated on ``test_set``.
        test_set: name of the test set, such as "canada-laws-test".
        width: words in each range of lengths.
        no_unk: whether the column "No UNK" of Table 1 is compared.
        resamples: bootstrap resamples for the intervals.

    Raises InputError if a folder cannot be read, two systems have the same name, or a system lacks the test set.

    Paper: Figure 2
    """
    evaluated = [read_evaluated_system(folder) for folder in systems]
    refuse_repeated((system.name for system in evaluated), "systems")
    by_name = {system.name: system for system in evaluated}
    statistics = common_sentences(by_name, [test_set], no_unk=no_unk)
    missing = [name for name in by_name if name not in statistics]
    if missing or not statistics:
        on = ", ".join(dict.fromkeys(test for name in missing for test in by_name[name].evaluations)) or "nothing"
        raise InputError(f"{', '.join(missing) or 'no system'} was not evaluated on {test_set}, only on {on}")
    curves = length_curves(
        statistics,
        by_width(width),
        resamples=Resamples.draw(len(next(iter(statistics.values()))), resamples),
        test_set=test_set,
        no_unk=no_unk,
        trained_to={name: system.trained_to for name, system in by_name.items()},
    )
    return Comparison(curves)
