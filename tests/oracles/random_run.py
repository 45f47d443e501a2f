"""Run folders with random weights: complete, but untrained."""

from collections import Counter
from pathlib import Path
from typing import Literal

import torch

from nmt.config import Config, ModelConfig
from nmt.data.subwords import train_pieces
from nmt.data.vocabulary import END_ID, Shortlist, Vocabulary
from nmt.inference.checkpoint import save_weights
from nmt.model import build_model
from nmt.runs.folder import RunSettings, VocabularyInfo, write_settings

ENGLISH = "the a girl cat sea is she has never seen sleeps on mat reads . , European Economic Area".split()
FRENCH = "la le une fille chat mer est elle a jamais vu dort sur lit . , zone économique européenne".split()
JAPANESE = (
    "猫 は ベッド で 眠っ て いる 少女 が 本 を 読む 彼女 海 見た こと ない 。 、 ヨーロッパ Tom 3.5km ! km".split()
)

Kind = Literal["words", "bpe"]


def vocabulary(words: list[str], kind: Kind, with_bytes: bool = False) -> Vocabulary:
    """A vocabulary of the words themselves, or of pieces so small that most words are split."""
    if kind == "words":
        return Shortlist(words)
    return train_pieces(Counter(dict.fromkeys(words, 5)), "bpe", 45 + 256 * with_bytes, with_bytes)


def random_run(
    folder: Path,
    architecture: Literal["rnnsearch", "rnnencdec"] = "rnnsearch",
    kind: Kind = "words",
    hidden: int = 12,
    endless: bool = False,
    unit: Literal["gated", "reset_after", "lstm"] = "gated",
    score: Literal["additive", "concat", "general", "dot", "gaussian"] = "additive",
    state_order: Literal["printed", "program", "equation"] = "printed",
    encoder: Literal["bidirectional", "forward"] = "bidirectional",
    readout: Literal["maxout", "linear"] = "maxout",
    start: Literal["backward", "both"] = "backward",
    target_language: Literal["fr", "ja"] = "fr",
) -> Path:
    """Write a run whose weights are wide enough apart for alpha to be far from uniform. An endless one never wants
    to end a sentence. Subwords of Japanese include the bytes."""
    folder.mkdir(parents=True)
    sizes = ModelConfig(
        architecture=architecture,
        embedding=8,
        hidden=hidden,
        alignment=hidden,
        maxout=8,
        unit=unit,
        score=score,
        state_order=state_order,
        encoder=encoder,
        readout=readout,
        start=start,
    )
    into_japanese = target_language == "ja"
    source, target = vocabulary(ENGLISH, kind), vocabulary(JAPANESE if into_japanese else FRENCH, kind, into_japanese)
    model = build_model(sizes, len(source), len(target))
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.7)
        if score == "gaussian":  # whose means are exponentials of it: rounding would move them by whole words
            model.attention.W_a.mul_(0.1)
        model.readout.b_o[END_ID] = -1000 if endless else -3  # else most sentences would end at once
    write_settings(
        folder,
        RunSettings(
            config=Config(recipe="debug", model=sizes),
            source_language="en",
            target_language=target_language,
            source_vocabulary=VocabularyInfo(kind, len(source)),
            target_vocabulary=VocabularyInfo(kind, len(target)),
        ),
    )
    source.save(folder, "source")
    target.save(folder, "target")
    save_weights(folder / "model.safetensors", model, {"update": 7, "epoch": 0.5})
    return folder
