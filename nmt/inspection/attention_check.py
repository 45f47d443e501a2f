"""A check whether a user's code is the paper's attention, by its properties on random inputs. If its weights can be
told apart by shape, the code is also compared with the equations.

Paper: eq. 5-6, A.1.2
"""

import copy
import importlib.util
import inspect
import itertools
import math
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from nmt.errors import InputError

STATE, ANNOTATION, HIDDEN, EMBEDDING = 8, 16, 6, 5
"""Sizes of s, h_j, the hidden layer of the energies, and E y."""
_WORDS = 7, 5, 3
"""Number of words of each sentence of a batch."""
Attend = Callable[..., Any]
_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    **{"tanh": torch.tanh, "sigmoid": torch.sigmoid, "arctan": torch.atan, "sine": torch.sin},
    **{"softsign": nn.functional.softsign, "tanh of tanh": lambda x: x.tanh().tanh()},
}
_NO_FIT = (
    "alpha is not the softmax of v_a tanh(W_a s + U_a h_j + b_a) for any choice of its weights: something else stands "
    "around, inside or in place of tanh"
)


@dataclass(frozen=True)
class _Result:
    """alpha: [B, T]. c: [B, a]. state: s_i, [B, n], of a whole step, else None."""

    alpha: Tensor
    c: Tensor
    state: Tensor | None


def from_file(place: str, arguments: Sequence[int] = ()) -> Attend:
    """Run a Python file, and return the function ``FILE.py:NAME`` or an instance of the class. The class is called with
    ``arguments``, by default with as many of these sizes as it requires: s, h_j, the hidden layer, E y.

    InputError: there is no such file or name, or the file or the class raises an exception.
    """
    file, _, name = place.rpartition(":")
    if not file.endswith(".py") or not Path(file).is_file():
        raise InputError(f"{place} does not name a file of Python that is there: write FILE.py:NAME")
    try:
        made = getattr(_module(Path(file)), name, None)
        if made is None or not callable(made):
            raise InputError(f"{file} has no class or function {name}")
        return _made(made, arguments) if isinstance(made, type) else made
    except InputError:
        raise
    except Exception as error:  # any exception of a user's code
        raise InputError(f"{place} raises {type(error).__name__}: {str(error)[:200]}") from error


