"""A decoder in the order of Luong et al. 2015, in their letters turned into ours: first the recurrence, then attention
from the new state, then the prediction; the last context is fed to the next step.

    s_i = f(s_{i-1}, y_{i-1}, c_{i-1})        s_1 = tanh(W_s backward h_1): nothing has been written before y_1
    e_ij = score(s_i, h_j)
    p(y_i) from s_i, y_{i-1}, c_i             here by the paper's maxout layer in place of tanh(W_c [c_i ; s_i])
"""

from collections.abc import Sequence

import numpy as np

from tests.oracles.numpy_rnn import NumpyResult, attend, collect, encode, initial_state, predict
from tests.oracles.numpy_units import Parameters, begin, unit_step


def numpy_luong(
    p: Parameters, source_ids: Sequence[int], target_ids: Sequence[int], unit: str, score: str
) -> NumpyResult:
    """log p(y | x) and alpha of one given pair."""
    annotations = encode(p, source_ids, "rnnsearch", unit)
    s = begin(initial_state(p, annotations, "rnnsearch"))
    states, predictions = [], []
    for i in range(len(target_ids)):
        Ey = np.zeros(p["decoder.E"].shape[1]) if i == 0 else p["decoder.E"][target_ids[i - 1]]
        if i > 0:
            s = unit_step(p, "decoder.", unit, Ey, s, predictions[-1].attended.context)
        predictions.append(predict(p, s.h, Ey, attend(p, s.h, annotations, "rnnsearch", score)))
        states.append(s)
    return collect(predictions, target_ids, annotations, states)
