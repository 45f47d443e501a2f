"""Escaping of text for GitHub's Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[\\`*~$|<]|(?<![^\W_])_|_(?![^\W_])|(?<=\])\(|&(?=#?\w+;)")


def in_markdown(text: str) -> str:
    r"""``text`` on one line as it is: nothing of it is a mark, a link or HTML.

    >>> print(in_markdown("*a_b* <i> [68, 79]"))
    \*a_b\* \<i> [68, 79]
    """
    return _MARKS.sub(r"\\\g<0>", " ".join(text.split()))


def in_code(text: str) -> str:
    """``text`` on one line as code, whatever backticks it has.

    >>> print(in_code("a <b>"), in_code("`a` `"))
    `a <b>` `` `a` ` ``
    """
    flat = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", flat)), default=0))
    return f"{fence} {flat} {fence}" if "`" in flat else f"{fence}{flat}{fence}"
