"""Records shared by all layers: translations, alignments, scores and training events.

Records are plain frozen dataclasses, independent of models, drawing and file formats. Records that are printed or saved
have ``to_dict`` (to JSON types). nmt.records reads them back.
"""

from nmt.results.alignment import END, UNKNOWN, Alignment
from nmt.results.comparison import (
    Comparison,
    LengthAnalysis,
    Likelihood,
    PairedTest,
    ScoreDifference,
    SetScores,
    TestMethod,
)
from nmt.results.evaluation import (
    ALL_SETS,
    CONCATENATED,
    SHORT_FOR_ALL_SETS,
    UNKNOWN_LANGUAGES,
    Condition,
    Evaluation,
    Languages,
)
from nmt.results.events import (
    Event,
    SampleEvent,
    StopEvent,
    UpdateEvent,
    ValidationEvent,
    event_from_dict,
    event_to_dict,
)
from nmt.results.inspection import (
    BeamNode,
    BeamTree,
    CellExplanation,
    Gate,
    Intervention,
    NextToken,
    TranslationStep,
    TranslationSteps,
    TranslationWithSteps,
)
from nmt.results.links import WordAlignment
from nmt.results.scores import (
    STANDARD_SPANS,
    CurvePoint,
    Entry,
    Interval,
    LengthCurve,
    LengthCurves,
    LengthSide,
    Ratio,
    RetentionPoint,
    Score,
    Scores,
    Span,
    StressPoint,
)
from nmt.results.statistics import HypothesisStatistics, PairStatistics, SentenceStatistics
from nmt.results.translation import (
    AlignmentSummary,
    Encoded,
    FinishedScore,
    FinishedTranslation,
    ForcedScore,
    Hypothesis,
    Translation,
    WrittenSentence,
)
