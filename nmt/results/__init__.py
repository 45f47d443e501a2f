"""Records shared by all layers: translations, alignments, scores and training events.

Plain frozen dataclasses over NumPy and the standard library, independent of models, drawing and file formats;
those that are printed or saved have ``to_dict`` (to JSON types); nmt.records reads them back.
"""

from nmt.results.alignment import END, UNKNOWN, Alignment
from nmt.results.beam_tree import BeamNode, BeamTree
from nmt.results.comparison import Comparison, Entry, LengthAnalysis, Likelihood, SetScores
from nmt.results.curve import CurvePoint, LengthCurve, LengthCurves, LengthSide, Span
from nmt.results.difference import TranslationDifference, WordChange
from nmt.results.encoded import Encoded
from nmt.results.evaluation import ALL_SETS, SHORT_FOR_ALL_SETS, Condition, Evaluation
from nmt.results.events import (
    Event,
    SampleEvent,
    StopEvent,
    UpdateEvent,
    ValidationEvent,
    event_from_dict,
    event_to_dict,
)
from nmt.results.explanation import CellExplanation, Gate, NextToken
from nmt.results.finished import AlignmentSummary, FinishedScore, FinishedTranslation, WrittenSentence
from nmt.results.languages import UNKNOWN_LANGUAGES, Languages
from nmt.results.retention import STANDARD_SPANS, RetentionPoint
from nmt.results.scores import Interval, LengthBucket, Ratio, Score, Scores
from nmt.results.significance import PairedTest, ScoreDifference, TestMethod
from nmt.results.statistics import HypothesisStatistics, PairStatistics, SentenceStatistics
from nmt.results.stress import StressPoint
from nmt.results.translation import ForcedScore, Hypothesis, Translation
from nmt.results.translation_steps import TranslationStep, TranslationSteps, TranslationWithSteps
from nmt.results.word_alignment import WordAlignment

__all__ = [
    "ALL_SETS",
    "END",
    "SHORT_FOR_ALL_SETS",
    "STANDARD_SPANS",
    "UNKNOWN",
    "UNKNOWN_LANGUAGES",
    "Alignment",
    "AlignmentSummary",
    "BeamNode",
    "BeamTree",
    "CellExplanation",
    "Comparison",
    "Condition",
    "CurvePoint",
    "Encoded",
    "Entry",
    "Evaluation",
    "Event",
    "FinishedScore",
    "FinishedTranslation",
    "ForcedScore",
    "Gate",
    "Hypothesis",
    "HypothesisStatistics",
    "Interval",
    "Languages",
    "LengthAnalysis",
    "LengthBucket",
    "LengthCurve",
    "LengthCurves",
    "LengthSide",
    "Likelihood",
    "NextToken",
    "PairStatistics",
    "PairedTest",
    "Ratio",
    "RetentionPoint",
    "SampleEvent",
    "Score",
    "ScoreDifference",
    "Scores",
    "SentenceStatistics",
    "SetScores",
    "Span",
    "StopEvent",
    "StressPoint",
    "TestMethod",
    "Translation",
    "TranslationDifference",
    "TranslationStep",
    "TranslationSteps",
    "TranslationWithSteps",
    "UpdateEvent",
    "ValidationEvent",
    "WordAlignment",
    "WordChange",
    "WrittenSentence",
    "event_from_dict",
    "event_to_dict",
]
