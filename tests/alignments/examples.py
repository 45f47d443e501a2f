"""Alignments to measure, write and read: random ones, and one of words that break careless programs."""

import numpy as np

from nmt.results import END, Alignment

HOSTILE = (
    "<img onerror=1>",
    "&apos;",
    "$x$",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "＝1",
    "'=1+1",
    "''=1",
    "'s",
    "'",
    "👩‍👩‍👧",
    "🏳️‍🌈",
    "한국어",
    "العربية",
    '"quoted"',
    "l'eau",
    "a,b",
    "a;b",
    "a\tb",
    "\t=1",
    "a b",
    "|||",
    "a|||b",
    "|",
    "||",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\u200b",
    "\x00",
    "a\nb",
    "a\r\nb",
    "\\u0020",
    "\\u005cu0020",
    "\\e",
    "\\",
    "\\|||",
    "[UNK]",
    "<EOS>",
    "▁",
    "1e5",
    "0.5",
    "</script>",
    "<?php echo 1 ?>",
    "",
)
"""No two alike."""


def random_alignment(seed: int, *, end: bool = True, pieces: bool = False, gaps: bool = False) -> Alignment:
    """Of one to six words per side, in one to three pieces if ``pieces``, of which some numbers have no token if
    ``gaps``; rows drawn from a Dirichlet distribution."""
    random = np.random.default_rng(seed)
    sides = []
    for name in "st":
        words: list[int] = []
        for _ in range(int(random.integers(1, 7))):
            word = (words[-1] if words else -1) + (int(random.integers(1, 3)) if gaps else 1)
            words += [word] * (int(random.integers(1, 4)) if pieces else 1)
        tokens = [f"{name}{k}" for k in range(len(words))]
        sides.append(((*tokens, END), (*words, words[-1] + 1)) if end else (tuple(tokens), tuple(words)))
    (source, source_words), (target, target_words) = sides
    weights = random.dirichlet(np.full(len(source), 0.4), size=len(target))
    return Alignment(
        source=source, target=target, weights=weights, source_words=source_words, target_words=target_words
    )


def hostile_alignment(seed: int, *, end: bool = True) -> Alignment:
    """All words of HOSTILE on both sides, in random orders."""
    random = np.random.default_rng(seed)
    source, target = (tuple(HOSTILE[k] for k in random.permutation(len(HOSTILE))) for _ in range(2))
    if end:
        source, target = (*source, END), (*target, END)
    return Alignment(
        source=source, target=target, weights=random.dirichlet(np.full(len(source), 0.1), size=len(target))
    )


def assert_same(found: Alignment, expected: Alignment, *, tolerance: float = 0.0, words: bool = False) -> None:
    """Tokens and weights, and with ``words`` also the numbers of the words, are the same."""
    assert found.source == expected.source
    assert found.target == expected.target
    np.testing.assert_allclose(found.weights, expected.weights, rtol=0, atol=tolerance)
    if words:
        assert (found.source_words, found.target_words) == (expected.source_words, expected.target_words)


CHOICES: dict[str, tuple[str | int, ...]] = {
    "subwords": ("words", "pieces"),
    "end_mark": ("kept", "removed"),
    "punctuation": ("kept", "removed"),
    "rule": ("argmax-null", "threshold", "mass"),
    "base": (0, 1),
    "direction": ("source-target", "target-source"),
}
"""Choices for each field of ``Policy`` that has them."""
