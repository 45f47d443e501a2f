"""OpenNMT-py: bidirectional GRU, GRU decoder with input feeding and MLP attention.

The package imports all of its tools at once; those that are not needed here, and not installed, are replaced by
empty ones.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from importlib.metadata import version
from typing import Any
from unittest.mock import MagicMock

for absent in ("pyonmttok", "spacy", "ahocorasick", "rapidfuzz", "regex", "fasttext"):
    sys.modules[absent] = MagicMock()
os.environ.setdefault("PYTHONWARNINGS", "ignore")

import torch  # noqa: E402
from onmt.decoders.decoder import InputFeedRNNDecoder  # noqa: E402
from onmt.encoders.rnn_encoder import RNNEncoder  # noqa: E402
from onmt.models.model import NMTModel  # noqa: E402
from onmt.modules import Embeddings  # noqa: E402
from onmt.translate.beam_search import GNMTGlobalScorer  # noqa: E402
from onmt.translate.translator import Translator  # noqa: E402
from onmt.utils.loss import LossCompute  # noqa: E402
from torch import Tensor, nn  # noqa: E402

from benchmarks.batches import Minibatch  # noqa: E402
from benchmarks.sizes import Size  # noqa: E402
from benchmarks.workers.protocol import WORDS, serve  # noqa: E402
from benchmarks.workers.torch_worker import TorchWorker  # noqa: E402

UNK, PAD, BOS, EOS = range(4)


class _Marks:
    """The part of a vocabulary that its search needs."""

    def __init__(self, entries: int) -> None:
        self._entries = entries

    def lookup_token(self, token: str) -> int:
        return {"<unk>": UNK, "<blank>": PAD, "<s>": BOS, "</s>": EOS}.get(token, UNK)

    def __len__(self) -> int:
        return self._entries


class OpenNMT(TorchWorker):
    name = "OpenNMT-py"
    version = version("OpenNMT-py")

    def build(self, size: Size, training: bool) -> nn.Module:
        def embeddings() -> Embeddings:
            return Embeddings(size.embedding, size.vocabulary, PAD)

        encoder = RNNEncoder("GRU", True, 1, size.hidden, embeddings=embeddings())
        decoder = InputFeedRNNDecoder("GRU", True, 1, size.hidden, attn_type="mlp", embeddings=embeddings())
        self.onmt: nn.Module = NMTModel(encoder, decoder)
        self.onmt.generator = nn.Linear(size.hidden, size.vocabulary)
        for parameter in self.onmt.parameters():  # its layers come without initial values; 0.1 is its default
            nn.init.uniform_(parameter, -0.1, 0.1)
        self.onmt = self.onmt.to(self.device).train(training)
        self.entries = size.vocabulary
        self.loss = LossCompute(nn.CrossEntropyLoss(ignore_index=PAD, reduction="sum"), self.onmt.generator)
        self.optimizer = torch.optim.Adadelta(self.onmt.parameters(), lr=1.0, rho=0.95, eps=1e-6)
        return self.onmt

    def prepare(self, batch: Minibatch) -> dict[str, Tensor]:
        target = _ended(torch.from_numpy(batch.target))
        target = torch.cat([torch.full_like(target[:, :1], BOS), target], dim=1)
        return self._source(torch.from_numpy(batch.source)) | {"tgt": target.unsqueeze(2).to(self.device)}

    def _source(self, ids: Tensor) -> dict[str, Tensor]:
        lengths = (ids >= 0).sum(dim=1) + 1
        return {"src": _ended(ids).unsqueeze(2).to(self.device), "srclen": lengths.to(self.device)}

    def _autocast(self, precision: str) -> Any:
        return torch.autocast(self.device.type, torch.bfloat16) if precision == "bf16" else nullcontext()

    def train(self, prepared: object, precision: str) -> None:
        assert isinstance(prepared, dict)
        self.optimizer.zero_grad(set_to_none=True)
        with self._autocast(precision):
            output, attention = self.onmt(prepared["src"], prepared["tgt"], prepared["srclen"])
            loss, _ = self.loss(prepared, output, attention)
        (loss / len(prepared["src"])).backward()
        nn.utils.clip_grad_norm_(self.onmt.parameters(), 1.0)
        self.optimizer.step()

    def read(self, sources: Tensor) -> dict[str, Tensor]:
        return self._source(sources)

    def decode(self, prepared: object, beam: int, precision: str) -> int:
        marks = _Marks(self.entries)
        translator = Translator(
            self.onmt,
            {"src": marks, "tgt": marks, "decoder_start_token": "<s>"},
            min_length=WORDS,
            max_length=WORDS,
            max_length_ratio=0,
            beam_size=beam,
            dump_beam="",
            global_scorer=GNMTGlobalScorer(0.0, 0.0, "none", "none"),
        )
        with self._autocast(precision):
            found = translator.translate_batch(prepared, attn_debug=False)
        return sum(len(best[0]) == WORDS for best in found["predictions"])


def _ended(ids: Tensor) -> Tensor:
    """Ids with an end mark after the last word of each."""
    lengths = (ids >= 0).sum(dim=1, keepdim=True)
    ids = torch.cat([ids, torch.full_like(ids[:, :1], -1)], dim=1)
    return ids.masked_fill(ids < 0, PAD).scatter(1, lengths, EOS)


if __name__ == "__main__":
    serve(OpenNMT)
