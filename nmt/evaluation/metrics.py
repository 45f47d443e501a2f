"""BLEU, chrF and TER by sacreBLEU from sums of per-sentence statistics. Each signature names the language's tokeniser.

13a, sacreBLEU's default, splits at spaces and punctuation. Japanese, Thai, Lao, Khmer and Burmese have no spaces, and
Korean words carry their particles. These languages are counted by characters (``char``), without any word segmentation.
Chinese is counted by sacreBLEU's tokeniser ``zh``. If MeCab is installed, Japanese has one more score, over MeCab's
words (``ja-mecab``).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from operator import attrgetter
from typing import Any

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.data.line_words import BY_CHARACTERS, CHINESE, MANY_CHARACTERS, chinese_tokens
from nmt.errors import InputError
from nmt.results import Entry, Evaluation, Score, Scores, SentenceStatistics
from nmt.results.statistics import CHARACTERS, TOKENISER, WORD_ORDER, Counts, Floats, ImportedScores

MECAB = "ja-mecab"
NEEDS_MECAB = "BLEU over MeCab's words (ja-mecab) needs sacreBLEU's extra: pip install \"sacrebleu[ja]\""

_ONE = (("",),)
"""sacreBLEU's ``references`` for one reference per sentence, so that a signature states this number."""


def bleu_tokeniser(target_language: str) -> str:
    """Return sacreBLEU's name of the tokeniser for a language. "" is an unknown language.

    >>> [bleu_tokeniser(language) for language in ("de", "ja", "ko", "zh", "th")]
    ['13a', 'char', 'char', 'zh', 'char']
    """
    if target_language in CHINESE:
        return "zh"
    return CHARACTERS if target_language in MANY_CHARACTERS | BY_CHARACTERS else TOKENISER


@cache
def bleu_metric(tokeniser: str) -> BLEU:
    """BLEU with one reference per sentence. ``force``: nmt.evaluation.test_set warns of tokenised text instead."""
    return BLEU(references=_ONE, tokenize=tokeniser, force=True)


def for_ter(texts: Sequence[str], tokeniser: str) -> list[str]:
    """Prepare texts for TER. For ``char`` and ``zh``, put spaces between the tokens, so that TER counts tokens."""
    if tokeniser == TOKENISER:
        return list(texts)
    if tokeniser == CHARACTERS:
        return [" ".join("".join(text.split())) for text in texts]
    return [" ".join(chinese_tokens(text)) for text in texts]


def ter_signature(tokeniser: str) -> str:
    """Signature of TER. It names ``tokeniser``, or for 13a TER's own tokeniser ``tercom`` (whitespace tokens)."""
    signature = str(TER(references=_ONE).get_signature())
    return signature if tokeniser == TOKENISER else signature.replace("|tok:tercom|", f"|tok:{tokeniser}|")


def has_mecab() -> bool:
    """Tell whether sacreBLEU's extra for Japanese is installed."""
    return all(find_spec(module) is not None for module in ("MeCab", "ipadic"))


def more_scores(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], target_language: str
) -> tuple[Score, ...]:
    """Scores in addition to BLEU, chrF and TER, with sacreBLEU's own signatures. For Japanese, this is BLEU over
    MeCab's words if MeCab is installed. Otherwise there are none."""
    if target_language != "ja" or not hypotheses or not has_mecab():
        return ()
    metric = BLEU(tokenize=MECAB, force=True)
    value = float(metric.corpus_score(list(hypotheses), alternatives(references)).score)
    return (Score("BLEU", value, str(metric.get_signature())),)


def alternatives(columns: Sequence[Sequence[str]]) -> list[list[Any]]:
    """References in columns, as sacreBLEU takes them. A blank one beside one that is not blank is None."""
    rows = zip(*columns, strict=True)
    some = [[text if text.strip() or not any(map(str.strip, row)) else None for text in row] for row in rows]
    return [list(column) for column in zip(*some, strict=True)]


def reference_count(columns: Sequence[Sequence[str]]) -> str:
    """Number of references of each sentence, as in sacreBLEU's signature, or "var" if the number varies."""
    numbers = {len(row) - row.count(None) for row in zip(*alternatives(columns), strict=True)}
    return str(*numbers) if len(numbers) == 1 else "var"


_CHRF, _TER = CHRF(), TER()
"""chrF and TER with default settings."""


@dataclass(frozen=True, kw_only=True)
class CorpusMetric:
    """A corpus-level metric.

    Attributes:
        table: function from statistics to the counts to be summed, [N, counts].
        score: function from one sum, [counts], to sacreBLEU's score. It is 0 if all counts are 0.
        of_each: function from many sums to their scores, [counts, ...] -> [...].
        from_zero: whether the scale begins at 0, so that one score can be a share of another.
    """

    name: str
    table: Callable[[SentenceStatistics], Counts | Floats]
    score: Callable[[Sequence[Any]], float]
    of_each: Callable[[Floats], Floats]
    signature: str
    lower_is_better: bool = False
    from_zero: bool = True


