"""Attentions as readers write them: fifteen right forms, and sixty with a planted fault and what is said of it."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

N, A, L, M = 8, 16, 6, 5
INF = float("-inf")
Attend = Callable[..., Any]


def context(alpha: Tensor, h: Tensor) -> Tensor:
    return torch.einsum("bt,bta->ba", alpha, h)


class Paper(nn.Module):
    """Eq. 5-6. The faults change one of its methods."""

    def __init__(self, n: int = N, a: int = A, l: int = L) -> None:  # noqa: E741
        super().__init__()
        self.W, self.U, self.v = nn.Linear(n, l, bias=False), nn.Linear(a, l), nn.Linear(l, 1, bias=False)

    def hidden(self, s: Tensor, h: Tensor) -> Tensor:
        return torch.tanh(self.W(s)[:, None] + self.U(h))

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return self.v(self.hidden(s, h))[..., 0]

    def alpha(self, e: Tensor, mask: Tensor) -> Tensor:
        return e.masked_fill(~mask, INF).softmax(1)

    def context(self, alpha: Tensor, h: Tensor) -> Tensor:
        return context(alpha, h)

    def forward(self, s: Tensor, h: Tensor, mask: Tensor) -> Any:
        alpha = self.alpha(self.energies(s, h), mask)
        return alpha, self.context(alpha, h)


def changed(base: type[Paper] = Paper, **methods: Any) -> Callable[[], Attend]:
    """A class with other methods."""
    return type("Changed", (base,), methods)


class Concatenated(nn.Module):
    """W_a and U_a are one matrix, annotations first; the bias of v_a cancels."""

    def __init__(self, n: int, a: int) -> None:
        super().__init__()
        self.both, self.v = nn.Linear(a + n, L), nn.Linear(L, 1)

    def forward(self, state: Tensor, annotations: Tensor, mask: Tensor) -> Any:
        repeated = state[:, None].expand(-1, annotations.shape[1], -1)
        e = self.v(torch.tanh(self.both(torch.cat([annotations, repeated], 2)))).squeeze(2)
        alpha = e.masked_fill(mask.logical_not(), torch.finfo(e.dtype).min).softmax(-1)
        return torch.bmm(alpha[:, None], annotations)[:, 0], alpha


class Looped(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.w_a, self.u_a = (nn.Parameter(torch.randn(L, size)) for size in (n, 2 * n))
        self.v_a = nn.Parameter(torch.randn(L))

    def forward(self, s: Tensor, h: Tensor, mask: Tensor) -> Any:
        alphas, contexts = [], []
        for one, words, there in zip(s, h, mask, strict=True):
            e = torch.stack([self.v_a @ torch.tanh(self.w_a @ one + self.u_a @ word) for word in words])
            weights = torch.where(there, (e - e.max()).exp(), torch.zeros_like(e))
            alphas.append(weights / weights.sum())
            contexts.append(alphas[-1] @ words)
        return torch.stack(alphas), torch.stack(contexts)


class Step(nn.Module):
    """A whole step: attention from s_{i-1}, then the new state."""

    after, forgets_word, forgets_context, stands, forgets_state, reads_mean = False, False, False, False, False, False

    def __init__(self) -> None:
        super().__init__()
        self.attention, self.unit = Paper(), nn.GRUCell(M + A, N)

    def forward(self, s: Tensor, h: Tensor, mask: Tensor, y: Tensor) -> Any:
        if self.after:
            s = self.unit(torch.cat([y, context(mask.to(h) / mask.sum(1, keepdim=True), h)], 1), s)
        alpha, c = self.attention(s, h, mask)
        word, read = (0 * y if self.forgets_word else y), (0 * c if self.forgets_context else c)
        read, before = (h.mean(1) if self.reads_mean else read), (0 * s if self.forgets_state else s)
        return alpha, c, s if self.stands else self.unit(torch.cat([word, read], 1), before)


def function() -> Attend:
    """No module: weights that nobody can see; and no number of 64 bits."""
    w, u, v = torch.randn(N, L), torch.randn(A, L), torch.randn(L)

    def attend(s: Tensor, h: Tensor, mask: Tensor) -> Any:
        alpha = (torch.tanh((s @ w)[:, None] + h @ u) @ v).masked_fill(~mask, -1e9).softmax(1)
        return alpha[:, None], context(alpha, h)[:, None]

    return attend


class WithDropout(Paper):
    def hidden(self, s: Tensor, h: Tensor) -> Tensor:
        return F.dropout(super().hidden(s, h), 0.3, self.training)


class Normalised(Paper):
    """v_a is g v / |v|, and PyTorch normalises W_a."""

    def __init__(self) -> None:
        super().__init__()
        self.g = nn.Parameter(torch.ones(1))
        nn.utils.parametrizations.weight_norm(self.W)

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return self.hidden(s, h) @ (self.g * F.normalize(self.v.weight[0], dim=0))


class Scaled(Paper):
    """Rows of W_a have lengths g; another layer is there, but not in use."""

    def __init__(self) -> None:
        super().__init__()
        self.g, self.readout = nn.Parameter(torch.ones(L, 1)), nn.Linear(N, 30)

    def hidden(self, s: Tensor, h: Tensor) -> Tensor:
        return torch.tanh((s @ (self.g * F.normalize(self.W.weight, dim=1)).T)[:, None] + self.U(h))


class Convolution(Paper):
    def __init__(self) -> None:
        super().__init__()
        self.U, self.v = nn.Conv1d(A, L, 1), nn.Conv1d(L, 1, 1)  # type: ignore[assignment]

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return self.v(torch.tanh(self.W(s)[:, :, None] + self.U(h.transpose(1, 2))))[:, 0]


def frozen() -> Attend:
    return Paper().requires_grad_(False)


RIGHT: dict[str, Callable[[], Attend]] = {
    "as the paper": Paper,
    "scaled energies": changed(alpha=lambda self, e, mask: (e / math.sqrt(L)).masked_fill(~mask, INF).softmax(1)),
    "one matrix, context first": lambda: Concatenated(N, A),
    "loops": lambda: Looped(N),
    "a whole step": Step,
    "a function in 32 bits": function,
    "dropout in training": WithDropout,
    "masked after softmax, then divided": changed(
        alpha=lambda self, e, mask: (lambda p: p / p.sum(1, keepdim=True))(e.softmax(1) * mask)
    ),
    "log softmax, then exp": changed(alpha=lambda self, e, mask: e.masked_fill(~mask, INF).log_softmax(1).exp()),
    "normalised v": Normalised,
    "normalised W": Scaled,
    "a convolution over words": Convolution,
    "weights are frozen": frozen,
    "tanh by a sigmoid": changed(hidden=lambda self, s, h: 2 * torch.sigmoid(2 * (self.W(s)[:, None] + self.U(h))) - 1),
    "mask with a default": changed(forward=lambda self, s, h, mask, scale=1.0: Paper.forward(self, s, h, mask)),
}


class Tutorial(Paper):
    """Weights from the state alone, up to a largest length: PyTorch's tutorial until 2023."""

    def __init__(self) -> None:
        super().__init__()
        self.T = nn.Linear(N, 40)

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return self.T(s)[:, : h.shape[1]]


