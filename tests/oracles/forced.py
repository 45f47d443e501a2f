"""Forced decoding: log-probabilities and alpha of given outputs."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from nmt.search.history import Candidate, alpha_rows
from nmt.search.limits import broken_model, broken_rows
from nmt.search.stepwise import END, START, State, Stepwise


def forced(model: Stepwise[State], source: Tensor, mask: Tensor, target: Sequence[Sequence[int]]) -> list[Candidate]:
    """Log-probabilities and alpha of a given target for each sentence.

    All targets take as many steps as the longest, so put targets of similar length together.

    Args:
        model: the model to run.
        source: token ids, long [S, T_x], end marks included.
        mask: bool [S, T_x], True for a token.
        target: S lists of ids, of any lengths, end mark last.

    Returns:
        One candidate for each sentence; its score is its log-probability (-inf where the model rules it out).

    Raises:
        FloatingPointError: the model gave NaN.
    """
    assert len(target) == len(source), "as many targets as sources"
    assert all(len(ids) and ids[-1] == END for ids in target), "every target ends with the end mark"
    if not len(target):
        return []
    ids = pad_sequence([torch.as_tensor(list(line), dtype=torch.long) for line in target], batch_first=True)
    ids = ids.to(source.device)
    values, weights = [], []
    with torch.no_grad():
        state = model.start(source, mask)
        previous = torch.full((len(target), 1), START, dtype=torch.long, device=source.device)
        for i in range(ids.shape[1]):
            step = model.step(state, previous)
            previous = ids[:, i : i + 1]
            if broken_rows(step.log_probabilities.amax(dim=2).numpy()).any():
                raise broken_model(i + 1)
            values.append(step.log_probabilities[:, 0].gather(1, previous))
            weights.append(alpha_rows(step.alpha))
            state = step.state
    tokens = torch.cat(values, dim=1).double().cpu().numpy()
    columns = mask.cpu().numpy()
    candidates = []
    for line, given in enumerate(target):
        own = [float(value) for value in tokens[line, : len(given)]]
        rows = [row[line, columns[line]] for row in weights[: len(given)] if row is not None]
        alpha = np.stack(rows) if rows else None
        total = sum(own)
        candidates.append(
            Candidate(
                ids=tuple(int(token) for token in given),
                log_probability=total,
                score=total,
                token_log_probabilities=tuple(own),
                alpha=alpha,
                watched=False,
            )
        )
    return candidates