def _module(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("attention_to_check", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.resolve().parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def _made(kind: type, arguments: Sequence[int]) -> Attend:
    needed = sum(parameter.default is parameter.empty for parameter in inspect.signature(kind).parameters.values())
    made: Attend = kind(*(arguments or (STATE, ANNOTATION, HIDDEN, EMBEDDING)[:needed]))
    return made


def check_attention(attend: Attend, *, seed: int = 0) -> tuple[str, ...]:
    """List the differences between an attention and the paper's, in a sentence each. () if there is none.

    Args:
        attend: a function or module of s_{i-1} [B, n], annotations h [B, T, a] and a mask [B, T], True where there is a
            word. Its results are alpha [B, T] and c [B, a], in any order. With a fourth argument, E y_{i-1} [B, m], it
            is a whole step, and its third result is s_i [B, n]. A module's copy gets random parameters.
    """
    torch.manual_seed(seed)
    function = attend
    if isinstance(attend, nn.Module):
        attend = copy.deepcopy(attend).eval()
        with torch.no_grad():
            for parameter in attend.parameters():
                parameter.requires_grad_().normal_(0, 0.7)
        function = attend.forward
    places = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
    ]
    if len(places) < 3:
        return ("it takes no mask: in a batch, padded words get weight",)
    said: list[str] = []
    for dtype in (torch.float64, torch.float32):
        if isinstance(attend, nn.Module):
            attend.to(dtype)
        checked = _Checked(attend, dtype, whole=len(places) > 3)
        try:
            said = [*checked.faults()]
            said = [fault for fault in said if fault != _NO_FIT or len(said) == 1]
        except _Stop as stop:
            said = [str(stop)]
        except Exception as error:  # any exception of a user's code
            said = [f"it fails on sentences of 7, 5 and 3 words: {type(error).__name__}: {str(error)[:100]}"]
            continue  # the failure may be due to numbers of 64 bits
        break
    return tuple(said)


class _Stop(Exception):  # noqa: N818
    """A fault in the shape of a result, after which nothing else can be checked."""


class _Checked:
    def __init__(self, attend: Attend, dtype: torch.dtype, *, whole: bool) -> None:
        self._attend, self._dtype, self._whole = attend, dtype, whole
        self._close = 1e-9 if dtype == torch.float64 else 1e-5
        self.s, self.h = self._random(3, STATE), self._random(3, max(_WORDS), ANNOTATION)
        self.y = self._random(3, EMBEDDING)
        self.mask = torch.arange(max(_WORDS)) < torch.tensor(_WORDS)[:, None]
        self.full = torch.ones_like(self.mask)

    def _random(self, *size: int) -> Tensor:
        return torch.randn(*size, dtype=self._dtype)

    def _same(self, one: Tensor, other: Tensor, factor: float = 1) -> bool:
        return one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=factor * self._close)

    def run(self, s: Tensor, h: Tensor, mask: Tensor, y: Tensor | None = None) -> _Result:
        more = ((self.y[: len(s)] if y is None else y),) if self._whole else ()
        results = self._attend(s, h, mask, *more)
        if not isinstance(results, tuple | list) or len(results) < 2 + self._whole:
            wanted = "alpha, c and s_i" if self._whole else "alpha and c"
            raise _Stop(f"it does not return {wanted}")
        alpha, c = results[:2]
        sentences, words, size = h.shape
        if alpha.numel() == sentences * size and c.numel() == sentences * words and size != words:
            alpha, c = c, alpha
        if alpha.numel() != sentences * words or sentences != alpha.shape[0]:
            shape = tuple(alpha.shape)
            raise _Stop(
                f"alpha has the shape {shape}, not [sentences, source words]: is the softmax over the right axis?"
            )
        if c.numel() != sentences * size or sentences != c.shape[0]:
            shape = tuple(c.shape)
            raise _Stop(f"the context has the shape {shape}, not that of an annotation: it is the sum of alpha_j h_j")
        return _Result(alpha.reshape(sentences, words), c.reshape(sentences, size), results[2] if self._whole else None)

    def alpha(self, s: Tensor, h: Tensor, mask: Tensor, y: Tensor | None = None) -> Tensor:
        return self.run(s, h, mask, y).alpha.detach()

    def faults(self) -> Iterator[str]:
        result = self.run(self.s, self.h, self.mask)
        alpha, c = result.alpha.detach(), result.c.detach()
        if not (torch.isfinite(alpha).all() and torch.isfinite(c).all()):
            yield "alpha or the context is not a number: is a whole row masked, or is exp too large?"
            return
        if not self._same(alpha, self.alpha(self.s, self.h, self.mask)):
            yield "the same input gives another alpha each time: is dropout still on?"
            return
        outside = alpha[~self.mask]
        if float(outside.sum()) > 0.999 * len(alpha):
            yield "only padded words get weight: the mask is the other way round"
        elif float(outside.abs().max()) > 1e-6:
            yield "padded words get weight: e must be masked before the softmax (-inf)"
        elif not float(alpha[self.mask].min()) > 0:
            yield "some words get no weight at all: alpha comes from a softmax, and not from a choice"
        if not self._same(alpha.sum(1), torch.ones(3, dtype=self._dtype), 10):
            yield "a row of alpha does not sum to 1 over the source words: the softmax has another axis, or is left out"
        if not self._same(c, torch.einsum("bt,bta->ba", alpha, self.h), 100):
            yield "the context is not the sum of alpha_j h_j"
        alone = [self.alpha(self.s[b : b + 1], self.h[b : b + 1, :m], self.full[:1, :m]) for b, m in enumerate(_WORDS)]
        same = (self._same(row[0], alpha[b, :m], 10) for b, (row, m) in enumerate(zip(alone, _WORDS, strict=True)))
        if float(outside.abs().max()) <= 1e-6 and not all(same):
            yield "alpha of a sentence depends on its neighbours in the batch, or on padding"
        base = self.alpha(self.s, self.h, self.full)
        looks = yield from self._dependences(base)
        if not (looks and (yield from self._gradients(base))):
            return
        yield from self._energies()
        if self._whole:
            yield from self._step()
        if isinstance(self._attend, nn.Module):
            yield from self._against_equations(self._attend, base)

    def _dependences(self, base: Tensor) -> Generator[str, None, bool]:
        """Check what alpha depends on. Yields faults. Returns whether alpha depends on both state and annotations."""
        looks = False
        for scale in (1, 0.1):  # large energies may give one word all the weight
            other = scale * self.h
            before = self.alpha(self.s, other, self.full)
            other[:, 1] += 3 * scale * self._random(3, ANNOTATION)
            looks = looks or not self._same(self.alpha(self.s, other, self.full), before)
        if not looks:
            yield "alpha does not change when an annotation changes: it never looks at the encoder"
        moved = not self._same(self.alpha(self.s + 2 * self._random(3, STATE), self.h, self.full), base)
        if not moved:
            yield "alpha does not change with the state: s is missing, or only adds the same number to every e_j"
        elif self._same(self.alpha(3 * self.s, self.h, self.full), base):
            yield "alpha does not change with the length of s: s is normalised"
        order = torch.randperm(base.shape[1])
        if not self._same(self.alpha(self.s, self.h[:, order], self.full), base[:, order], 10):
            yield "exchanging words does not exchange their weights: e_j must be one function of s and h_j, for every j"
        else:
            rest, rows = base[:, :-1] / base[:, :-1].sum(1, keepdim=True), base[:, -1] < 0.999
            if not self._same(self.alpha(self.s, self.h[:, :-1], self.full[:, :-1])[rows], rest[rows], 10):
                yield "the ratio of two weights changes with the other words: alpha must be one softmax of e, alone"
        try:
            self.alpha(self.s, self._random(3, 19, ANNOTATION), torch.ones(3, 19, dtype=torch.bool))
        except Exception:  # any exception of a user's code
            yield "it works up to some length of a sentence only: is there a length in the shape of a weight?"
        return looks and moved

    def _gradients(self, base: Tensor) -> Generator[str, None, bool]:
        """Check that gradients of alpha reach the state, the annotations and every weight. Check that the gradient of
        the context is that of its sum. Yields faults. Returns whether state and annotations have gradients."""
        s, h = self.s.clone().requires_grad_(), self.h.clone().requires_grad_()
        result = self.run(s, h, self.full)
        weights = dict(self._attend.named_parameters()) if isinstance(self._attend, nn.Module) else {}
        total = (result.alpha * self._random(*base.shape)).sum()
        if not total.requires_grad:
            yield "no gradient comes back through alpha: it is detached, and the weights of attention never learn"
            return False
        parts = torch.autograd.grad(total, (s, h, *weights.values()), retain_graph=True, materialize_grads=True)
        for name, part in zip(("s_{i-1}", "h_j"), parts, strict=False):
            seen = part.flatten(0, -2).any(0)
            if not seen.any():
                yield f"no gradient comes back through alpha to {name}: it is detached in the energies"
                return False
            if left := int((~seen).sum()):
                yield f"no gradient of alpha reaches {left} of the {len(seen)} numbers of {name}: are they left out?"
        for (name, weight), part in zip(weights.items(), parts[2:], strict=True):
            if not part.any() and self._moves(weight, base):
                yield f"no gradient comes back through alpha to {name}: it is detached, and never learns"
        surplus = result.c - torch.einsum("bt,bta->ba", result.alpha, h)
        if self._same(surplus.detach(), torch.zeros_like(surplus), 100):
            parts = torch.autograd.grad((surplus * self._random(*surplus.shape)).sum(), (s, h), materialize_grads=True)
            if not all(self._same(part, torch.zeros_like(part), 100) for part in parts):
                yield "the gradient of the context is not that of the sum of alpha_j h_j: one of them is detached"
        return True

    def _moves(self, weight: Tensor, base: Tensor) -> bool:
        """Whether alpha changes with a weight."""
        before = weight.data.clone()
        weight.data.normal_()
        moves = not self._same(self.alpha(self.s, self.h, self.full), base)
        weight.data.copy_(before)
        return moves

    def _energies(self) -> Iterator[str]:
        def spread(scale: float) -> float:
            rows = self.alpha(self.s, scale * self.h, self.full).clamp_min(torch.finfo(self._dtype).tiny).log()
            return float((rows.amax(1) - rows.amin(1)).max())

        largest = -math.log(torch.finfo(self._dtype).tiny)
        if spread(20) > 2 * spread(5) or spread(5) > largest / 2:
            yield "energies grow without bound with the annotations: no tanh (but relu, or a product, as Luong's score)"
            return
        gradients = []
        for _ in range(8):
            h = self._random(1, 2, ANNOTATION).requires_grad_()
            rows = self.run(self.s[:1], h, self.full[:1, :2]).alpha.log()
            (part,) = torch.autograd.grad(rows[0, 0] - rows[0, 1], h)
            gradients.append(part[0, 0])
        sizes = torch.linalg.svdvals(torch.stack(gradients))
        if float(sizes[1]) < 1e-5 * float(sizes[0]):
            yield "e_j sees one number of h_j only: v_a is missing, or tanh stands outside of the product with v_a"

    def _step(self) -> Iterator[str]:
        def state(s: Tensor, h: Tensor, y: Tensor | None = None) -> Tensor:
            new = self.run(s, h, self.full[:, : h.shape[1]], y).state
            assert new is not None
            return new.detach()

        first, y = self.run(self.s, self.h, self.full), self.y + self._random(3, EMBEDDING)
        new, twice = state(self.s, self.h), first.c[:, None].expand(-1, 2, -1)  # c, c: their context is c
        if not self._same(first.alpha.detach(), self.alpha(self.s, self.h, self.full, y)):
            yield "alpha changes with y_{i-1}: it comes from the state after the step, s_i, and not from s_{i-1}"
        elif not self._same(new, state(self.s, twice), 100):
            yield "other words with the same context change the new state: it must take from them only c_i"
        if self._same(state(self.s, twice), state(2 * self.s, twice)):
            yield "the new state does not change with s_{i-1}"
        if self._same(new, state(self.s, self.h, y)):
            yield "the new state does not change with y_{i-1}"
        if self._same(new, state(self.s, 2 * self.h)):
            yield "the new state does not change with the context"
        if self._same(new, self.s):
            yield "the new state is the old one"

    def _against_equations(self, module: nn.Module, base: Tensor) -> Iterator[str]:
        """Compute alpha by eq. 6 with tanh, with each other function and without v_a, and report which one the module
        uses. Report also that none fits, if the weights have the shapes of eq. 6."""
        total = (self.run(self.s, self.h, self.full).alpha * self._random(*base.shape)).sum()
        parts = torch.autograd.grad(total, [*module.parameters()], allow_unused=True)
        used = [(w.detach(), part) for w, part in zip(module.parameters(), parts, strict=True) if part is not None]
        weights = [w.squeeze() for w, _ in used]
        pairs = _pairs(weights)
        kinds = ((kind, e) for kind in (*_ACTIVATIONS, "sum") for e in _energies(pairs, weights, self.s, self.h, kind))
        kind = next((kind for kind, e in kinds if self._fits(e, base)), None)
        products = [w * part for w, part in used if w.squeeze().dim() > 1]  # the sum is 0 if w is normalised
        plain = all(float(m.sum().abs()) > 10 * self._close * float(m.abs().sum()) for m in products)
        apart = all(STATE + ANNOTATION not in m.shape for m in products)
        if kind == "sum":
            yield "v_a is missing: e_j is the plain sum of the hidden layer"
        elif kind and kind != "tanh":
            yield f"{kind} stands where the paper has tanh"
        elif not kind and pairs and plain and len(products) == 1 + apart:
            yield _NO_FIT

    def _fits(self, e: Tensor, alpha: Tensor) -> bool:
        """Whether some number c makes alpha the softmax of c e."""
        x, y = (values - values.mean(1, keepdim=True) for values in (e, alpha.log()))
        return self._same((x * y).sum() / (x * x).sum() * x, y, 100)