class Short(Paper):
    def __init__(self) -> None:
        super().__init__()
        self.place = nn.Linear(7, 1)

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return (
            super().energies(s, h)
            + self.place(torch.ones(h.shape[1], 7).to(h)).mean() * 0
            + torch.ones(7).to(h)[: h.shape[1]].expand(len(h), h.shape[1])
        )


class Positions(Paper):
    def __init__(self) -> None:
        super().__init__()
        self.where = nn.Parameter(torch.zeros(50, 2))

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return super().energies(s, h) + self.where[: h.shape[1], 0]


class Product(Paper):
    def __init__(self) -> None:
        super().__init__()
        self.D = nn.Linear(N, A, bias=False)

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return torch.einsum("ba,bta->bt", self.D(s), h)


class OneUnit(Paper):
    def __init__(self) -> None:
        super().__init__(N, A, 1)

    def energies(self, s: Tensor, h: Tensor) -> Tensor:
        return self.hidden(s, h)[..., 0]


def activation(of: Callable[[Tensor], Tensor]) -> Callable[[], Attend]:
    return changed(hidden=lambda self, s, h: of(self.W(s)[:, None] + self.U(h)))


def energies(of: Callable[[Any, Tensor, Tensor], Tensor]) -> Callable[[], Attend]:
    return changed(energies=of)


