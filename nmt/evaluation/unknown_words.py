"""The "No UNK" column: only sentences without an unknown word in source and reference count.

Paper: Table 1, 4.2
"""

from __future__ import annotations

from collections.abc import Sequence


def without_unknown(source: Sequence[int], reference: Sequence[int]) -> list[int]:
    """Indices of the pairs that have no unknown word on either side, in order.

    Args:
        source: for each pair, how many words of the source its vocabulary does not hold.
        reference: the same for the reference and the target vocabulary.

    >>> without_unknown([0, 2, 0, 0], [0, 0, 1, 0])
    [0, 3]
    """
    return [i for i, (x, y) in enumerate(zip(source, reference, strict=True)) if not x and not y]
