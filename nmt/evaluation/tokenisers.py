"""sacreBLEU's tokeniser for each language; every signature names it.

13a is sacreBLEU's default. It splits at spaces and punctuation, so Japanese, which has no spaces, and Korean, whose
words carry their particles, are counted by characters (``char``), which depends on no word segmentation. For Japanese
a score over MeCab's words (``ja-mecab``) is added if MeCab is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER

from nmt.data.line_words import MANY_CHARACTERS
from nmt.results import Score
from nmt.results.statistics import CHARACTERS, TOKENISER

MECAB = "ja-mecab"
NEEDS_MECAB = "BLEU over MeCab's words (ja-mecab) needs sacreBLEU's extra: pip install \"sacrebleu[ja]\""

_ONE = (("",),)
"""Arguments for one reference per sentence, which a signature must state."""


def bleu_tokeniser(target_language: str) -> str:
    """Return sacreBLEU's name of the tokeniser for a language; "" is an unknown language.

    >>> bleu_tokeniser("de"), bleu_tokeniser("ja"), bleu_tokeniser("ko")
    ('13a', 'char', 'char')
    """
    return CHARACTERS if target_language in MANY_CHARACTERS else TOKENISER


@cache
def bleu_metric(tokeniser: str) -> BLEU:
    """BLEU with one reference per sentence."""
    return BLEU(references=_ONE, tokenize=tokeniser)


def for_ter(texts: Sequence[str], tokeniser: str) -> list[str]:
    """Prepare texts for TER: with the tokeniser ``char``, separated into characters, so that TER counts these."""
    if tokeniser != CHARACTERS:
        return list(texts)
    return [" ".join("".join(text.split())) for text in texts]


def ter_signature(tokeniser: str) -> str:
    """Signature of TER: sacreBLEU's, with tokeniser ``tercom`` (whitespace tokens), or naming characters."""
    signature = str(TER(references=_ONE).get_signature())
    return signature.replace("|tok:tercom|", f"|tok:{CHARACTERS}|") if tokeniser == CHARACTERS else signature


def has_mecab() -> bool:
    """Tell whether sacreBLEU's extra for Japanese is installed."""
    return all(find_spec(module) is not None for module in ("MeCab", "ipadic"))


def more_scores(hypotheses: Sequence[str], references: Sequence[str], target_language: str) -> tuple[Score, ...]:
    """Scores in addition to BLEU, chrF and TER, with sacreBLEU's own signatures: for Japanese, BLEU over MeCab's words
    if MeCab is installed; otherwise none."""
    if target_language != "ja" or not hypotheses or not has_mecab():
        return ()
    metric = BLEU(tokenize=MECAB)
    value = float(metric.corpus_score(list(hypotheses), [list(references)]).score)
    return (Score("BLEU", value, str(metric.get_signature())),)