def alphas(of: Callable[[Tensor, Tensor], Tensor]) -> Callable[[], Attend]:
    return changed(alpha=lambda self, e, mask: of(e, mask))


def contexts(of: Callable[[Any, Tensor, Tensor], Tensor]) -> Callable[[], Attend]:
    return changed(context=of)


def results(of: Callable[[Tensor, Tensor], Any]) -> Callable[[], Attend]:
    return changed(forward=lambda self, s, h, mask: of(*Paper.forward(self, s, h, mask)))


def step(**flags: bool) -> Callable[[], Attend]:
    return type("Faulty", (Step,), flags)


def paper(self: Any, s: Tensor, h: Tensor) -> Tensor:
    return Paper.energies(self, s, h)


def keys(of: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]) -> Callable[[], Attend]:
    """Energies of another state and other annotations."""
    return changed(energies=lambda self, s, h: paper(self, *of(s, h)))


def normalised(e: Tensor) -> Tensor:
    return (e - e.mean(0)) / (e.std(0, unbiased=False) + 1e-3)


FAULTS: dict[str, tuple[Callable[[], Attend], str]] = {
    "relu": (activation(torch.relu), "without bound"),
    "gelu": (activation(F.gelu), "without bound"),
    "no activation": (activation(lambda x: x), "does not change with the state"),
    "sigmoid": (activation(torch.sigmoid), "sigmoid"),
    "squares": (activation(lambda x: x * x), "without bound"),
    "a product, as Luong": (Product, "without bound"),
    "a scaled product": (
        changed(Product, alpha=lambda self, e, m: (e / 4).masked_fill(~m, INF).softmax(1)),
        "without bound",
    ),
    "v left out": (energies(lambda self, s, h: self.hidden(s, h).sum(2)), "v_a is missing"),
    "one unit": (OneUnit, "one number"),
    "tanh outside": (
        energies(lambda self, s, h: torch.tanh(self.v(self.W(s)[:, None] + self.U(h))[..., 0])),
        "one number",
    ),
    "no state": (energies(lambda self, s, h: self.v(torch.tanh(self.U(h)))[..., 0]), "with the state"),
    "state outside tanh": (
        energies(lambda self, s, h: self.v(torch.tanh(self.U(h)) + self.W(s)[:, None])[..., 0]),
        "with the state",
    ),
    "no annotations": (Tutorial, "never looks"),
    "mean annotation as key": (
        energies(lambda self, s, h: paper(self, s, h.mean(1, True).expand_as(h))),
        "never looks",
    ),
    "last annotation as key": (energies(lambda self, s, h: paper(self, s, h[:, -1:].expand_as(h))), "never looks"),
    "state normalised": (energies(lambda self, s, h: paper(self, F.normalize(s, dim=1), h)), "normalised"),
    "shifted by a word": (energies(lambda self, s, h: paper(self, s, h.roll(1, 1))), "exchanging words"),
    "read backwards": (energies(lambda self, s, h: paper(self, s, h).flip(1)), "exchanging words"),
    "positions added": (Positions, "exchanging words"),
    "a maximum length": (Short, "some length"),
    "no mask": (alphas(lambda e, m: e.softmax(1)), "padded words"),
    "mask after softmax": (alphas(lambda e, m: e.softmax(1) * m), "sum to 1"),
    "mask multiplied": (alphas(lambda e, m: (e * m).softmax(1)), "padded words"),
    "mask of -10": (alphas(lambda e, m: e.masked_fill(~m, -10).softmax(1)), "padded words"),
    "mask the other way": (alphas(lambda e, m: e.masked_fill(m, -1e9).softmax(1)), "padded words"),
    "no parameter for a mask": (
        changed(forward=lambda self, s, h: Paper.forward(self, s, h, h[..., 0] == h[..., 0])),
        "no mask",
    ),
    "softmax over the batch": (alphas(lambda e, m: e.masked_fill(~m, -1e9).softmax(0)), "sum to 1"),
    "softmax over everything": (
        alphas(lambda e, m: e.masked_fill(~m, INF).flatten().softmax(0).view_as(e)),
        "sum to 1",
    ),
    "sigmoid for softmax": (alphas(lambda e, m: e.sigmoid() * m), "sum to 1"),
    "log softmax": (alphas(lambda e, m: e.masked_fill(~m, -1e4).log_softmax(1)), "sum to 1"),
    "hard choice": (
        alphas(lambda e, m: F.one_hot(e.masked_fill(~m, INF).argmax(1), e.shape[1]).to(e)),
        "no weight at all",
    ),
    "normalised over the batch": (alphas(lambda e, m: normalised(e).masked_fill(~m, INF).softmax(1)), "neighbours"),
    "detached": (alphas(lambda e, m: e.detach().masked_fill(~m, INF).softmax(1)), "gradient"),
    "dropout always": (alphas(lambda e, m: F.dropout(e, 0.3, True).masked_fill(~m, INF).softmax(1)), "each time"),
    "mean as context": (contexts(lambda self, alpha, h: h.mean(1)), "context is not"),
    "context of the keys": (contexts(lambda self, alpha, h: context(alpha, self.U(h))), "the shape"),
    "transposed": (results(lambda alpha, c: (alpha.T, c)), "right axis"),
    "only the context": (results(lambda alpha, c: c), "does not return"),
    "state after the step": (step(after=True), "s_{i-1}"),
    "word left out of the state": (step(forgets_word=True), "y_{i-1}"),
    "context left out of the state": (step(forgets_context=True), "not change with the context"),
    "old state left out of the state": (step(forgets_state=True), "not change with s_{i-1}"),
    "mean in the state": (step(reads_mean=True), "other words with the same context"),
    "softmax twice": (alphas(lambda e, m: e.masked_fill(~m, INF).softmax(1).masked_fill(~m, INF).softmax(1)), "ratio"),
    "smoothed": (alphas(lambda e, m: 0.9 * e.masked_fill(~m, INF).softmax(1) + 0.1 * m / m.sum(1, True)), "ratio"),
    "v detached": (energies(lambda self, s, h: self.hidden(s, h) @ self.v.weight[0].detach()), "to v.weight"),
    "state detached": (keys(lambda s, h: (s.detach(), h)), "to s_{i-1}: it is detached"),
    "annotations detached": (keys(lambda s, h: (s, h.detach())), "to h_j: it is detached"),
    "context detached": (contexts(lambda self, alpha, h: context(alpha, h.detach())), "gradient of the context"),
    "context without gradients of alpha": (
        contexts(lambda self, alpha, h: context(alpha.detach(), h)),
        "gradient of the context",
    ),
    "half of an annotation": (keys(lambda s, h: (s, F.pad(h[..., : A // 2], (0, A // 2)))), "8 of the 16 numbers of h"),
    "one number of the state": (keys(lambda s, h: (F.pad(s[:, :1], (0, N - 1)), h)), "7 of the 8 numbers of s"),
    "tanh twice": (activation(lambda x: x.tanh().tanh()), "tanh of tanh"),
    "tanh of the state inside": (
        changed(hidden=lambda self, s, h: torch.tanh(self.W(s).tanh()[:, None] + self.U(h))),
        "for any choice",
    ),
    "arctan": (activation(torch.atan), "arctan"),
    "softsign": (activation(F.softsign), "softsign"),
    "sine": (activation(torch.sin), "sine"),
    "a product with the state": (
        changed(hidden=lambda self, s, h: self.W(s)[:, None] * torch.tanh(self.U(h))),
        "for any choice",
    ),
    "values of a sentence detached": (keys(lambda s, h: (s.detach(), h.detach())), "to s_{i-1}"),
    "clipped": (activation(lambda x: x.clamp(-1, 1)), "for any choice"),
}
