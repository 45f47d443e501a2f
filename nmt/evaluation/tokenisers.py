"""How sacreBLEU cuts a language for its scores; every signature names it.

13a is sacreBLEU's default. It cuts at spaces and punctuation, so Japanese, which has no spaces, is counted by
characters (``char``): that depends on nobody's words. MeCab's words (``ja-mecab``) are one score more where they can be
had.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER

from nmt.data.line_words import UNSPACED
from nmt.results import Score
from nmt.results.statistics import CHARACTERS, TOKENISER

MECAB = "ja-mecab"
NEEDS_MECAB = "BLEU over MeCab's words (ja-mecab) needs sacreBLEU's extra: pip install \"sacrebleu[ja]\""

_ONE = (("",),)
"""One reference a sentence, as a signature must know."""


def bleu_tokeniser(target_language: str) -> str:
    """sacreBLEU's name of what cuts texts in a language; "" is a language that is not known.

    >>> bleu_tokeniser("de"), bleu_tokeniser("ja")
    ('13a', 'char')
    """
    return CHARACTERS if target_language in UNSPACED else TOKENISER


@cache
def bleu_metric(tokeniser: str) -> BLEU:
    """BLEU of one reference a sentence."""
    return BLEU(references=_ONE, tokenize=tokeniser)


def for_ter(texts: Sequence[str], tokeniser: str) -> list[str]:
    """The texts as TER gets them: beside ``char`` with a space between any two characters, so that it counts those."""
    if tokeniser != CHARACTERS:
        return list(texts)
    return [" ".join("".join(text.split())) for text in texts]


def ter_signature(tokeniser: str) -> str:
    """sacreBLEU's, which names the tokeniser ``tercom``: words between white space. Ours names characters."""
    signature = str(TER(references=_ONE).get_signature())
    return signature.replace("|tok:tercom|", f"|tok:{CHARACTERS}|") if tokeniser == CHARACTERS else signature


def has_mecab() -> bool:
    """Whether sacreBLEU's extra for Japanese is installed."""
    return all(find_spec(module) is not None for module in ("MeCab", "ipadic"))


def more_scores(hypotheses: Sequence[str], references: Sequence[str], target_language: str) -> tuple[Score, ...]:
    """Scores beside BLEU, chrF and TER, with sacreBLEU's own signatures: of Japanese, BLEU over MeCab's words where
    that is installed; none otherwise."""
    if target_language != "ja" or not hypotheses or not has_mecab():
        return ()
    metric = BLEU(tokenize=MECAB)
    value = float(metric.corpus_score(list(hypotheses), [list(references)]).score)
    return (Score("BLEU", value, str(metric.get_signature())),)
