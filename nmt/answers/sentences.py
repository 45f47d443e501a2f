"""The sentences that the app opens with, which are also shown in the presentation for lectures, and sentences that are
concatenated, to see where a vector of fixed size is too small.

Paper: 2.1
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nmt.data.line_words import UNSPACED


@dataclass(frozen=True, kw_only=True)
class SceneSentence:
    """A sentence, and what to look at in it.

    Attributes:
        name: name of its file and in addresses.
        title: the phenomenon.
        sentence: the source sentence.
        look: what to look at, in a sentence or two.
        written: words that a translation with alpha must have for ``look`` to be true of it; "" = true of any.
        languages: source and target language.
    """

    name: str
    title: str
    sentence: str
    look: str
    written: str = ""
    languages: tuple[str, str] = ("en", "fr")


SENTENCES = (
    SceneSentence(
        name="figure-3",
        title="Figure 3 of the paper",
        sentence="The agreement on the European Economic Area was signed in August 1992.",
        look="French turns “European Economic Area” around: the ribbons cross, and then run on in order.",
        written="économique",
    ),
    SceneSentence(
        name="adjectives",
        title="Adjectives change sides",
        sentence="A young girl in a red dress is sitting on a big rock.",
        look="“red dress” crosses over in French; “young girl” and “big rock” do not: those adjectives come first in "
        "French, too.",
        written="robe rouge",
    ),
    SceneSentence(
        name="negation",
        title="Negation in two words",
        sentence="I do not know where she lives.",
        look="“ne … pas” stands around the verb: both words look at “not”, and hardly any word looks at “do”.",
        written="pas",
    ),
    SceneSentence(
        name="long",
        title="A long sentence",
        sentence="He was born in a small town in the north of the country, where his father was a teacher and "
        "his mother sold bread at the market.",
        look="RNNsearch finds its way to the end. RNNencdec has one vector for all of it: see where its translation "
        "leaves the sentence.",
    ),
    SceneSentence(
        name="german-verb",
        title="The verb goes to the end",
        sentence="I know that my sister has sold her old car.",
        look="After “dass” German puts “has sold” at the end, and turns it around: the ribbons of “verkauft hat” cross "
        "those of “ihr altes Auto”.",
        written="verkauft hat",
        languages=("en", "de"),
    ),
    SceneSentence(
        name="german-caption",
        title="A sentence in the same order",
        sentence="Two children are playing with a small brown dog in the garden.",
        look="Nearly a diagonal: a main clause has its verb where English has it. “are playing” becomes one word.",
        written="spielen mit",
        languages=("en", "de"),
    ),
    SceneSentence(
        name="japanese-verb",
        title="Japanese ends with the verb",
        sentence="My father teaches English at a school.",
        look="The verb comes last, and the school comes before what is taught there: follow “teaches” to the end of "
        "the line.",
        written="教えている",
        languages=("en", "ja"),
    ),
    SceneSentence(
        name="japanese-negation",
        title="Negation at the very end",
        sentence="He does not eat meat.",
        look="“not” is an ending of the verb in Japanese: only the last words look at it.",
        written="ない",
        languages=("en", "ja"),
    ),
    SceneSentence(
        name="french-adjectives",
        title="Adjectives come back",
        sentence="Une jeune fille en robe rouge est assise sur un gros rocher.",
        look="“robe rouge” crosses over into “red dress”; “jeune fille” and “gros rocher” keep their order.",
        written="red dress",
        languages=("fr", "en"),
    ),
    SceneSentence(
        name="french-pronoun",
        title="A pronoun moves behind the verb",
        sentence="Je les ai vus hier.",
        look="“les” stands before the verb, “them” behind it: the two ribbons cross.",
        written="them",
        languages=("fr", "en"),
    ),
    SceneSentence(
        name="french-negation",
        title="Two words for one",
        sentence="Je ne sais pas où elle habite.",
        look="“ne … pas” becomes “don't”, which looks at both of them and at the verb in between.",
        written="don't",
        languages=("fr", "en"),
    ),
)
"""The first one is the sentence that the app opens with; of each pair of languages, the first one is what its
checkpoints open with."""

CONCATENATED: dict[str, tuple[str, ...]] = {
    "en": (
        "She has never seen the sea.",
        "Two men are sitting on a bench.",
        "He lost the key of his house.",
        "The children play in the garden.",
        "It rained all night.",
        "My brother works in a bank.",
    ),
    "fr": (
        "Elle n'a jamais vu la mer.",
        "Deux hommes sont assis sur un banc.",
        "Il a perdu la clé de sa maison.",
        "Les enfants jouent dans le jardin.",
        "Il a plu toute la nuit.",
        "Mon frère travaille dans une banque.",
    ),
}
"""Sentences to be concatenated, by language. The longest concatenation has 36 words, fewer than the longest sentences
that the runs were trained on."""


def beginnings(sentences: Iterable[str], language: str) -> list[str]:
    """Concatenate the first k sentences, for each k from 1.

    >>> beginnings(("A.", "B?"), "en"), beginnings(("雨だ。", "寒い。"), "ja")
    (['A.', 'A. B?'], ['雨だ。', '雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    texts = list(sentences)
    return [space.join(texts[:k]) for k in range(1, len(texts) + 1)]
