"""Terms are explained in one or two sentences, without formatting."""

import re

import pytest

from nmt.texts import APP
from nmt.ui.formatting import explained


def test_every_term_is_explained() -> None:
    wanted = "attention encoder decoder state annotation beam nats entropy coverage BLEU AER".split()
    assert set(wanted) <= set(APP.by_key.glossary)


@pytest.mark.parametrize("term", [*APP.by_key.glossary])
def test_an_explanation_is_short_and_plain(term: str) -> None:
    text = APP.by_key.glossary[term]
    assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 3
    assert len(text) < 260
    assert not re.search(r"[*_`$\[<]| -\d", text)


def test_several_terms_are_paragraphs() -> None:
    text = explained("beam", "BLEU")
    assert text.split("\n\n") == [
        f"**Beam**: {APP.by_key.glossary['beam']}",
        f"**BLEU**: {APP.by_key.glossary['BLEU']}",
    ]
