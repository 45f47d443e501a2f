"""How good the model is on the development set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sacrebleu
import torch

from nmt.data.batching import Batch, in_order
from nmt.data.prepared import Prepared, Split
from nmt.model import TranslationModel
from nmt.results import SampleEvent
from nmt.training.samples import SAMPLES
from nmt.translator import Translator


@dataclass(frozen=True)
class TensorBatch:
    """The ids and masks of a ``Batch`` on the device of the model."""

    source: torch.Tensor
    source_mask: torch.Tensor
    target: torch.Tensor
    target_mask: torch.Tensor


def to_device(batch: Batch, device: torch.device) -> TensorBatch:
    return TensorBatch(
        *(
            torch.from_numpy(array).to(device, non_blocking=True)
            for array in (batch.source, batch.source_mask, batch.target, batch.target_mask)
        )
    )


@dataclass(frozen=True)
class NegativeLogLikelihood:
    """Mean NLL in nats, per target token (end marks included) and per sentence (Table 2)."""

    per_word: float
    per_sentence: float


def measure_nll(model: TranslationModel, split: Split, tokens: int = 4000) -> NegativeLogLikelihood:
    """The plain NLL of a split, in fp32 and without dropout or smoothing.

    Paper: Table 2
    """
    training = model.training
    model.eval()
    total, words = 0.0, 0
    with torch.inference_mode():
        for batch in in_order(split, tokens):
            b = to_device(batch, model.decoder.E.device)
            output = model.loss(b.source, b.source_mask, b.target, b.target_mask)
            total += float(output.nll)
            words += output.words
    model.train(training)
    return NegativeLogLikelihood(total / words, total / len(split))


def measure_bleu(model: TranslationModel, translator: Translator, prepared: Prepared) -> float:
    """BLEU of greedy translations of the development set (sacreBLEU's default tokeniser, mixed case)."""
    training = model.training
    model.eval()
    hypotheses = translator.greedy_all(prepared.dev_source)
    model.train(training)
    return float(sacrebleu.corpus_bleu(hypotheses, [prepared.dev_target]).score)


def samples(model: TranslationModel, translator: Translator, update: int) -> Iterator[SampleEvent]:
    """Greedy translations of our own sentences, where we have some in the source language."""
    sentences: Sequence[str] = SAMPLES.get(translator.source_language, ())
    if not sentences:
        return
    training = model.training
    model.eval()
    translations = translator.greedy_all(sentences)
    model.train(training)
    for source, translation in zip(sentences, translations, strict=True):
        yield SampleEvent(update, source, translation)
