"""A training that begins with another run's weights."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nmt.cli import main
from nmt.config import Config
from nmt.data.prepare import PrepareSettings, prepare
from nmt.data.prepared import MANIFEST, Prepared, open_prepared
from nmt.data.tokenised import Corpus
from nmt.errors import InputError
from nmt.files import write_json
from nmt.inference.checkpoint import load_model, save_weights
from nmt.records import to_data
from nmt.runs.folder import BEST, read_run, read_settings
from nmt.runs.provenance import read_provenance
from nmt.training.trainer import Trainer
from tests.oracles.toy_corpus import toy_corpus


@pytest.fixture(scope="module")
def trained_once(tmp_path_factory: pytest.TempPathFactory, config: Config, prepared: Prepared) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "first"
    list(Trainer.create(folder, config, prepared).run())
    return folder


@pytest.fixture
def trained(trained_once: Path, tmp_path: Path) -> Path:
    """A copy of one training, which a test may change."""
    return Path(shutil.copytree(trained_once, tmp_path / "first"))


def weights(model: torch.nn.Module) -> dict[str, np.ndarray]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


@pytest.mark.parametrize("int8", [False, True])
def test_it_begins_with_the_best_weights(
    int8: bool, trained: Path, run: Path, config: Config, prepared: Prepared
) -> None:
    if int8:
        save_weights(trained / BEST, load_model(read_settings(trained), trained / BEST), {"update": 30}, torch.int8)
    expected = weights(load_model(read_settings(trained), trained / BEST))
    other = replace(config, model=replace(config.model, dropout=0.5), training=replace(config.training, seed=9))
    trainer = Trainer.create(run, other, prepared, initial=trained)
    found = weights(trainer.model)
    assert found.keys() == expected.keys()
    assert all((found[name] == expected[name]).all() for name in expected)
    assert trainer.update == 0
    assert not trainer.optimizer.state_dict()["state"]
    list(trainer.run())
    assert read_run(run).weights.update > 0


def test_what_does_not_fit_is_refused(
    trained: Path, run: Path, config: Config, prepared: Prepared, tmp_path: Path
) -> None:
    wider = replace(config, model=replace(config.model, hidden=14))
    with pytest.raises(InputError, match=r"model\.hidden=12.* 14"):
        Trainer.create(run, wider, prepared, initial=trained)
    with pytest.raises(InputError, match=r"/none; `jointly get`"):
        Trainer.create(run, config, prepared, initial=tmp_path / "none")
    (tmp_path / "other").mkdir()
    other = toy_corpus(tmp_path / "other", pairs=5)
    with pytest.raises(InputError, match="--vocabularies-from"):
        Trainer.create(run, config, other, initial=trained)
    backwards = replace(other.manifest, source_language="fr")
    write_json(other.folder / MANIFEST, to_data(backwards))
    with pytest.raises(InputError, match="en to en"):
        Trainer.create(run, config, open_prepared(other.folder), initial=trained)
    (trained / BEST).write_bytes(b"broken")
    with pytest.raises(InputError, match=re.escape(str(trained / BEST))):
        Trainer.create(run, config, prepared, initial=trained)
    assert not run.exists()


def test_own_texts_with_the_vocabularies_of_a_run(trained: Path, prepared: Prepared, tmp_path: Path) -> None:
    """By command: prepare with the run's vocabularies, go on with its weights, and the provenance tells the chain."""
    lines = "a b c\nd e\nf g h i\n"
    (tmp_path / "own").write_text(lines, encoding="utf-8")
    files = [str(tmp_path / "own")] * 2
    languages = ["--source-lang", "en", "--target-lang", "en"]
    out = tmp_path / "adapted-data"
    make = ["prepare", "--corpus", *files, "--dev", *files, *languages, "--vocabularies-from", str(trained)]
    assert main([*make, "--out", str(out)]) == 0
    assert open_prepared(out).source_vocabulary.tokens(range(12)) == prepared.source_vocabulary.tokens(range(12))
    sizes = [
        f"model.{name}={size}" for name, size in (("embedding", 8), ("hidden", 12), ("alignment", 8), ("maxout", 8))
    ]
    settings = [
        part for each in [*sizes, "training.max_updates=3", "training.validate_every=2"] for part in ("--set", each)
    ]
    begin = ["train", "debug", "--device", "cpu", "--data", str(out)]
    for name, start in (("second", trained), ("third", tmp_path / "second")):
        assert main([*begin, "--run", str(tmp_path / name), "--init-from", str(start), *settings]) == 0
    third = read_provenance(tmp_path / "third")
    assert third is not None
    assert "--init-from second" in third.sessions[0].command
    assert third.initial is not None
    assert (third.initial.run, third.initial.sha256) == ("second", read_run(tmp_path / "second").weights.sha256())
    assert third.initial.provenance is not None
    assert third.initial.provenance.initial is not None
    assert (third.initial.provenance.initial.run, third.initial.provenance.initial.provenance) == ("first", None)
    assert "--vocabularies-from first" in third.preparation
    assert third.updates_before == sum(read_run(run).weights.update for run in (trained, tmp_path / "second"))


def test_a_new_beginning_is_no_resumption(trained: Path, prepared: Prepared) -> None:
    arguments = ["train", "debug", "--data", str(prepared.folder), "--run", str(trained), "--resume"]
    assert main([*arguments, "--init-from", str(trained)]) == 2


def test_vocabularies_of_a_folder_that_is_neither(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "text").write_text("a\n")
    settings = PrepareSettings(source_language="en", target_language="en", vocabularies_from=tmp_path)
    with pytest.raises(InputError, match="source_language"):
        prepare([Corpus(source=tmp_path / "text", target=tmp_path / "text")], [], settings, tmp_path / "out")
