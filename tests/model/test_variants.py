"""The other units against torch's own: torch.nn.GRU and torch.nn.LSTM, in the encoder and in the decoder.

torch's z keeps the old state where the paper's takes the candidate, so its weights are ours with the sign turned."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nmt.model.gru import GatedUnit, Unit
from nmt.model.variants import LSTMUnit, ResetAfterUnit
from tests.oracles.paired import SIZES, Paired, padded, paired

OURS = {"reset_after": ("_r", "_z", ""), "lstm": ("_in", "_forget", "", "_out")}
"""In the order in which torch stacks them: reset, update, new; input, forget, cell, output."""
UNITS = pytest.mark.parametrize("unit", ["reset_after", "lstm"])
SOURCES = [[3, 7, 2, 5, 4, 0], [8, 2, 0], [0]]


def copy(ours: Unit, kind: str, theirs: Any, suffix: str, context: bool = False) -> None:
    """Give ``theirs`` the weights of ``ours``; with a context, its input is [E y ; c]."""
    letters = {"weight_ih": "W", "weight_hh": "U", "bias_ih": "b"}
    for name, letter in letters.items():
        parts = []
        for gate in OURS[kind]:
            part = getattr(ours, letter + gate)
            if letter == "W" and context:
                part = torch.cat([part, getattr(ours, "C" + gate)], dim=1)
            parts.append(-part if gate == "_z" else part)
        getattr(theirs, name + suffix).data.copy_(torch.cat(parts))
    bias = getattr(theirs, "bias_hh" + suffix).data.zero_()
    if kind == "reset_after":
        bias[2 * SIZES.n :] = ours.b_u


def their(kind: str, inputs: int, both: bool) -> Any:
    cls = nn.GRU if kind == "reset_after" else nn.LSTM
    return cls(inputs, SIZES.n, batch_first=True, bidirectional=both).double()


def trained(pair: Paired, output: Tensor) -> dict[str, Tensor]:
    """Gradients of a weighted sum of the output."""
    weights = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view(output.shape)
    pair.model.zero_grad()
    (output * weights).sum().backward()
    return {name: p.grad.clone() for name, p in pair.model.encoder.named_parameters() if p.grad is not None}


@UNITS
def test_the_encoder_is_torchs(unit: str) -> None:
    pair, x = paired("rnnsearch", "printed", unit=unit), padded(SOURCES)
    encoder = pair.model.encoder
    theirs = their(unit, SIZES.m, both=True)
    with torch.no_grad():
        copy(encoder.forward_unit, unit, theirs, "_l0")
        copy(encoder.backward_unit, unit, theirs, "_l0_reverse")
    lengths = x.mask.sum(dim=1)
    packed = pack_padded_sequence(encoder.E[x.ids], lengths, batch_first=True)
    expected = pad_packed_sequence(theirs(packed)[0], batch_first=True)[0]
    h = encoder(x.ids, x.mask, nn.Dropout(0), torch.float64).annotations * x.mask.unsqueeze(2)
    torch.testing.assert_close(h, expected, rtol=1e-12, atol=1e-12)
    ours, through_torch = trained(pair, h), trained(pair, expected)
    torch.testing.assert_close(ours["E"], through_torch["E"], rtol=1e-9, atol=1e-12)
    U = "_forget" if unit == "lstm" else "_r"
    place = OURS[unit].index(U) * SIZES.n
    torch.testing.assert_close(
        ours[f"backward_unit.U{U}"], theirs.weight_hh_l0_reverse.grad[place : place + SIZES.n], rtol=1e-9, atol=1e-12
    )


@UNITS
@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
@torch.no_grad()
def test_the_decoder_is_torchs_over_word_and_context(unit: str, architecture: str) -> None:
    """What torch makes of [E y_{i-1} ; c_i] are the states of the oracle."""
    pair, source, target = paired(architecture, "printed", unit=unit), SOURCES[0], [4, 6, 2, 7, 0]
    expected = pair.oracle(source, target)
    annotations = expected.annotations
    contexts = annotations[-1:].repeat(len(target), axis=0) if expected.alpha is None else expected.alpha @ annotations
    words = np.vstack([np.zeros(SIZES.m), pair.parameters["decoder.E"][target[:-1]]])
    theirs = their(unit, SIZES.m + contexts.shape[1], both=False)
    copy(pair.model.decoder, unit, theirs, "_l0", context=True)
    start = torch.from_numpy(expected.states[0]).view(1, 1, -1)
    inputs = torch.from_numpy(np.hstack([words, contexts])).unsqueeze(0)
    states, _ = theirs(inputs, start if unit == "reset_after" else (start, torch.zeros_like(start)))
    np.testing.assert_allclose(states[0], expected.states[1:], rtol=1e-12)


@pytest.mark.parametrize("cls", [GatedUnit, ResetAfterUnit, LSTMUnit])
@pytest.mark.parametrize("reverse", [False, True])
def test_padding_carries_the_state_on(cls: type[Unit], reverse: bool) -> None:
    """Not only what is seen of it: the words behind a gap go on from the state before it."""
    torch.manual_seed(1)
    unit = cls(3, 4).double()
    for parameter in unit.parameters():
        nn.init.normal_(parameter, 0, 0.5)
    e, start = torch.randn(5, 2, 3).double(), torch.randn(2, 4).double()
    mask = torch.ones(5, 2, 1).double()
    mask[2] = 0
    whole = unit.scan(e, start, mask, torch.float64, reverse=reverse)
    without = unit.scan(e[[0, 1, 3, 4]], start, None, torch.float64, reverse=reverse)
    torch.testing.assert_close(whole[[0, 1, 3, 4]], without, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(whole[2], whole[3] if reverse else whole[1], rtol=0, atol=0)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_gated_units_loop_is_its_scan(reverse: bool) -> None:
    """The plain loop that other units take, with the paper's unit: values and gradients."""
    torch.manual_seed(1)
    unit = GatedUnit(3, 4).double()
    for parameter in unit.parameters():
        nn.init.normal_(parameter, 0, 0.5)
    e, start = torch.randn(5, 2, 3).double(), torch.randn(2, 4).double()
    mask = torch.tensor([[1.0, 1], [1, 1], [0, 1], [0, 1], [0, 0]]).double().unsqueeze(2)
    results = []
    for cls in (GatedUnit, Unit):
        unit.zero_grad()
        states = cls.run(unit, unit.project(e, torch.float64), start, mask, torch.float64, reverse=reverse)
        (states * torch.arange(states.numel()).view(states.shape)).sum().backward()
        results.append([states, *(p.grad.clone() for p in unit.parameters())])
    torch.testing.assert_close(results[0], results[1], rtol=1e-10, atol=1e-12)
