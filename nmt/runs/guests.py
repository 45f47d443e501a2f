"""Model folders of Hugging Face in place of runs, described without the packages transformers and torch."""

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

from nmt.config import Config, SearchSettings, TrainingConfig
from nmt.errors import InputError
from nmt.files import sha256_of
from nmt.results import Languages
from nmt.runs.fingerprint import Fingerprint
from nmt.runs.folder import (
    CONFIG,
    BrokenRun,
    Guest,
    RunInfo,
    VocabularyInfo,
    WeightsInfo,
    is_hugging_face,
    listed,
    opened_weights,
)
from nmt.texts import say

SEARCH = SearchSettings(beam=4)
"""Default settings of a search with a model of Hugging Face."""
_SHORT = {"eng": "en", "fra": "fr", "deu": "de", "jpn": "ja", "kor": "ko"}
"""The short codes of languages for which the program has rules, by long code."""
CODE = re.compile(r"_*([a-z]{2,3})(?:_[A-Za-z]{2,4})?_*")


def short_code(code: str) -> str:
    """The code that this program uses for a language.

    >>> short_code("eng_Latn"), short_code("__fr__"), short_code("de_DE")
    ('en', 'fr', 'de')
    """
    match = re.fullmatch(CODE, code)
    return _SHORT.get(match[1], match[1]) if match else code


def stated_language(folder: Path, side: str) -> str | None:
    """The code of a side's language from config.json, or else the settings of the tokeniser, or else the folder's name.
    None if no place states it."""
    for name, key in ((CONFIG, f"{side}_language"), ("tokenizer_config.json", f"{side}_lang")):
        stated = _settings(folder / name).get(key)
        if isinstance(stated, str):
            return stated
    named = re.search(r"(?:^|-)([a-z]{2,3})-([a-z]{2,3})$", folder.resolve().name)
    return None if named is None else named[1 if side == "source" else 2]


def _settings(path: Path) -> dict[str, Any]:
    """Read a JSON object of transformers, with any numbers. {} without a file. InputError for any other content."""
    try:
        settings = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    except ValueError:
        settings = None
    if not isinstance(settings, dict):
        raise InputError(say("errors.guest_kind", folder=path.parent))
    return settings


def list_guests(folder: str | Path) -> list[RunInfo | BrokenRun]:
    """List the model folders of Hugging Face in a folder (``listed``)."""
    return listed(folder, lambda path: read_guest(path) if is_hugging_face(path) else None)


def read_guest(path: Path) -> RunInfo:
    """Describe a model folder by its settings and the headers of its weights. Raises InputError if it has no
    safetensors, is no encoder-decoder, or states no languages. In ``config`` only ``search`` is meaningful."""
    config = _settings(path / CONFIG)
    files = sorted(path.glob("*.safetensors"))
    if not files:
        raise InputError(say("errors.guest_weights", folder=path))
    layers = config.get("decoder_layers") or config.get("num_decoder_layers") or config.get("num_layers")
    heads = config.get("decoder_attention_heads") or config.get("num_heads")
    if not (config.get("is_encoder_decoder") and isinstance(layers, int) and isinstance(heads, int)):
        raise InputError(say("errors.guest_kind", folder=path))
    source, target = (stated_language(path, side) for side in ("source", "target"))
    if source is None or target is None:
        raise InputError(say("errors.guest_languages", folder=path))
    size = VocabularyInfo("unigram", max(2, int(config.get("vocab_size", 2))))
    return RunInfo(
        config=Config(search=SEARCH, training=TrainingConfig(max_length=None)),
        source_language=short_code(source),
        target_language=short_code(target),
        source_vocabulary=size,
        target_vocabulary=size,
        path=path,
        name=path.resolve().name,
        weights=WeightsInfo(path=files[0], **_weights(files)),
        guest=Guest(languages=Languages(source, target), layers=layers, heads=heads),
    )


def _weights(files: list[Path]) -> dict[str, Any]:
    parameters, kinds = 0, set[str]()
    for path in files:
        with opened_weights(path) as file:
            slices = [file.get_slice(name) for name in file.keys()]  # noqa: SIM118
            parameters += sum(math.prod(piece.get_shape()) for piece in slices)
            kinds |= {piece.get_dtype() for piece in slices}
    bytes_ = sum(path.stat().st_size for path in files)
    return {"parameters": parameters, "dtype": "/".join(sorted(kinds)), "bytes": bytes_}


def guest_fingerprint(folder: Path, languages: Languages) -> Fingerprint:
    """Checksums of the weights, and of the other files that decide input and output. ``languages``: the codes that
    were asked for, or the short codes of those that the folder states."""
    kinds = (".json", ".model", ".spm", ".txt")
    weights, others = hashlib.sha256(), hashlib.sha256(f"{languages.source} {languages.target}".encode())
    for path in sorted(filter(Path.is_file, folder.iterdir())):
        if path.suffix == ".safetensors":
            weights.update(sha256_of(path).encode())
        elif path.suffix in kinds:
            others.update(f"\n{path.name} {sha256_of(path)}".encode())
    return Fingerprint(weights.hexdigest(), others.hexdigest(), "")
