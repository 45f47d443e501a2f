"""A comparison of three systems, one of them with a hostile name."""

from functools import cache
from pathlib import Path

from nmt.evaluation.comparison import compare
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import LengthAnalysisSettings
from nmt.results import Comparison
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts

HOSTILE = '=1+1, "a" | b_c & 50 % #{x} \\end{table} ~^ $'
LENGTHS = [5, 15, 15, 25] * 6


@cache
def comparison(number: int = 3, metric: str = "BLEU") -> Comparison:
    kept = {"good": 0.9, HOSTILE: 0.5, "[star]": 0.7}
    systems = [
        EvaluatedSystem(
            name=name,
            path=Path(str(k)),
            about="",
            evaluations={"one": evaluated(name, "one", texts(LENGTHS, 1, share), [0, 1] * 12)},
        )
        for k, (name, share) in enumerate(kept.items())
    ]
    return compare(systems[:number], settings=LengthAnalysisSettings(metric=metric, resamples=40))
