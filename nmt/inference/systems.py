"""Systems by their folders: runs, and folders of Hugging Face."""

import pickle
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import vocabulary_files
from nmt.errors import InputError
from nmt.files import read_json, replacing
from nmt.inference.checkpoint import find_device
from nmt.inference.hugging_face import Codec, Head, HuggingFace, Ids, Pieces, Steps, Written
from nmt.inference.system import System
from nmt.inference.text_codec import TextCodec
from nmt.inference.translator import load
from nmt.records import as_record
from nmt.results import Languages
from nmt.runs.folder import is_hugging_face
from nmt.runs.guests import CODE, SEARCH, guest_fingerprint, short_code, stated_language
from nmt.texts import say

PICKLED = "pytorch_model.bin"
PACKAGE = "pip install 'jointly[transformers]'"
_GENERATION = "generation_config.json"
_DOWNLOADED = ["*.json", "*.spm", "*.model", "*.txt", "*.safetensors"]
"""Files that are downloaded from the hub: settings, files of the tokeniser, weights."""


def open_system(
    folder: str, device: str = "cpu", precision: str | None = None, languages: Languages | None = None
) -> System:
    """Load a run, or a folder of Hugging Face, which is searched in fp32. ``languages``: as for ``load_hugging_face``.
    Raises the InputErrors of ``load`` and ``load_hugging_face``. InputError also for ``languages`` with a run, and for
    another precision than fp32 with a folder of Hugging Face."""
    if is_hugging_face(folder):
        if precision not in (None, "fp32"):
            raise InputError(f"{folder} is a folder of Hugging Face, which is searched in fp32, not in {precision}")
        return load_hugging_face(folder, device, languages)
    if languages is not None:
        raise InputError(f"--languages is for a folder of Hugging Face: {folder} is a run, which knows its languages")
    return load(folder, device=device, precision=precision)


@dataclass(frozen=True)
class _Chosen:
    alignment_heads: tuple[Head, ...] | None = None


def convert(folder: Path) -> Path:
    """Convert a folder's pytorch_model.bin to model.safetensors, and return the new file. InputError if
    pytorch_model.bin has more than weights, or cannot be read."""
    from safetensors.torch import save_file

    source, target = folder / PICKLED, folder / "model.safetensors"
    try:
        tensors = torch.load(source, map_location="cpu", weights_only=True)
        weights = {name: tensor.clone().contiguous() for name, tensor in tensors.items()}
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, AttributeError) as error:
        raise InputError(f"{source} does not have weights alone: {type(error).__name__}") from None
    with replacing(target) as temporary:
        save_file(weights, temporary, metadata={"format": "pt"})
    return target


