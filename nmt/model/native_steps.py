"""``DecodingSteps`` that let nmt/native/engine.c compute steps of few hypotheses, and the search of one sentence.

Torch computes all other steps: many rows of large matrices, replaced attention weights, hard attention. Engine and
torch use one form of state, so a search may change between them at any step.
"""

import ctypes
import functools
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt import native
from nmt.config import ModelConfig
from nmt.model.attention import AdditiveAttention
from nmt.model.kernels import LEAST_WEIGHTS, IntegerPanels, IntegerWeight, round_rows
from nmt.model.steps import TABLE_BYTES, DecoderState, DecodingSteps, factors
from nmt.model.translation import TranslationModel, build_model
from nmt.search.beam import BeamSettings
from nmt.search.history import Candidate
from nmt.search.limits import broken_model, length_limits, no_output
from nmt.search.stepwise import AlphaOverride, Step
from nmt.search.topk import CHUNK

_ROWS = {(True, True): 1024, (True, False): 12, (False, True): 24, (False, False): 0}
"""Largest number of rows of a step, and of sentences read at once, that the engine computes. Keys: whether the engine
has vectors of 64 bytes or multiplies integers, and whether the model is small. Beyond 12 and 24 rows torch is faster.
More than 1,200 rows were not tried (docs/log/speed.md)."""
_SMALL = 2**23
"""Number of weights in decoder and readout below which a model is small."""
_LEAST_BEAM = 3
"""From this width of the beam on, the engine searches several sentences one by one (docs/log/engine.md)."""
_STEPS = 16
"""The engine takes this many steps of a search before Python can stop the search again."""
_ERRORS = {1: MemoryError("a step does not fit in memory"), 2: IndexError("an id is not in the vocabulary")}

_log = logging.getLogger(__name__)


_Model, _Search = native.structure("Model"), native.structure("Search")