def bleu(sums: Sequence[int], *, effective_order: bool = False) -> float:
    """BLEU (0 to 100) from the sums of ``SentenceStatistics.bleu``, 10 counts. It is 0 if all are 0.
    ``effective_order``: use only the n-gram orders for which the translation is long enough."""
    counts = list(sums[2 : 2 + WORD_ORDER]), list(sums[2 + WORD_ORDER :]), sums[0], sums[1]
    return float(BLEU.compute_bleu(*counts, smooth_method="exp", effective_order=effective_order).score)


def chrf(sums: Sequence[int]) -> float:
    """chrF (0 to 100) from the sums of ``SentenceStatistics.chrf``, 18 counts."""
    return float(_CHRF._compute_score_from_stats(list(sums)).score)


def ter(sums: Sequence[float]) -> float:
    """TER (0 and up) from the sums of ``SentenceStatistics.ter``, 2 counts."""
    return float(_TER._compute_score_from_stats(list(sums)).score)


def bleu_of_each(sums: Floats) -> Floats:
    """BLEU of many sums: the brevity penalty times the geometric mean of the n-gram precisions. The k-th order without
    a match counts as 2^-k matches (smoothing "exp"). BLEU is 0 if no order matches, or if an order has no n-grams."""
    length, reference = sums[0], sums[1]
    matches, ngrams = sums[2 : 2 + WORD_ORDER], sums[2 + WORD_ORDER :]
    any_match = matches.any(axis=0) & ngrams.all(axis=0)
    missing = matches == 0
    if missing.any():
        matches = np.where(missing, 0.5 ** np.cumsum(missing, axis=0), matches)
    precisions = np.prod(matches / np.maximum(ngrams, 1), axis=0)
    penalty = np.exp(np.minimum(0, 1 - reference / np.maximum(length, 1)))
    assert WORD_ORDER == 4, "the fourth root is taken"
    bleu_values: Floats = np.where(any_match, 100 * penalty * np.sqrt(np.sqrt(precisions)), 0.0)
    return bleu_values


def chrf_of_each(sums: Floats) -> Floats:
    """chrF of many sums: the F-score of precision and recall. Recall has twice the weight. Precision and recall are
    averaged over the orders for which both sides have n-grams."""
    hypothesis, reference, matches = (sums[k::3] for k in range(3))
    both = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(both.sum(axis=0), 1)
    precision = np.where(both, matches / np.maximum(hypothesis, 1), 0).sum(axis=0) / orders
    recall = np.where(both, matches / np.maximum(reference, 1), 0).sum(axis=0) / orders
    factor = CHRF.BETA**2
    below = factor * precision + recall
    chrf_values: Floats = np.where(
        below > 0, 100 * (1 + factor) * precision * recall / np.where(below > 0, below, 1), 0.0
    )
    return chrf_values


def ter_of_each(sums: Floats) -> Floats:
    """TER of many sums: edits divided by words of the reference. Edits against an empty reference give 100."""
    edits, words = sums
    ter_values: Floats = 100 * np.where(words > 0, edits / np.maximum(words, 1), edits > 0)
    return ter_values


def extend_signature(signature: str, extras: Mapping[str, str]) -> str:
    """Add fields to a signature in sacreBLEU's style.

    >>> extend_signature("nrefs:1|version:2.6.0", {"run": "my run", "beam": "12"})
    'nrefs:1|version:2.6.0|run:my_run|beam:12'
    """
    taken = {field.partition(":")[0] for field in signature.split("|")}
    assert not taken & extras.keys(), f"sacreBLEU's signature has {sorted(taken & extras.keys())} already"
    clean = {key: re.sub(r"[|:\s]", "_", value) for key, value in extras.items()}
    return "|".join([signature, *(f"{key}:{value}" for key, value in clean.items())])


@cache
def metrics(tokeniser: str = TOKENISER, references: str = "1") -> Mapping[str, CorpusMetric]:
    """All metrics by name. ``tokeniser``: its name in sacreBLEU. ``references``: result of ``reference_count``."""
    rows = (
        ("BLEU", bleu, bleu_of_each, str(bleu_metric(tokeniser).get_signature()), False),
        ("chrF", chrf, chrf_of_each, str(CHRF(references=_ONE).get_signature()), False),
        ("TER", ter, ter_of_each, ter_signature(tokeniser), True),
    )
    return {
        name: CorpusMetric(
            name=name,
            table=attrgetter(name.lower()),
            score=score,
            of_each=of_each,
            signature=signature.replace("nrefs:1|", f"nrefs:{references}|"),
            lower_is_better=lower,
        )
        for name, score, of_each, signature, lower in rows
    }


