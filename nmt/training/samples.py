"""Sentences of our own that a training translates as it goes. They ship with the events, so they must never come
from a corpus."""

SAMPLES: dict[str, tuple[str, ...]] = {
    "en": (
        "The old man is reading a newspaper in the garden.",
        "I do not know where she lives.",
        "The European Economic Area was enlarged last year.",
        "The Minister may, by order, require the owner of a vessel to provide any information.",
    ),
    "fr": (
        "Le vieil homme lit un journal dans le jardin.",
        "Je ne sais pas où elle habite.",
        "L'Espace économique européen a été élargi l'an dernier.",
    ),
}