class NativeSteps(DecodingSteps):
    """Steps of a model of gated units, with the paper's attention or without attention, in fp32 or int8 on a CPU. The
    weights are packed for torch when torch first computes a step.

    Paper: 3.1, A.2.2
    """

    def __init__(
        self,
        model: TranslationModel,
        precision: torch.dtype | None = None,
        *,
        engine: ctypes.CDLL,
        integers_from: int = LEAST_WEIGHTS,
    ) -> None:
        """Pack the weights. engine: the library of the native engine. For other arguments see ``DecodingSteps``."""
        self._pack_for_torch = functools.partial(DecodingSteps, model, precision, integers_from=integers_from)
        self._model, self._hard, self._engine = model, False, engine
        self.most_rows = usual_rows(model, engine, precision)
        """Largest number of rows for which the engine computes a step."""
        self._kept: list[Tensor | IntegerPanels] = []  # arrays whose addresses the engine has
        self._integers_from = integers_from if precision == torch.int8 else None
        with torch.inference_mode(False), torch.no_grad():
            self._weights = self._packed_model(model)
        self._at = ctypes.addressof(self._weights)

    @staticmethod
    def suits(model: TranslationModel, precision: torch.dtype | None) -> bool:
        """True for a model and a precision that the engine can compute."""
        E, score = model.decoder.E, type(model.attention)
        return (
            E.device.type == "cpu"
            and E.dtype == torch.float32
            and precision in (None, torch.float32, torch.int8)
            and model.config.unit == "gated"
            and model.config.state_order != "equation"
            and model.config.start == "backward"
            and (model.attention is None or issubclass(score, AdditiveAttention))
        )

    @functools.cached_property
    def _by_torch(self) -> DecodingSteps:
        with torch.inference_mode(False), torch.no_grad():
            return self._pack_for_torch()

    def _address(self, values: Tensor) -> int:
        """Return the address of an array, and store a reference so that the array is not freed."""
        values = values.detach().contiguous()
        self._kept.append(values)
        return values.data_ptr()

    def _matrix(self, weight: Tensor, bias: Tensor | None = None) -> Any:
        """Pack W, [out, in], and b, [out], for the engine's product x W^T + b."""
        outputs, inputs = weight.shape
        rest = -outputs % CHUNK
        if self._integers_from is not None and IntegerWeight.pays_off(weight, self._integers_from):
            panels = IntegerPanels(self._engine, round_rows(weight.detach()), None if bias is None else bias.detach())
            self._kept.append(panels)
            return panels.matrix
        b = None if bias is None else self._address(F.pad(bias, (0, rest)))
        w = F.pad(weight, (0, 0, 0, rest))
        return native.Matrix(self._address(w.view(-1, CHUNK, inputs).transpose(1, 2)), None, None, b, inputs, len(w))

    def _packed_model(self, model: TranslationModel) -> Any:
        decoder, readout, attention, encoder = model.decoder, model.readout, model.attention, model.encoder
        units = encoder.units()
        K, from_state = len(readout.W_o), [decoder.recurrent(), readout.U_o]
        made = _Model(n=len(decoder.U), l=len(readout.U_o) // 2, m=decoder.E.shape[1], K=K + -K % CHUNK)
        if isinstance(attention, AdditiveAttention):
            from_state.append(2 * attention.query_matrix())
            made.keys = self._matrix(2 * attention.key_matrix(), 2 * attention.b_a)
            made.n_a = len(attention.v_a)
            made.v = self._address(F.pad(2 * attention.v_a, (0, -made.n_a % CHUNK)))
        W, b = torch.cat([decoder.stacked("W"), readout.V_o]), torch.cat([decoder.stacked("b"), readout.b_t])
        made.from_state, made.U = self._matrix(torch.cat(from_state)), self._matrix(decoder.U)
        made.words, made.C = self._matrix(W, b), self._matrix(torch.cat([decoder.stacked("C"), readout.C_o]))
        blocked = F.pad(readout.b_o, (0, -K % CHUNK), value=-torch.inf)
        made.W_o = self._matrix(F.pad(readout.W_o, (0, 0, 0, -K % CHUNK)), blocked)
        made.W_s = self._matrix(decoder.W_s, decoder.b_s)
        for d, unit in enumerate(units):
            made.W[d] = self._matrix(unit.stacked("W"), unit.stacked("b"))
            made.U_zr[d], made.U_[d] = self._matrix(unit.recurrent()), self._matrix(unit.U)
        made.E_y, made.E_x = self._address(decoder.E), self._address(encoder.E)
        made.source_size, made.target_size = len(encoder.E), len(decoder.E)
        made.directions, made.attends = len(units), attention is not None
        made.program = model.config.state_order == "program"
        if (made.target_size + 1) * made.words.outputs * 4 <= TABLE_BYTES:
            made.in_table = made.target_size + 1
            made.table = self._address(torch.empty(made.target_size + 1, made.words.outputs))
            made.known = self._address(torch.zeros(made.target_size + 1, dtype=torch.uint8))
        return made

    def start(self, source: Tensor, mask: Tensor) -> DecoderState:
        """Read S sentences. See ``DecodingSteps.start``."""
        S, T = source.shape
        lengths = mask.sum(dim=1)
        if self.most_rows < S or not torch.equal(mask, torch.arange(T) < lengths[:, None]) or not bool(lengths.all()):
            return self._by_torch.start(source, mask)
        made, source, attends = self._weights, source.contiguous(), bool(self._weights.attends)
        s, begun = torch.empty(S, 1, made.n), None
        memory = torch.zeros(S, T if attends else 1, 3 * made.n + 2 * made.l)
        keys = torch.zeros(S, T, made.n_a) if attends else None
        self._compute(self._engine.read_sources, S, T, (T,), (lengths, source, s, memory, keys))
        blocked = torch.zeros(S, T).masked_fill_(~mask, -torch.inf)
        if made.program:
            s, begun = F.pad(s, (0, 2 * made.n + memory.shape[2])), torch.zeros(S, dtype=torch.bool)
        return DecoderState(s=s, memory=memory, keys=keys, blocked=blocked, begun=begun)

    def step(self, state: DecoderState, previous: Tensor, override: AlphaOverride | None = None) -> Step[DecoderState]:
        """Take one step. See ``DecodingSteps.step``."""
        S, k = previous.shape
        if S * k > self.most_rows or override is not None or self._hard:
            by_torch = self._by_torch.with_hard_attention() if self._hard else self._by_torch
            return by_torch.step(state, previous, override)
        T, read = state.blocked.shape[1], (state.s, None, previous, state.memory, state.keys, state.blocked, None)
        log_p, after = torch.empty(S, k, self._weights.K), torch.empty(state.s.shape)
        alpha = None if state.keys is None else torch.empty(S, k, T)
        contiguous = (None if tensor is None else tensor.contiguous() for tensor in read)
        self._compute(self._engine.take_step, S, k, (k, T), (state.begun, *contiguous, log_p, None, alpha, after))
        return Step(log_p, alpha, replace(state, s=after, begun=None))

    def searches(self, settings: BeamSettings, sentences: int = 1, progress: bool = False) -> bool:
        """Whether ``search_all`` can search with these settings, and is faster than ``beam_search``, which needs only
        one product for all sentences. ``search_all`` searches them one by one, without progress if there are several.
        It is slower with a narrow beam, and if the engine has groups of two inputs."""
        single = settings.n_best == 1 and len(settings.watched) <= 1 and not self._hard
        together = 1 if self.most_rows >= _ROWS[True, True] else sentences
        pairs = self._integers_from is not None and native.group(self._engine) == 2
        sooner = sentences == 1 or not (progress or pairs or settings.beam < _LEAST_BEAM)
        return single and sooner and settings.beam * together <= self.most_rows

    def search_all(
        self, ids: Sequence[Sequence[int]], settings: BeamSettings, on_step: Callable[[int, int], None] | None = None
    ) -> list[Candidate]:
        """Call ``search`` for each sentence, in as many threads as the engine may use."""
        outputs: list[Candidate | None] = [None] * len(ids)

        def part(first: int, end: int) -> int:
            for i in range(first, end):
                outputs[i] = self.search(ids[i], settings, on_step, number=i + 1)
            return 0

        native.in_parts(part, len(ids), settings.beam)
        return [output for output in outputs if output is not None]

    def search(
        self,
        ids: Sequence[int],
        settings: BeamSettings,
        on_step: Callable[[int, int], None] | None = None,
        *,
        number: int = 1,
        forced: Sequence[int] = (),
        blocked: Tensor | None = None,
        given: tuple[int, Tensor] | None = None,
    ) -> Candidate:
        """Find the best output of one sentence. The result equals that of ``beam_search`` bit for bit.

        Args:
            ids: source tokens, end-of-sentence token included.
            on_step: as for ``beam_search``.
            number: number of the sentence in errors, from 1.
            forced: the first ids of the output.
            blocked: bool [T_x], True for a word that gets no weight.
            given: number of a step, from 0, and the weights that replace its alpha, float32 [T_x].
        """
        T, A, banned, attends = len(ids), settings.length_penalty, settings.forbidden, bool(self._weights.attends)
        assert self.searches(settings)
        assert max(banned, default=0) < self._weights.K, "a forbidden id lies outside the vocabulary"
        (limit,) = length_limits(torch.ones(1, T), settings.min_length, settings.max_length).tolist()
        assert len(forced) <= limit
        penalties = np.array([*(float(length) ** A for length in range(limit + 2)), *(np.array([limit + 1.0]) ** A)])
        out, values = np.empty(limit + 1, dtype=np.int64), np.empty(limit + 1)
        alpha = np.empty((limit + 1, T), dtype=np.float32) if attends and settings.alpha else None
        whole = [np.array(array, dtype=np.int64) for array in (ids, forced, banned)]
        weights = [
            None if array is None else array.to(torch.float32).contiguous().numpy()
            for array in (blocked, None if given is None else given[1])
        ]
        asked = _Search(
            self._at,
            *(None if data is None else data.ctypes.data for data in (*whole, penalties, *weights, out, values, alpha)),
            *(T, settings.beam, settings.min_length, limit, len(forced), len(banned), *(settings.watched or (-1,))),
            -1 if given is None else given[0],
        )
        at, length = ctypes.addressof(asked), 0
        try:
            while not length:
                if on_step is not None:
                    on_step(asked.steps + 1, limit + 1)
                length = self._engine.search(at, _STEPS if on_step is None else 1)
        finally:
            self._engine.end_search(at)
        if length < 0:
            raise {**_ERRORS, 3: broken_model(asked.steps), 4: no_output(f"sentence {number}")}[-length]
        return Candidate(
            ids=tuple(out[:length].tolist()),
            log_probability=asked.log_p,
            score=asked.score,
            token_log_probabilities=tuple(values[:length].tolist()),
            alpha=None if alpha is None else alpha[:length].copy(),
            watched=bool(asked.seen),
        )

    def _compute(
        self,
        function: Callable[..., int],
        sentences: int,
        rows: int,
        sizes: tuple[int, ...],
        arrays: Sequence[Tensor | None],
    ) -> None:
        """Call a function of the engine for all sentences, in several threads if there are many rows in total. It gets
        the model, the number of sentences, the sizes and the addresses of the arrays. arrays: contiguous arrays with an
        entry per sentence, or None for an array that the model does not have."""

        def part(first: int, end: int) -> int:
            addresses = [None if array is None else (array[first:] if first else array).data_ptr() for array in arrays]
            return function(self._at, end - first, *sizes, *addresses)

        if failed := native.in_parts(part, sentences, rows):
            raise _ERRORS[failed]


def usual_rows(model: TranslationModel, engine: ctypes.CDLL, precision: torch.dtype | None = None) -> int:
    """The largest number of rows for which the engine computes a step of the model. 0 if torch is always faster."""
    wide = ctypes.c_int.in_dll(engine, "lanes").value == 16 or precision == torch.int8
    return _ROWS[wide, factors(model) < _SMALL]


def search_steps(model: TranslationModel, precision: torch.dtype | None = None) -> DecodingSteps:
    """Steps of a search: with the native engine if it suits the model and the precision, else with torch alone."""
    library = engine() if NativeSteps.suits(model, precision) else None
    if library is None or not usual_rows(model, library, precision):
        return DecodingSteps(model, precision)
    return NativeSteps(model, precision, engine=library)


@functools.cache
def engine() -> ctypes.CDLL | None:
    """The native engine. None if there is none, or if its steps differ from torch's."""
    library = native.library()
    if library is None:
        return None
    random = torch.Generator().manual_seed(1)
    for precision, integers_from in ((None, LEAST_WEIGHTS), (torch.int8, 0)):
        config = ModelConfig(embedding=20, hidden=24, alignment=20, maxout=12)
        model = build_model(config, 50, 70).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.copy_(torch.randn(parameter.shape, generator=random) / 3)
        if not agree(
            NativeSteps(model, precision, engine=library, integers_from=integers_from),
            DecodingSteps(model, precision, integers_from=integers_from),
            0.2 if precision else 1e-3,
        ):
            _log.warning("the native engine is not used, torch computes instead: its step is wrong")
            return None
    return library


def agree(one: DecodingSteps, other: DecodingSteps, most: float) -> bool:
    """Whether ``one`` and ``other`` agree in a second step with three rows: probabilities and alpha within ``most``."""
    source, rows = torch.tensor([[4, 9, 7, 3, 0]]), torch.tensor([[0, 0, 0]])
    results = []
    with torch.no_grad():
        for steps in (one, other):
            first = steps.step(steps.start(source, torch.ones_like(source, dtype=torch.bool)), torch.tensor([[-1]]))
            second = steps.step(steps.select(first.state, rows), torch.tensor([[5, 2, 69]]))
            assert second.alpha is not None
            results.append((second.log_probabilities[..., :70].exp(), second.alpha))
    return all(bool((a - b).abs().max() <= most) for a, b in zip(*results, strict=True))
