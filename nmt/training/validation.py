"""Quality of the model on the development set, and sentences that show what it writes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import sacrebleu
import torch

from nmt.config import SearchSettings
from nmt.data.batching import in_order
from nmt.data.prepared import Prepared, Split
from nmt.distributed import ALONE, Processes
from nmt.evaluation.metrics import bleu_tokeniser
from nmt.files import read_toml
from nmt.inference.translator import Translator
from nmt.model import TranslationModel
from nmt.results import Likelihood, SampleEvent
from nmt.training.loader import to_device


def measure_nll(model: TranslationModel, split: Split, processes: Processes = ALONE, tokens: int = 4000) -> Likelihood:
    """Measure the plain NLL of a split, in fp32 and without dropout or smoothing. Each process scores its share.

    Paper: Table 2
    """
    training = model.training
    model.eval()
    device = model.decoder.E.device
    total = torch.zeros(1, dtype=torch.float64, device=device)
    with torch.inference_mode():
        for batch in in_order(split, tokens, processes.rank, processes.count):
            b = to_device(batch, device)
            total += model.loss(b.source, b.source_mask, b.target, b.target_mask).nll.double()
    processes.sum_([total])
    model.train(training)
    nll = float(total)
    return Likelihood(nll / len(split), nll / int(split.target.lengths.sum()))


def measure_bleu(translator: Translator, prepared: Prepared, processes: Processes = ALONE) -> float:
    """Measure BLEU of greedy translations of the development set (sacreBLEU's default tokeniser, characters for
    Japanese; mixed case). Each process translates its share."""
    hypotheses = processes.spread(prepared.dev_source, len, lambda texts: _greedy(translator, texts))
    tokeniser = bleu_tokeniser(prepared.target_language)
    return float(sacrebleu.corpus_bleu(hypotheses, [prepared.dev_target], tokenize=tokeniser, force=True).score)


def _greedy(translator: Translator, texts: Sequence[str]) -> list[str]:
    """Translate with a beam of 1, and [UNK] as the model writes it."""
    training = translator.model.training
    translator.model.eval()
    translations = translator.translate([*texts], SearchSettings(beam=1), alpha=False)
    translator.model.train(training)
    return [each.text for each in translations]


def samples(translator: Translator, update: int) -> Iterator[SampleEvent]:
    """Translate the project's own sentences greedily, if there are any in the source language."""
    sentences = SAMPLES.get(translator.source_language, ())
    for source, translation in zip(sentences, _greedy(translator, sentences), strict=True):
        yield SampleEvent(update, source, translation)


SAMPLES = read_toml(dict[str, tuple[str, ...]], Path(__file__).with_name("samples.toml"))
"""Sentences by language, from samples.toml."""
