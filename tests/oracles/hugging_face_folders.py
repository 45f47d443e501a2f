"""Folders of Hugging Face with random weights and real tokenisers, of nine architectures; no network."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

ROOT = Path(__file__).parent.parent.parent
TEXT = [
    line for side in ("en", "fr") for line in (ROOT / f"testsets/jointly-150/tokens.{side}").read_text().split("\n")
]
NAMES = ("marian", "m2m100", "nllb-moe", "mbart", "bart", "t5", "mt5", "umt5", "pegasus")
LANGUAGES = {
    "m2m100": ("en", "fr"),
    "nllb-moe": ("eng_Latn", "fra_Latn"),
    "mbart": ("en_XX", "fr_XX"),
}
"""Codes of the architectures that know many languages; the others take ours."""


def build(name: str, folder: Path) -> Path:
    """Write the folder of an architecture."""
    folder.mkdir(parents=True)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    pieces = _pieces(folder.parent)
    tokenizer = _TOKENIZERS[name](folder, pieces)
    if tokenizer is not None:
        tokenizer.save_pretrained(folder)
    read = transformers.AutoTokenizer.from_pretrained(folder)
    size = 1 + max({*read.get_vocab().values(), *getattr(read, "lang_code_to_id", {}).values()})
    torch.manual_seed(NAMES.index(name))
    model = _model(name, size, read)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4)  # random, but not flat
    model.save_pretrained(folder, safe_serialization=True)
    return folder


def _pieces(folder: Path) -> Path:
    path = folder / "sp.model"
    if not path.exists():
        (folder / "text.txt").write_text("\n".join(TEXT), encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=str(folder / "text.txt"), model_prefix=str(folder / "sp"), vocab_size=300, character_coverage=1.0,
            pad_id=0, eos_id=1, unk_id=2, bos_id=-1, minloglevel=2,
        )  # fmt: skip
    return path


def _own(path: Path) -> list[tuple[str, float]]:
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    listed = [(processor.id_to_piece(id), processor.get_score(id)) for id in range(processor.get_piece_size())]
    return [(piece, score) for piece, score in listed if piece not in ("<pad>", "</s>", "<unk>")]


def _bpe(byte_level: bool, special: list[str]) -> dict[str, Any]:
    learned = Tokenizer(models.BPE(unk_token=None if byte_level else "<unk>"))
    split: Any = pre_tokenizers.ByteLevel(add_prefix_space=False) if byte_level else pre_tokenizers.Metaspace()
    learned.pre_tokenizer = split
    alphabet = pre_tokenizers.ByteLevel.alphabet() if byte_level else []
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    learned.train_from_iterator(TEXT, trainer)
    found = json.loads(learned.to_str())["model"]
    return {"vocab": found["vocab"], "merges": [tuple(pair) for pair in found["merges"]]}


def _marian(folder: Path, pieces: Path) -> None:
    vocabulary = ["</s>", "<unk>", *(piece for piece, _ in _own(pieces)), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({piece: id for id, piece in enumerate(vocabulary)}))
    for name in ("source.spm", "target.spm"):
        shutil.copy(pieces, folder / name)
    settings = {"source_lang": "en", "target_lang": "fr", "tokenizer_class": "MarianTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))


def _m2m100(folder: Path, pieces: Path) -> Any:
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *(piece for piece, _ in _own(pieces))]
    (folder / "vocab.json").write_text(json.dumps({piece: id for id, piece in enumerate(vocabulary)}))
    shutil.copy(pieces, folder / "sentencepiece.bpe.model")
    return transformers.M2M100Tokenizer(
        vocab_file=str(folder / "vocab.json"), spm_file=str(folder / "sentencepiece.bpe.model")
    )


def _first(pieces: Path, *special: str) -> list[tuple[str, float]]:
    return [*((token, 0.0) for token in special), *_own(pieces)]


_TOKENIZERS: dict[str, Callable[[Path, Path], Any]] = {
    "marian": _marian,
    "m2m100": _m2m100,
    "nllb-moe": lambda _, pieces: transformers.NllbTokenizer(**_bpe(False, ["<s>", "<pad>", "</s>", "<unk>"])),
    "mbart": lambda _, pieces: transformers.MBartTokenizer(vocab=_first(pieces, "<s>", "<pad>", "</s>", "<unk>")),
    "bart": lambda _, pieces: transformers.BartTokenizer(**_bpe(True, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])),
    "pegasus": lambda _, pieces: transformers.PegasusTokenizer(
        vocab=_first(pieces, "<pad>", "</s>", "<unk>"), offset=0
    ),
} | dict.fromkeys(
    ("t5", "mt5", "umt5"),
    lambda _, pieces: transformers.T5Tokenizer(vocab=_first(pieces, "<pad>", "</s>", "<unk>"), extra_ids=3),
)


def _model(name: str, size: int, tokenizer: Any) -> Any:
    special = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id, "vocab_size": size}
    bart = special | {
        "d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
        "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64,
        "bos_token_id": tokenizer.eos_token_id, "forced_eos_token_id": None, "forced_bos_token_id": None,
        "num_experts": 4,
        "decoder_start_token_id": tokenizer.pad_token_id if name in ("marian", "pegasus") else tokenizer.eos_token_id,
    }  # fmt: skip
    t5 = special | {
        "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_decoder_layers": 3, "num_heads": 4,
        "decoder_start_token_id": tokenizer.pad_token_id,
    }  # fmt: skip
    if name == "t5":
        t5["task_specific_params"] = {"translation_en_to_fr": {"prefix": "translate English to French: "}}
    settings, cls = {
        "marian": (transformers.MarianConfig, transformers.MarianMTModel),
        "m2m100": (transformers.M2M100Config, transformers.M2M100ForConditionalGeneration),
        "nllb-moe": (transformers.NllbMoeConfig, transformers.NllbMoeForConditionalGeneration),
        "mbart": (transformers.MBartConfig, transformers.MBartForConditionalGeneration),
        "bart": (transformers.BartConfig, transformers.BartForConditionalGeneration),
        "t5": (transformers.T5Config, transformers.T5ForConditionalGeneration),
        "mt5": (transformers.MT5Config, transformers.MT5ForConditionalGeneration),
        "umt5": (transformers.UMT5Config, transformers.UMT5ForConditionalGeneration),
        "pegasus": (transformers.PegasusConfig, transformers.PegasusForConditionalGeneration),
    }[name]
    return cls(settings(**(t5 if "t5" in name else bart))).eval()