def _pairs(weights: list[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """Pairs (W_a, U_a) of weights whose shapes fit eq. 6."""
    pairs = []
    for first in (w for w in weights if w.dim() == 2):
        for matrix in (first, first.T):
            if matrix.shape[1] == STATE + ANNOTATION:
                pairs.append((matrix[:, :STATE], matrix[:, STATE:]))
                pairs.append((matrix[:, ANNOTATION:], matrix[:, :ANNOTATION]))
            pairs += [
                (matrix, key)
                for other in weights
                if other is not first and other.dim() == 2
                for key in (other, other.T)
                if matrix.shape[1] == STATE and key.shape == (len(matrix), ANNOTATION)
            ]
    return pairs


def _energies(
    pairs: list[tuple[Tensor, Tensor]], weights: list[Tensor], s: Tensor, h: Tensor, kind: str
) -> Iterator[Tensor]:
    """e [B, T] by eq. 6, for every choice of b_a and v_a. ``kind``: an activation, or "sum" for tanh without v_a."""
    for w_a, u_a in pairs:
        vectors = [w.flatten() for w in weights if w.numel() == len(w_a)]
        biases = [w for w in weights if w.shape == (len(w_a),)]
        for v, number in itertools.product(
            vectors if kind != "sum" else [torch.ones(len(w_a)).to(w_a)], range(len(biases) + 1)
        ):
            for chosen in itertools.combinations(biases, number):
                hidden = (s @ w_a.T)[:, None] + h @ u_a.T + sum(chosen, torch.zeros(len(w_a)).to(w_a))
                yield _ACTIVATIONS.get(kind, torch.tanh)(hidden) @ v
