"""Sentences that teach: each shows one thing that alpha can show, after the phenomena of Figure 3 and Table 3."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.answers.sentences import SENTENCES
from nmt.reproduce.released import LANGUAGES


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A sentence that teaches, and what to look at in it.

    Attributes:
    title: the phenomenon.
    sentence: in the first of the languages.
    look: what to look at, in a sentence or two.
    written: words that a translation with alpha must have for ``look`` to be true of it; "" = true of any.
    target: the translation that is looked at, whatever a model would write; "" = its own.
    checkpoint: the one whose weights show it; "" = any.
    languages: source and target language.
    """

    title: str
    sentence: str
    look: str
    written: str = ""
    target: str = ""
    checkpoint: str = ""
    languages: tuple[str, str] = LANGUAGES


GALLERY = (
    Lesson(
        title=SENTENCES[0].title,
        sentence=SENTENCES[0].sentence,
        look="The English sentence and the French translation of Figure 3 (a). French says area, economic, European: "
        "follow the matrix from the diagonal back to the left and forward again.",
        target="L'accord sur la zone économique européenne a été signé en août 1992.",
        checkpoint="rnnsearch-50",
    ),
    Lesson(
        title="A longer name, turned around",
        sentence="The Canadian Human Rights Commission may make the order.",
        look="“Commission canadienne des droits de la personne”: the weights run right to left through four "
        "English words. See whether RNNencdec gets to the verb.",
    ),
    Lesson(
        title="An article that needs its noun",
        sentence="The man saw the woman and the child.",
        look="“the” becomes “L'”, “la” and “l'”. To choose, the model must know the noun: look for weight on "
        "“man”, “woman” and “child” in the rows of the articles.",
    ),
    Lesson(
        title="Adjectives change sides",
        sentence="A young girl in a red dress is sitting on a big rock.",
        look="“robe rouge” crosses over against “red dress”; “jeune fille” and “gros rocher” do not, since those "
        "adjectives come first in French, too.",
    ),
    Lesson(
        title="Negation in two words",
        sentence="I do not know where she lives.",
        look="“ne … pas” stands around the verb: both words look at “not” and at “know”, and “do” is hardly looked"
        " at by any.",
    ),
    Lesson(
        title="One word for two, two for one",
        sentence="Did you read the book that I gave you?",
        look="“Did … read” becomes a French compound past, and “gave” becomes “ai donné”: two rows on one column.",
    ),
    Lesson(
        title="A word outside the vocabulary",
        sentence="A girl in a red coat is feeding two white ducks beside a lake.",
        look="Each [UNK] of the translation looks at the very word that is missing. Set [UNK] to “Replace” to put "
        "the dictionary's word there.",
        checkpoint="rnnsearch-50",
    ),
    Lesson(
        title="A long sentence where RNNencdec drifts",
        sentence="He was born in a small town in the north of the country, where his father was a teacher and "
        "his mother sold bread at the market.",
        look="RNNsearch finds its way along the diagonal to the end. RNNencdec has one vector for all of it: see "
        "where its translation leaves the sentence.",
    ),
)
