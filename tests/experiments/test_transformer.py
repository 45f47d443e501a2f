"""The Transformer: its loss against transformers' own, padding, folder, and trainings that are stopped or killed."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from transformers import MarianMTModel

from experiments.transformer import SETTINGS, Training, Transformer
from nmt.inference.systems import open_system
from nmt.results import ValidationEvent
from nmt.runs.folder import RESUME, TRAINING
from tests.oracles.toy_corpus import reversed_words, toy_corpus

K_X, K_Y = 11, 9
SMALL = replace(
    SETTINGS,
    precision="fp32",
    batch_tokens=200,
    warmup=2,
    max_updates=6,
    log_every=2,
    validate_every=3,
    save_every=1,
    keep=(4,),
)


def batch(lengths: list[tuple[int, int]]) -> list[Tensor]:
    """Source, its mask, target, its mask: random words, the end token 0, and 0 where padded."""
    generator = torch.Generator().manual_seed(7)
    sides = []
    for side, size in ((0, K_X), (1, K_Y)):
        longest = max(pair[side] for pair in lengths)
        ids = torch.zeros(len(lengths), longest, dtype=torch.long)
        mask = torch.zeros(len(lengths), longest, dtype=torch.bool)
        for row, pair in enumerate(lengths):
            ids[row, : pair[side] - 1] = torch.randint(1, size, (pair[side] - 1,), generator=generator)
            mask[row, : pair[side]] = True
        sides += [ids, mask]
    return sides


@torch.no_grad()
def test_the_loss_is_that_of_transformers() -> None:
    """Transformers shifts the labels itself, adds its final bias, and leaves out labels of -100."""
    model = Transformer(K_X, K_Y).eval()
    source, source_mask, target, target_mask = batch([(5, 4), (2, 7), (1, 1)])
    found = model.loss(source, source_mask, target, target_mask)
    for row in range(len(source)):
        x, y = source[row][source_mask[row]][None], target[row][target_mask[row]][None]
        alone = model.loss(x, torch.ones_like(x, dtype=torch.bool), y, torch.ones_like(y, dtype=torch.bool))
        theirs = model.marian(input_ids=x, labels=y).loss * y.numel()
        torch.testing.assert_close(alone.nll, theirs)
        found = found._replace(nll=found.nll - alone.nll)
    assert float(found.nll) == pytest.approx(0, abs=1e-4)
    assert found.words == 12


@torch.no_grad()
def test_what_stands_in_the_padding_does_not_matter() -> None:
    model = Transformer(K_X, K_Y).eval()
    source, source_mask, target, target_mask = batch([(5, 4), (2, 7)])
    plain = model.loss(source, source_mask, target, target_mask).nll
    other = model.loss(source.masked_fill(~source_mask, 3), source_mask, target, target_mask).nll
    assert float(plain) == float(other)


def test_a_training_that_is_stopped_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    prepared = toy_corpus(tmp_path)
    whole = list(Training(prepared, tmp_path / "whole", SMALL).run())
    first = Training(prepared, tmp_path / "parted", SMALL)
    for event in first.run():
        first.stopped = first.stopped or isinstance(event, ValidationEvent)
    assert (tmp_path / "parted" / RESUME).exists()
    list(Training(prepared, tmp_path / "parted", SMALL).run())
    clock = {"seconds", "words_per_second"}
    logs = [
        [
            {key: value for key, value in json.loads(line).items() if key not in clock}
            for line in (tmp_path / name / TRAINING).read_text("utf-8").splitlines()
        ]
        for name in ("whole", "parted")
    ]
    assert logs[0] == logs[1]
    assert len(logs[0]) == len(whole) == 3 + 2 + 1
    assert logs[0][-1]["update"] == 6


def test_a_training_that_is_killed_gives_the_weights_of_one_that_ran_through(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    prepared, settings = toy_corpus(tmp_path), replace(SMALL, save_every=2, log_every=1)
    list(Training(prepared, tmp_path / "whole", settings).run())
    killed = Training(prepared, tmp_path / "killed", settings).run()
    while next(killed).update < 5:  # type: ignore[union-attr]
        pass
    killed.close()  # after update 5, of which the state of update 4 knows nothing
    list(Training(prepared, tmp_path / "killed", settings).run())
    whole, other = (load_file(tmp_path / name / "model" / "model.safetensors") for name in ("whole", "killed"))
    assert whole.keys() == other.keys()
    assert all(torch.equal(whole[name], other[name]) for name in whole)


@pytest.mark.slow
def test_sigterm_saves_and_ends_with_another_status_than_a_finished_training(tmp_path: Path) -> None:
    toy_corpus(tmp_path)
    command = [sys.executable, "-m", "experiments", "transformer", "--data", str(tmp_path / "prepared")]
    command += ["--out", str(tmp_path / "out"), "--precision", "fp32"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    log, end = tmp_path / "out" / TRAINING, time.monotonic() + 300
    while not log.exists() and time.monotonic() < end:
        time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130, said.decode()
    assert (tmp_path / "out" / RESUME).exists()


@pytest.mark.slow
def test_a_tiny_transformer_learns_pairs_by_heart_and_translates_them_as_a_system(tmp_path: Path) -> None:
    """Trained and validated on the same twelve sentences to be reversed; the oracle is the reversed sentence."""
    torch.set_num_threads(1)
    prepared = toy_corpus(tmp_path, reversed_words, pairs=12, longest=6)
    settings = replace(
        SETTINGS,
        precision="fp32",
        batch_tokens=200,
        warmup=20,
        max_updates=240,
        log_every=40,
        validate_every=240,
        save_every=240,
        keep=(),
    )
    list(Training(prepared, tmp_path / "out", settings).run())
    system = open_system(str(tmp_path / "out" / "model"))
    assert (system.source_language, system.target_language) == ("en", "en")
    lines = [(tmp_path / name).read_text("utf-8").splitlines() for name in ("train.src", "train.tgt")]
    assert [translation.text for translation in system.translate(lines[0])] == lines[1]
    scores = system.score(*lines)
    assert sum(-score.log_probability for score in scores) / len(scores) < 0.5
    assert system.align(lines[0][0], lines[1][0]).weights.shape == (len(lines[1][0].split()) + 1,) * 2


def test_the_folder_opens_in_transformers_with_the_same_loss(tmp_path: Path) -> None:
    training = Training(toy_corpus(tmp_path), tmp_path / "out", SMALL)
    list(training.run())
    assert (tmp_path / "out" / "steps" / "4" / "model.safetensors").exists()
    loaded = MarianMTModel.from_pretrained(tmp_path / "out" / "model").eval()
    x, y = torch.tensor([[3, 4, 2, 0]]), torch.tensor([[3, 4, 2, 0]])
    ones = torch.ones_like(x, dtype=torch.bool)
    ours = training.model.eval().loss(x, ones, y, ones).nll
    torch.testing.assert_close((loaded(input_ids=x, labels=y).loss * 4).detach(), ours)