def mean_of(scores: ImportedScores) -> CorpusMetric:
    """The mean of the sentence scores of another program, as a metric."""

    def counts(statistics: SentenceStatistics) -> Floats:
        assert statistics.scores is not None
        return np.stack([statistics.scores.values, np.ones(len(statistics))], axis=1)

    def means(sums: Floats) -> Floats:
        values: Floats = sums[0] / np.maximum(sums[1], 1)
        return values

    return CorpusMetric(
        name=scores.metric,
        table=counts,
        score=lambda sums: float(means(np.array(sums, dtype=np.float64))),
        of_each=means,
        signature=f"metric:{scores.metric}|mean of sentences",
        lower_is_better=scores.lower_is_better,
        from_zero=False,
    )


def corpus_metric(name: str, of: SentenceStatistics | None = None) -> CorpusMetric:
    """Look up a metric by name, with the signature for the statistics ``of``. The name may also be that of the scores
    of another program in ``of``. Raises InputError for an unknown name."""
    if of is not None and of.scores is not None and of.scores.metric == name:
        return mean_of(of.scores)
    by_name = metrics() if of is None else metrics(of.tokeniser, of.references)
    if name not in by_name:
        raise InputError(f"the metric must be one of {', '.join(by_name)}, not {name!r}")
    return by_name[name]


def corpus_scores(statistics: SentenceStatistics) -> Entry:
    """Compute BLEU, chrF and TER over all sentences. They equal sacreBLEU's scores of the texts with default settings
    except for the tokeniser. Raises InputError if there are no sentences."""
    if not len(statistics):
        raise InputError("there are no sentences to score")
    bleu, chrf, ter = (of.score(of.table(statistics).sum(axis=0).tolist()) for of in metrics().values())
    return Entry(bleu=bleu, chrf=chrf, ter=ter, sentences=len(statistics))


def signed_scores(statistics: SentenceStatistics, *, signature_extras: Mapping[str, str]) -> Scores:
    """Compute the scores of ``corpus_scores`` with signatures, without buckets by length. ``signature_extras``: fields
    added to sacreBLEU's signatures, e.g. {"run": "rnnsearch-50", "beam": "12"}, in this order. In values, "|", ":" and
    white space become "_"."""
    bleu, chrf, ter = (
        extend_signature(metric.signature, signature_extras)
        for metric in metrics(statistics.tokeniser, statistics.references).values()
    )
    return Scores(**vars(corpus_scores(statistics)), signature=bleu, chrf_signature=chrf, ter_signature=ter)


def sentence_scores(statistics: SentenceStatistics, metric: str) -> Floats:
    """Score single sentences as sacreBLEU does, [N]: BLEU only over orders for which the translation is long enough.

    Raises InputError for an unknown metric.
    """
    chosen = corpus_metric(metric, statistics)
    score = partial(bleu, effective_order=True) if metric == "BLEU" else chosen.score
    return np.array([score(row) for row in chosen.table(statistics).tolist()], dtype=np.float64)


_SPREAD = 3
"""Largest difference, in source words, between sentences that count as equally long."""
_FEWEST = 20
"""Fewest test sentences of one length for a comparison."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Standing of a translation among the translations of test sentences of similar length.

    Attributes:
        shortest, longest: least and most words of the sources of these test sentences.
        below: share, 0 to 1, of these test sentences whose translation has a lower log-probability per token.
    """

    test_set: str
    sentences: int
    shortest: int
    longest: int
    below: float


def standing(evaluation: Evaluation, source_words: int, log_probability: float, tokens: int) -> Standing | None:
    """Compare a translation with the translations of test sentences whose source has at most 3 words more or less.

    Args:
        source_words: words of the source sentence, counted as in the evaluation.
        log_probability: log p(translation | source), nats.
        tokens: target tokens of the translation, end-of-sentence token included, at least 1.

    Returns None if there are fewer than 20 such sentences, or if the log-probabilities of translations are unknown.
    """
    statistics = evaluation.statistics()
    if statistics is None or evaluation.test_set is None:
        return None
    hypotheses = statistics.hypotheses
    if hypotheses.tokens is None or hypotheses.log_probability is None:
        return None
    words = statistics.pairs.source_words
    near = (abs(words - source_words) <= _SPREAD) & (hypotheses.tokens > 0)
    count = int(near.sum())
    if count < _FEWEST:
        return None
    per_token = hypotheses.log_probability[near] / hypotheses.tokens[near]
    return Standing(
        test_set=evaluation.test_set,
        sentences=count,
        shortest=int(words[near].min()),
        longest=int(words[near].max()),
        below=float((per_token < log_probability / tokens).mean()),
    )
