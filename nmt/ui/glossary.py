"""Terms of the field in one or two plain sentences, for help texts where a page first uses them."""

from __future__ import annotations

from typing import Literal

Term = Literal[
    "attention", "encoder", "decoder", "state", "annotation", "context", "beam", "nats", "entropy", "coverage", "BLEU",
    "AER", "checkpoint", "loss", "leave-one-out",
]  # fmt: skip

GLOSSARY: dict[Term, str] = {
    "attention": "For each word that it writes, the model spreads a total weight of 1 over the words of the source. "
    "These weights, alpha, say how much of each source word enters the computation.",
    "encoder": "The part of the model that reads the source sentence and turns it into numbers.",
    "decoder": "The part of the model that writes the translation, one word after the other.",
    "state": "The numbers in which the decoder keeps what it has written so far. They change with every word.",
    "annotation": "What the encoder computes for one source word: a list of numbers that describes the word within its "
    "sentence.",
    "context": "The sum of the annotations, weighted by attention: what the decoder sees of the source when it writes "
    "one word.",
    "beam": "The search keeps this many unfinished translations at each word and goes on with the most probable ones. "
    "A beam of 1 always takes the most probable next word.",
    "nats": "A unit of log-probability: the natural logarithm of a probability. 0 nats means certain, −0.69 nats one "
    "half, −2.3 nats one tenth.",
    "entropy": "How widely weights are spread, in bits: 0 if all weight is on one word, 1 if two words share it "
    "equally, 2 if four words do.",
    "coverage": "The sum of the weights that a source word gets from all words of the translation. About 1 is usual; "
    "near 0, the model hardly looked at the word.",
    "BLEU": "Agreement of translations with human ones, from 0 to 100: the share of sequences of one to four words "
    "that both have, reduced for translations that are too short.",
    "AER": "Alignment error rate: how far word links are from those of human annotators, from 0 (the same) to 100 per "
    "cent.",
    "checkpoint": "The weights of a model at one point of its training, with all that is needed to translate.",
    "loss": "What training reduces: how improbable the model finds the correct next word, in nats per token.",
    "leave-one-out": "How much less probable a written word becomes when one source word is left out of the sentence.",
}


def explained(*terms: Term) -> str:
    """Help text that explains terms, one a paragraph, in Markdown.

    >>> print(explained("nats")[:23])
    **Nats**: A unit of log
    """
    return "\n\n".join(f"**{term[0].upper()}{term[1:]}**: {GLOSSARY[term]}" for term in terms)
