"""The alignment model a: how well source position j fits the next target word.

e_ij     = v_a^T tanh(W_a s_{i-1} + U_a h_j)
alpha_ij = exp(e_ij) / sum_k exp(e_ik)
c_i      = sum_j alpha_ij h_j

This module computes the energies e_ij. ``decoder.attention_scan`` computes alpha_ij and c_i in training, and
``steps.DecodingSteps`` in a search. ``reference.attend`` has all three formulas as printed.

The other scores e_ij are for comparison. Luong computes his scores from the state that has already seen y_{i-1}, and
calls it s_i. With ``state_order`` "program" our scores use this state (docs/paper.md).
"""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.model.kernels import linear


class Attention(nn.Module, ABC):
    """A score e_ij of a decoder state against the annotations."""

    @abstractmethod
    def keys(self, annotations: Tensor, dtype: torch.dtype) -> Tensor:
        """The projection of each annotation, computed once per sentence, from which ``energies`` computes the score.
        [S, T_x, 2n] -> [S, T_x, n_a] (or n)"""

    @abstractmethod
    def query_matrix(self) -> Tensor | None:
        """The matrix that turns a state into a query, [n_a, n]. None if the query is the state itself."""

    @abstractmethod
    def energies(self, state: Tensor, query: Tensor, keys: Tensor) -> Tensor:
        """e_ij up to a constant that is the same for all j. [S, k, n], [S, k, n_a], [S, T_x, n_a] -> [S, k, T_x]"""

    def place(self, state: Tensor, before: Tensor | None) -> Tensor | None:
        """The query of a score that remembers its place in the source, [S, k, n], [S, k, q] -> [S, k, q]. Other scores
        return None. before: the query of the step before. None or zeros = this is the first step."""
        return None

    def offset(self) -> Tensor | None:
        """The constant e_ij - ``energies``, a scalar, or None for 0."""
        return None


class AdditiveAttention(Attention):
    """The paper's score: v_a^T tanh(W_a s_{i-1} + U_a h_j).

    Paper: eq. 5-6, 3.1, A.1.2
    """

    def __init__(self, state: int, annotation: int, alignment: int) -> None:
        super().__init__()
        self.W_a = nn.Parameter(torch.empty(alignment, state))
        self.U_a = nn.Parameter(torch.empty(alignment, annotation))
        self.b_a = nn.Parameter(torch.empty(alignment))
        self.v_a = nn.Parameter(torch.empty(alignment))

    def query_matrix(self) -> Tensor:
        """W_a"""
        return self.W_a

    def key_matrix(self) -> Tensor:
        """U_a"""
        return self.U_a

    def keys(self, annotations: Tensor, dtype: torch.dtype) -> Tensor:
        """U_a h_j + b_a"""
        return linear(annotations, self.key_matrix(), dtype) + self.b_a

    def energies(self, state: Tensor, query: Tensor, keys: Tensor) -> Tensor:
        u = query.unsqueeze(2) + keys.unsqueeze(1)
        return torch.sigmoid(2 * u) @ (2 * self.v_a)  # tanh(u) = 2 sigma(2u) - 1

    def offset(self) -> Tensor:
        """v_a^T (-1, .., -1)"""
        return -self.v_a.sum()


class ConcatAttention(AdditiveAttention):
    """The paper's score, with W_a and U_a stored side by side in one matrix [n_a, 3n]."""

    def __init__(self, state: int, annotation: int, alignment: int) -> None:
        super().__init__(state, annotation, alignment)
        del self.U_a
        self.W_a = nn.Parameter(torch.empty(alignment, state + annotation))
        self._state = state

    def query_matrix(self) -> Tensor:
        return self.W_a[:, : self._state]

    def key_matrix(self) -> Tensor:
        return self.W_a[:, self._state :]


class DotAttention(Attention):
    """s^T h_j (Luong et al. 2015). s has the length of one direction of h_j, so the two directions are summed."""

    def __init__(self, state: int) -> None:
        super().__init__()
        self._state = state

    def keys(self, annotations: Tensor, dtype: torch.dtype) -> Tensor:
        """The sum of the directions of h_j"""
        S, T_x, _ = annotations.shape
        return annotations.view(S, T_x, -1, self._state).sum(dim=2)

    def query_matrix(self) -> None:
        return None

    def energies(self, state: Tensor, query: Tensor, keys: Tensor) -> Tensor:
        return torch.bmm(state, keys.transpose(1, 2))


class GeneralAttention(DotAttention):
    """s^T W_a h_j (Luong et al. 2015), W_a [n, 2n]. W_a h_j is computed once per sentence."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__(state)
        self.W_a = nn.Parameter(torch.empty(state, annotation))

    def keys(self, annotations: Tensor, dtype: torch.dtype) -> Tensor:
        """W_a h_j"""
        return linear(annotations, self.W_a, dtype)


class GaussianAttention(Attention):
    """A mixture of K Gaussians over the source positions j = 1 .. T_x (Graves 2013, eq. 46 to 51). The score does not
    use the annotations. The means of the Gaussians only move forward:

        [a, b, d]   = W_a s_{i-1} + b_mixture
        kappa_i     = kappa_{i-1} + exp(d),  kappa_0 = 0
        e_ij        = log sum_k exp(a_k - exp(b_k) (kappa_ik - j)^2)

    alpha_ij is the softmax of e_ij as in eq. 6, so a row sums to 1. Graves uses exp(e_ij) without normalising.

    Paper: 6.1
    """

    COMPONENTS = 10
    """K, as many as Graves has."""

    def __init__(self, state: int) -> None:
        super().__init__()
        self.W_a = nn.Parameter(torch.empty(3 * self.COMPONENTS, state))
        self.b_mixture = nn.Parameter(torch.empty(3 * self.COMPONENTS))

    def keys(self, annotations: Tensor, dtype: torch.dtype) -> Tensor:
        """j, [S, T_x, 1]"""
        S, T_x, _ = annotations.shape
        positions = torch.arange(1, T_x + 1, dtype=annotations.dtype, device=annotations.device)
        return positions.view(1, T_x, 1).expand(S, -1, -1)

    def query_matrix(self) -> None:
        return None

    def place(self, state: Tensor, before: Tensor | None) -> Tensor:
        """[a, b, kappa_i], [S, k, 3K]"""
        a, b, d = F.linear(state, self.W_a, self.b_mixture).chunk(3, dim=-1)
        kappa = d.exp() if before is None else before.chunk(3, dim=-1)[2] + d.exp()
        return torch.cat([a, b, kappa], dim=-1)

    def energies(self, state: Tensor, query: Tensor, keys: Tensor) -> Tensor:
        a, b, kappa = query.unsqueeze(2).chunk(3, dim=-1)
        return torch.logsumexp(a - b.exp() * (kappa - keys.unsqueeze(1)).square(), dim=-1)


def build_attention(score: str, state: int, annotation: int, alignment: int) -> Attention:
    """Build the score called "additive", "concat", "general", "dot" or "gaussian"."""
    if score == "gaussian":
        return GaussianAttention(state)
    if score == "dot":
        return DotAttention(state)
    if score == "general":
        return GeneralAttention(state, annotation)
    return (ConcatAttention if score == "concat" else AdditiveAttention)(state, annotation, alignment)