def download(name: str, runs: Path) -> Path:
    """Download a model of the Hugging Face hub into a new folder in ``runs``, with weights as safetensors. Return it.
    No token is sent, and no code is fetched. A download that fails leaves nothing behind.

    InputError if huggingface_hub is not installed, the folder exists already, or the hub does not give the model with
    weights that can be read.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError
    except ModuleNotFoundError:
        raise InputError(
            f"the Hugging Face hub needs huggingface_hub, which comes with transformers: {PACKAGE}"
        ) from None
    folder = runs / Path(name).name
    if folder.exists():
        raise InputError(f"{folder} exists already")
    runs.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=runs, prefix=".") as place:
        part = Path(place, folder.name)
        try:
            snapshot_download(name, local_dir=part, allow_patterns=_DOWNLOADED, token=False)
            if not any(part.glob("*.safetensors")):
                snapshot_download(name, local_dir=part, allow_patterns=[PICKLED], token=False)
        except LocalEntryNotFoundError:
            raise InputError(f"{name} was not downloaded: the Hugging Face hub cannot be reached") from None
        except RepositoryNotFoundError:
            raise InputError(f"the Hugging Face hub has no model {name!r} that is open to everybody") from None
        except (OSError, ValueError) as error:
            raise InputError(f"{name} was not downloaded: {' '.join(str(error).splitlines())[:200]}") from None
        if (part / PICKLED).is_file():
            convert(part)
            (part / PICKLED).unlink()
        if not any(part.glob("*.safetensors")):
            raise InputError(f"{name} has neither safetensors nor a {PICKLED}")
        shutil.rmtree(part / ".cache", ignore_errors=True)  # notes of huggingface_hub
        part.rename(folder)
    return folder


def load_hugging_face(folder: str | Path, device: str = "cpu", languages: Languages | None = None) -> HuggingFace:
    """Load a folder. Only weights in safetensors are read, and no code of the folder is run. ``languages``: the
    tokeniser's names of the languages, or their codes. None = the languages that the folder names. InputError if
    transformers is not installed, or the folder has no encoder-decoder, no safetensors or no languages."""
    try:
        import transformers
    except ModuleNotFoundError:
        raise InputError(f"{folder} is a folder of Hugging Face, which needs transformers: {PACKAGE}") from None
    path = Path(folder)
    if not any(path.glob("*.safetensors")):
        raise InputError(say("errors.guest_weights", folder=path))
    quiet: Any = transformers.logging
    quiet.set_verbosity_error()
    quiet.disable_progress_bar()
    place, ours = find_device(device), bool(vocabulary_files(path, "source"))
    try:
        local: Any = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = None if ours else transformers.AutoTokenizer.from_pretrained(path, **local)
        local |= {"use_safetensors": True, "dtype": torch.float32, "attn_implementation": "eager"}
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(path, **local)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        problem = re.sub(r"\s+", " ", str(error))[:200]
        raise InputError(f"{path} is not an encoder-decoder that transformers can read: {problem}") from None
    name, settings = path.resolve().name, path / _GENERATION
    chosen = (
        as_record(_Chosen, read_json(settings), str(settings), unknown="ignore") if settings.is_file() else _Chosen()
    )
    source, target = _own_sides(path, model.config) if ours else _their_sides(path, model.config, tokenizer, languages)
    steps = Steps(name, model.eval().to(place), source.ids, target.ids, chosen.alignment_heads or ())
    read, written = source.codec, target.codec
    short = Languages(read.tokenizer.language, written.tokenizer.language)
    fingerprint = guest_fingerprint(path, languages or short)  # short codes do not tell zho_Hans from zho_Hant
    return HuggingFace(name, steps, read, written, SEARCH, None, fingerprint, "fp32", None)


@dataclass(frozen=True)
class _Side:
    codec: TextCodec
    ids: Ids


def _own_sides(folder: Path, config: Any) -> tuple[_Side, _Side]:
    """Source and target side of a model that was trained on ids of Jointly. The folder has Jointly's vocabularies."""
    source, target = load_vocabulary(folder, "source"), load_vocabulary(folder, "target")
    reads, writes = Tokenizer(config.source_language), Tokenizer(config.target_language)
    return (
        _Side(TextCodec(reads, source), Ids(theirs=range(len(source)))),
        _Side(TextCodec(writes, target, reads_output=True), Ids(theirs=range(len(target)))),
    )


def _their_sides(folder: Path, config: Any, tokenizer: Any, languages: Languages | None) -> tuple[_Side, _Side]:
    """Source and target side of a model with a tokeniser of transformers. Raises the InputErrors of ``_language``."""
    reads = _language(tokenizer, "source", languages.source if languages else None, folder)
    writes = _language(tokenizer, "target", languages.target if languages else None, folder)
    source = Pieces(tokenizer, config.vocab_size, "source")
    target = Pieces(tokenizer, getattr(config, "decoder_vocab_size", None) or config.vocab_size, "target")
    tasks = getattr(config, "task_specific_params", None) or {}
    task = (tasks.get(f"translation_{reads}_to_{writes}") or {}).get("prefix", "")
    added = tokenizer(task, add_special_tokens=False).input_ids if task else []
    ids = source.ids_there()
    return (
        _Side(Codec(Written(reads), source), replace(ids, before=[*ids.before, *added])),
        _Side(Codec(Written(writes), target), target.ids_there()),
    )


def _language(tokenizer: Any, side: str, wanted: str | None, folder: Path) -> str:
    """Set the tokeniser's language of a side to ``wanted``, None = the language that the folder names. Return its short
    code. InputError if this does not determine one language."""
    short = "src_lang" if side == "source" else "tgt_lang"
    codes_by_name = getattr(tokenizer, "lang_code_to_id", None) or {}
    wanted = wanted or stated_language(folder, side)
    codes = [*codes_by_name, *(token for token in tokenizer.all_special_tokens if re.fullmatch(CODE, token))]
    if codes:
        fitting = [code for code in dict.fromkeys(codes) if wanted in (code, short_code(code))]
        if len(fitting) != 1:
            some = ", ".join(sorted(codes)[:3])
            raise InputError(f"{folder} knows several {side} languages: give --languages, such as {some}")
        setattr(tokenizer, short, fitting[0])
        return short_code(fitting[0])
    language = wanted or getattr(tokenizer, f"{side}_lang", None)
    if language is None:
        raise InputError(f"{folder} does not say its {side} language: give --languages, such as en fr")
    return short_code(language)
