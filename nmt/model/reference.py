"""Single steps of the decoder, written as in the paper: the most readable form of the model.

Everything here works on a single sentence and a single step, with plain products and no shortcut. The fast forms
compute the same for many sentences at once: ``attention_scan`` in decoder.py over a given target, ``DecodingSteps`` in
steps.py for a search. Tests compare them with this module, and this module with the equations in NumPy.

The letters are the paper's: s_{i-1} is the state before step i, h_j the annotation of source word j, E y_{i-1} the
embedding of the previous word, c_i the context. Biases b, which the paper omits from its formulas, are written out.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import GatedDecoder
from nmt.model.readout import Readout


class AttendedSource(NamedTuple):
    """Result of attention at one step: e_ij and alpha_ij, [T_x]; c_i, [2n]."""

    energies: Tensor
    alpha: Tensor
    context: Tensor


class UpdatedState(NamedTuple):
    """The gates z_i and r_i, the candidate s~_i and the new state s_i, all [n]."""

    z: Tensor
    r: Tensor
    candidate: Tensor
    state: Tensor


def attend(attention: AdditiveAttention, s: Tensor, h: Tensor) -> AttendedSource:
    """Weigh the source words. s: s_{i-1}, [n]; h: all annotations, [T_x, 2n].

    e_ij = v_a^T tanh(W_a s_{i-1} + U_a h_j),  alpha_ij = exp(e_ij) / sum_k exp(e_ik),  c_i = sum_j alpha_ij h_j

    Paper: eq. 5-6, A.1.2
    """
    W_a, U_a, b_a, v_a = attention.query_matrix(), attention.key_matrix(), attention.b_a, attention.v_a
    e = torch.stack([v_a @ torch.tanh(W_a @ s + U_a @ h_j + b_a) for h_j in h])
    alpha = torch.exp(e - e.max())
    alpha = alpha / alpha.sum()
    c = torch.stack([alpha_j * h_j for alpha_j, h_j in zip(alpha, h, strict=True)]).sum(dim=0)
    return AttendedSource(e, alpha, c)


def predict(readout: Readout, s: Tensor, Ey: Tensor, c: Tensor) -> Tensor:
    """log p(y_i | y_<i, x), [K_y], in nats. s: s_{i-1}, or s_i for state_order "equation", [n]; Ey: E y_{i-1}, [m];
    c: c_i, [2n].

    t~_i = U_o s_{i-1} + V_o E y_{i-1} + C_o c_i,  t_i = [max(t~_{i,2k-1}, t~_{i,2k})]_k,  p = softmax(W_o t_i)

    Paper: eq. 4, A.2.2
    """
    t_tilde = readout.U_o @ s + readout.V_o @ Ey + readout.C_o @ c + readout.b_t
    t = torch.maximum(t_tilde[0::2], t_tilde[1::2])
    return torch.log_softmax(readout.W_o @ t + readout.b_o, dim=0)


def update(decoder: GatedDecoder, s: Tensor, Ey: Tensor, c: Tensor) -> UpdatedState:
    """Compute the state s_i. s: s_{i-1}, [n]; Ey: E y_{i-1}, or E y_i in program order, [m]; c: c_i, [2n].

    z_i = sigma(W_z E y + U_z s_{i-1} + C_z c_i),  r_i = sigma(W_r E y + U_r s_{i-1} + C_r c_i),
    s~_i = tanh(W E y + U [r_i * s_{i-1}] + C c_i),  s_i = (1 - z_i) * s_{i-1} + z_i * s~_i

    Paper: A.1.1, A.2.2
    """
    d = decoder
    z = torch.sigmoid(d.W_z @ Ey + d.U_z @ s + d.C_z @ c + d.b_z)
    r = torch.sigmoid(d.W_r @ Ey + d.U_r @ s + d.C_r @ c + d.b_r)
    candidate = torch.tanh(d.W @ Ey + d.U @ (r * s) + d.C @ c + d.b)
    return UpdatedState(z, r, candidate, (1 - z) * s + z * candidate)
