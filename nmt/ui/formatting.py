"""Words and numbers as the pages write them."""

import re

import streamlit as st

from nmt.texts import APP, for_reader


def language(code: str) -> str:
    """The name of a language in the reader's language, or the code itself if there is no name for it."""
    return APP.by_key.languages.get(code, code)


def escaped(text: str) -> str:
    """Text for an element that reads Markdown, so that it comes out as typed.

    >>> print(escaped("run_1 *new*"))
    run\\_1 \\*new\\*
    """
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])", r"\\\1", text)


_LOCAL = ("127.0.0.1", "localhost", "::1")


def is_open() -> bool:
    """Whether other machines can reach this server."""
    return st.get_option("server.address") not in _LOCAL


def without_folders(text: str) -> str:
    """Shorten each path in a text to its last two parts if other machines can reach this server."""
    return re.sub(r"(?<![\w/.])/(?:[^/\s'\",;:]+/)+(?=[^/\s]+/[^/\s])", "", text) if is_open() else text


def as_sentence(text: str) -> str:
    """A message as a complete sentence in the reader's language, for an element that reads Markdown.

    >>> print(as_sentence("there is no run_1"), as_sentence("did you mean run?"))
    there is no run\\_1. did you mean run?
    """
    sentence = escaped(without_folders(for_reader(text).rstrip(".")))
    return sentence if sentence.endswith("?") else sentence + "."


def signed(value: float) -> str:
    """A number with its sign and one decimal.

    >>> signed(-0.34), signed(2), signed(-0.04)
    ('−0.3', '+2.0', '0.0')
    """
    rounded = round(value, 1) + 0.0
    return true_minus(f"{rounded:+.1f}") if rounded else "0.0"


def true_minus(text: str) -> str:
    """Replace the hyphens before negative numbers by minus signs. Hyphens in names and ranges stay.

    >>> true_minus("a-50: -0.3 to 11-20 (-2)")
    'a-50: −0.3 to 11-20 (−2)'
    """
    return re.sub(r"(?<!\w)-(?=\d)", "−", text)


def explained(*terms: str) -> str:
    """Help text in Markdown with a paragraph on each term.

    >>> print(explained("nats")[:23])
    **Nats**: A unit of log
    """
    return "\n\n".join(f"**{term[0].upper()}{term[1:]}**: {APP.by_key.glossary[term]}" for term in terms)
