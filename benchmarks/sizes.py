"""The model sizes that are measured, and how much arithmetic they need."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """Letters as in nmt/model: m, n, n', l, and K entries in either vocabulary."""

    name: str
    embedding: int
    hidden: int
    alignment: int
    maxout: int
    vocabulary: int

    def training_flop(self, source: float, target: float) -> float:
        """Floating-point operations of the matrix products per target token, forward and backward.

        ``source`` and ``target`` are the mean tokens of a sentence. A multiplication with its addition counts as
        two, the backward pass as twice the forward one. What is done per source word (encoder, keys U_a h_j,
        weighing of the annotations) is counted for the words that there are, without padding; element-wise work is
        not counted.
        """
        m, n, a = self.embedding, self.hidden, self.alignment
        encoder = 2 * 3 * n * (m + n) + 2 * n * a  # both directions, and U_a h_j, for a source word
        attention = source * (a + 2 * n)  # v_a^T tanh(..) and the sum of alpha h, for a target word
        decoder = n * a + 3 * n * (m + n + 2 * n)
        readout = 2 * self.maxout * (m + n + 2 * n) + self.maxout * self.vocabulary
        return 3 * 2 * (encoder * source / target + attention + decoder + readout)


SMALL = Size("SMALL", 256, 256, 256, 256, 8_000)
PAPER = Size("PAPER", 620, 1000, 1000, 500, 30_000)
TINY = Size("TINY", 8, 12, 10, 6, 50)
"""Stands for the others where only the programs are tried out, not their speed."""

SIZES = {size.name: size for size in (SMALL, PAPER, TINY)}
