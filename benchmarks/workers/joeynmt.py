"""JoeyNMT: bidirectional GRU, GRU decoder with Bahdanau attention and input feeding."""

from __future__ import annotations

from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import torch
from joeynmt.batch import Batch
from joeynmt.model import build_model
from joeynmt.search import search
from joeynmt.vocabulary import Vocabulary
from torch import Tensor, nn

from benchmarks.batches import Minibatch
from benchmarks.sizes import Size
from benchmarks.workers.protocol import WORDS, serve
from benchmarks.workers.torch_worker import TorchWorker

UNK, PAD, BOS, EOS = range(4)
MARKS = SimpleNamespace(
    unk_token="<unk>",
    pad_token="<pad>",
    bos_token="<s>",
    eos_token="</s>",
    sep_token=None,
    unk_id=UNK,
    pad_id=PAD,
    bos_id=BOS,
    eos_id=EOS,
    sep_id=None,
    lang_tags=[],
)


class JoeyNMT(TorchWorker):
    name = "JoeyNMT"
    version = version("joeynmt")

    def build(self, size: Size, training: bool) -> nn.Module:
        embeddings = {"embedding_dim": size.embedding, "scale": False, "dropout": 0.0}
        common = {"type": "recurrent", "rnn_type": "gru", "hidden_size": size.hidden, "num_layers": 1, "dropout": 0.0}
        config: dict[str, Any] = {
            "encoder": common | {"embeddings": embeddings, "bidirectional": True},
            "decoder": common
            | {
                "embeddings": embeddings,
                "attention": "bahdanau",
                "input_feeding": True,
                "init_hidden": "bridge",
                "hidden_dropout": 0.0,
            },
        }
        self.joey: nn.Module = build_model(config, _vocabulary(size.vocabulary), _vocabulary(size.vocabulary))
        self.joey = self.joey.to(self.device).train(training)
        setattr(self.joey, "loss_function", ("crossentropy", 0.0))  # noqa: B010 - a property that stores something else
        self.optimizer = torch.optim.Adadelta(self.joey.parameters(), lr=1.0, rho=0.95, eps=1e-6)
        return self.joey

    def prepare(self, batch: Minibatch) -> Batch:
        return self._batch(torch.from_numpy(batch.source), torch.from_numpy(batch.target))

    def _batch(self, source: Tensor, target: Tensor | None) -> Batch:
        lengths = (source >= 0).sum(dim=1) + 1
        batch = Batch(
            src=_ended(source),
            src_length=lengths,
            src_prompt_mask=None,
            trg=None if target is None else torch.cat([torch.full_like(target[:, :1], BOS), _ended(target)], dim=1),
            trg_prompt_mask=None,
            indices=torch.arange(len(source)),
            device=self.device,
            pad_index=PAD,
            eos_index=EOS,
            is_train=target is not None,
        )
        batch.sort_by_src_length()  # its encoder needs that
        return batch

    def _autocast(self, precision: str) -> dict[str, Any]:
        return {"device_type": self.device.type, "enabled": precision == "bf16", "dtype": torch.bfloat16}

    def train(self, prepared: object, precision: str) -> None:
        assert isinstance(prepared, Batch)
        with torch.autocast(**self._autocast(precision)):
            loss, _, _, _ = self.joey(return_type="loss", **vars(prepared))
        prepared.normalize(loss, normalization="batch").backward()
        nn.utils.clip_grad_norm_(self.joey.parameters(), 1.0)
        self.optimizer.step()
        self.joey.zero_grad()

    def read(self, sources: Tensor) -> Batch:
        return self._batch(sources, None)

    def decode(self, prepared: object, beam: int, precision: str) -> int:
        assert isinstance(prepared, Batch)
        outputs, _, _ = search(
            self.joey,
            prepared,
            max_output_length=WORDS,
            beam_size=beam,
            beam_alpha=0,
            min_output_length=WORDS,
            autocast=self._autocast(precision),
        )
        return len(outputs) if outputs.shape[1] == WORDS else 0


def _ended(ids: Tensor) -> Tensor:
    """Ids with an end mark after the last word of each."""
    lengths = (ids >= 0).sum(dim=1, keepdim=True)
    ids = torch.cat([ids, torch.full_like(ids[:, :1], -1)], dim=1)
    return ids.masked_fill(ids < 0, PAD).scatter(1, lengths, EOS)


def _vocabulary(entries: int) -> Vocabulary:
    """Its own marks and as many words as make ``entries``."""
    vocabulary = Vocabulary([], MARKS)
    words = [f"w{number}" for number in range(len(vocabulary), entries)]
    vocabulary._stoi.update({word: len(vocabulary) + i for i, word in enumerate(words)})  # add_tokens is quadratic
    vocabulary._itos.extend(words)
    return vocabulary


if __name__ == "__main__":
    serve(JoeyNMT)
