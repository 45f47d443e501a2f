"""Make the table by which languages in Latin letters are told apart (nmt/data/identification.py).

    pip install wordfreq==3.1.1
    python .ci/language_table.py --data CORPORA > nmt/data/languages.tsv
    python .ci/language_table.py --data CORPORA --measure    # how often held-out sentences are identified

Words and their frequencies are those of wordfreq; of English, French and German half of the weight is that of the
corpora's own words. The n-grams kept are those that weigh most in some language.
"""

import argparse
import lzma
import random
from collections import Counter
from pathlib import Path

import numpy as np

from nmt.data.identification import FEWEST, LARGEST, PREFERRED, STEPS, foreign, language_of, n_grams, words_of

LANGUAGES = (
    *("ca", "cs", "da", "de", "en", "es", "fi", "fil", "fr", "hu", "id", "is", "it", "lt", "lv", "nb", "nl", "pl"),
    *("pt", "ro", "sh", "sk", "sl", "sv", "tr", "vi"),
)
CORPORA = {
    "en": ("tatoeba/train.en", "multi30k/train.en"),
    "fr": ("tatoeba/train.fr", "multi30k/train.fr"),
    "de": ("tatoeba-de/train.de", "multi30k-de/train.de"),
}
WORDS, LINES, N_GRAMS = 30_000, 60_000, 5_500
LEAST = 2e-6
"""Added to the relative frequency of each n-gram in each language."""
HELD_OUT = {
    "en": (
        *("tatoeba/test", "multi30k/test2016", "news/newstest2014", "canada-laws/test", "ntrex-ko/test"),
        *("pud-ko/test", "tatoeba-ko/test"),
    ),
    "fr": (
        *("tatoeba/test", "multi30k/test2016", "news/newstest2014", "canada-laws/test", "ntrex-ko/test"),
        "pud-ko/test",
    ),
    "de": ("tatoeba-de/test", "multi30k-de/test2016"),
    "ja": ("tatoeba-ja/test",),
    "ko": ("tatoeba-ko/test", "ntrex-ko/test", "web-docs-ko/test", "dialogues-ko/test"),
}
DRAWN = 500


def frequencies(data: Path) -> dict[str, Counter[str]]:
    """Relative frequencies of the words of each language."""
    import wordfreq  # measuring does not need it

    found = {}
    for language in LANGUAGES:
        known = list(wordfreq.get_frequency_dict(language, "small").items())[:WORDS]
        words = Counter({word: frequency for word, frequency in known if words_of(word) == [(word, False)]})
        if language in CORPORA:
            own: Counter[str] = Counter()
            for name in CORPORA[language]:
                with lzma.open(data / f"{name}.xz", "rt", encoding="utf-8") as file:
                    for line, _ in zip(file, range(LINES), strict=False):
                        own.update(word for word, _ in words_of(line))
            total, other = own.total(), sum(words.values())
            words = Counter({word: frequency / other for word, frequency in words.items()})
            words.update({word: count / total for word, count in own.items()})
        total = sum(words.values())
        found[language] = Counter({word: frequency / total for word, frequency in words.items()})
    return found


def measure(data: Path) -> None:
    """Print for each language how many sentences of five words and more of all held-out sets are right, and how many
    raise a false alarm; the same of ``DRAWN`` of them; and how many of these are named where another language is
    expected."""
    for language, sets in HELD_OUT.items():
        sentences = []
        for name in sets:
            with lzma.open(data / f"{name}.{language}.xz", "rt", encoding="utf-8") as file:
                sentences += [line.rstrip("\n") for line in file]
        least = 1 if language in ("ja", "ko") else FEWEST
        sentences = [text for text in sentences if len(words_of(text)) >= least]
        drawn = random.Random(1).sample(sentences, DRAWN)
        for some in (sentences, drawn):
            right = sum(language_of(text) == language for text in some)
            alarms = sum(foreign(text, language) is not None for text in some)
            print(language, len(some), "sentences, right", right, "false alarms", alarms)
        for other in sorted(HELD_OUT.keys() - {language}):
            found = [foreign(text, other) for text in drawn]
            print(
                "  named where",
                other,
                "is expected",
                sum(each is not None and each.language == language for each in found),
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora (docs/corpora.md)")
    parser.add_argument("--measure", action="store_true", help="measure the table that there is")
    options = parser.parse_args()
    if options.measure:
        return measure(options.data)
    shares: dict[str, np.ndarray] = {}
    for place, (language, words) in enumerate(frequencies(options.data).items()):
        assert language == LANGUAGES[place]
        for word, frequency in words.items():
            for gram in n_grams(word):
                shares.setdefault(gram, np.zeros(len(LANGUAGES)))[place] += frequency
    grams = sorted(shares)
    share = np.array([shares[gram] for gram in grams])
    share /= share.sum(axis=0)
    logs = np.log(share + LEAST)
    logs -= logs.mean(axis=1, keepdims=True)
    best = np.argsort(-(share * np.abs(logs)).max(axis=1), kind="stable")[:N_GRAMS]
    steps = np.clip(np.round(logs[best] * STEPS), -LARGEST, LARGEST).astype(int)
    print(
        "# Derived from the word frequencies of wordfreq 3.1.1 (Robyn Speer), CC BY-SA 4.0, which holds for this file. "
        "An n-gram of a word, _ at its ends, and a character for each language."
    )
    print(" ".join(LANGUAGES))
    for place, row in sorted(zip((grams[k] for k in best), steps.tolist(), strict=True)):
        print(f"{place}\t{''.join(chr(ord('0') + LARGEST + step) for step in row)}")
    assert {*LANGUAGES} >= PREFERRED


if __name__ == "__main__":
    main()
