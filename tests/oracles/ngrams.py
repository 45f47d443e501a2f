"""An n-gram model straight from the formulas of Chen and Goodman, over dictionaries, one word at a time."""

from collections import Counter, defaultdict
from collections.abc import Sequence

Gram = tuple[str, ...]
START, STOP, OTHER = "<s>", "</s>", "<unk>"


class SlowModel:
    """Interpolated modified Kneser-Ney over ``words``, the end mark and the unknown word."""

    def __init__(self, text: Sequence[Sequence[str]], words: Sequence[str], order: int) -> None:
        self.words, self.order = [*words, STOP, OTHER], order
        padded = [[START, *(w if w in words else OTHER for w in sentence), STOP] for sentence in text]
        seen: Counter[Gram] = Counter()
        for sentence in padded:
            for k in range(1, order + 1):
                seen.update(tuple(sentence[i : i + k]) for i in range(len(sentence) - k + 1))
        before: defaultdict[Gram, set[str]] = defaultdict(set)
        for gram in seen:
            if len(gram) > 1:
                before[gram[1:]].add(gram[0])
        self.counts: defaultdict[Gram, dict[str, int]] = defaultdict(dict)
        for gram, count in seen.items():
            if gram != (START,):
                exact = len(gram) == order or gram[0] == START
                self.counts[gram[:-1]][gram[-1]] = count if exact else len(before[gram])
        self.discounts = {k: self._estimated(k) for k in range(order)}

    def _estimated(self, length: int) -> list[float]:
        """D of counts 0, 1, 2, 3 for contexts of this length."""
        values = Counter(c for h, after in self.counts.items() if len(h) == length for c in after.values())
        n = [values[k] for k in range(5)]
        if not all(n[1:]):
            return [0, 0.5, 1, 1.5]
        y = n[1] / (n[1] + 2 * n[2])
        found = [0.0, *(k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))]
        return found if all(0 < found[k] <= k for k in (1, 2, 3)) else [0, 0.5, 1, 1.5]

    def p(self, word: str, context: Gram) -> float:
        lower = self.p(word, context[1:]) if context else 1 / len(self.words)
        after = self.counts.get(context)
        if not after:
            return lower
        d = self.discounts[len(context)]
        count = after.get(word, 0)
        left = sum(d[min(c, 3)] for c in after.values())
        return (count - d[min(count, 3)] + left * lower) / sum(after.values())

    def sentence(self, words: Sequence[str]) -> list[float]:
        text = [START, *(w if w in self.words else OTHER for w in words), STOP]
        return [self.p(text[i], tuple(text[max(0, i - self.order + 1) : i])) for i in range(1, len(text))]
