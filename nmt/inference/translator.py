"""A loaded model with its vocabularies: text in, records out."""

from collections.abc import Mapping
from pathlib import Path

import torch

from nmt.config import Config, search_precision
from nmt.data.links import read_dictionary
from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.inference.checkpoint import find_device, load_model
from nmt.inference.system import System
from nmt.inference.text_codec import PaddedTokens, TextCodec
from nmt.inference.text_search import PreparedSteps
from nmt.model import TranslationModel
from nmt.results import Alignment
from nmt.runs.fingerprint import Fingerprint, check_owner, checked_fingerprint
from nmt.runs.folder import BEST, DICTIONARY, LAST, RunInfo, read_run, snapshot_file

PRECISIONS: Mapping[str, torch.dtype | None] = {"fp32": None, "bf16": torch.bfloat16, "int8": torch.int8}
"""Arguments of ``PreparedSteps`` by name of the precision."""


class Translator(System):
    """A loaded run. config: recipe, model and training settings. model: for inspection. Do not modify it."""

    def __init__(
        self,
        name: str,
        config: Config,
        model: TranslationModel,
        source: TextCodec,
        target: TextCodec,
        dictionary: Mapping[str, str] | None = None,
        fingerprint: Fingerprint | None = None,
        precision: str = "fp32",
        update: int = 0,
    ) -> None:
        steps = PreparedSteps(model, PRECISIONS[precision])
        super().__init__(name, steps, source, target, config.search, dictionary, fingerprint, precision, update)
        self.config, self.model = config, model

    def posterior(self, source: str, target: str, *, pretokenised: bool = False) -> Alignment:
        """Compute the posterior alignment of a pair with the arguments of ``align``. Unlike alpha, a row's weights take
        the target word into account (``TranslationModel.posterior``). Only for a model with attention."""
        ((x, y),) = self.encode_pairs([(source, target)], pretokenised=pretokenised)
        read, written = (PaddedTokens([side], self.device) for side in (x, y))
        return x.aligned(y, self.model.posterior(read.ids, read.mask, written.ids, written.mask)[0].cpu().numpy())


def load(
    run: str | Path | RunInfo, weights: str | int = "best", device: str = "cpu", precision: str | None = None
) -> Translator:
    """Load a checkpoint.

    Args:
        run: a run folder, such as checkpoints/rnnsearch-50, or its name, or a ``RunInfo`` with its weights.
        weights: "best" (on the development set), "last", or the number of an update whose weights were saved.
        device: device to compute on, "cpu" or "cuda".
        precision: precision of the matrix products of a search: "fp32", "bf16" or "int8", None = int8. int8 multiplies
            large matrices in integers, and log-probabilities differ by some 0.001 nats. Without fast and exact products
            of integers, None and int8 are fp32. Given translations are always scored and aligned in fp32.

    Raises InputError if a file of the folder is missing, broken, or differs from the run's list of checksums, or the
    device does not exist.
    """
    if not isinstance(run, str | Path | RunInfo):
        raise InputError(f"a run is named by the path of its folder, not by {run!r:.60}")
    if weights not in ("best", "last") and not isinstance(weights, int):
        raise InputError(f'weights must be "best" or "last", or the number of an update, not {weights!r}')
    precision = search_precision(precision, device)
    if precision not in PRECISIONS:
        raise InputError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision!r}")
    torch.set_flush_denormal(True)
    file = snapshot_file(weights) if isinstance(weights, int) else BEST if weights == "best" else LAST
    info = run if isinstance(run, RunInfo) else read_run(run, file)
    place = find_device(device)
    fingerprint = checked_fingerprint(info)
    source, target = (
        TextCodec(Tokenizer(language), load_vocabulary(info.path, side, expected.size), reads_output=side == "target")
        for side, language, expected in (
            ("source", info.source_language, info.source_vocabulary),
            ("target", info.target_language, info.target_vocabulary),
        )
    )
    model = load_model(info, info.weights.path, paged=place.type == "cpu").to(place)
    check_owner(info)
    dictionary = read_dictionary(info.path / DICTIONARY) if (info.path / DICTIONARY).is_file() else None
    update = info.weights.update
    return Translator(info.name, info.config, model, source, target, dictionary, fingerprint, precision, update)
