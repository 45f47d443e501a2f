"""Table 2 out of a training's own events."""

import json
import re
from pathlib import Path

from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.results import StopEvent, UpdateEvent, ValidationEvent, event_from_dict
from nmt.runs.folder import read_run
from nmt.runs.provenance import training_summaries
from nmt.tables.runs import training_table
from nmt.training.trainer import Trainer
from tests.oracles.toy_corpus import toy_corpus


def test_rows_are_what_the_log_says(tmp_path: Path) -> None:
    training = TrainingConfig(
        optimizer="adam", learning_rate=0.01, batch_size=20, max_updates=30, log_every=5, validate_every=10
    )
    run = tmp_path / "mine"
    model = ModelConfig(architecture="rnnsearch", embedding=8, hidden=8, alignment=8, maxout=8)
    for _ in Trainer.create(run, Config(recipe="toy", model=model, training=training), toy_corpus(tmp_path)).run():
        pass
    events = [event_from_dict(json.loads(line)) for line in (run / "training.jsonl").read_text().splitlines()]
    best = read_run(run).weights.update
    (row,) = training_summaries([run, tmp_path / "prepared"])
    assert (row.run, row.updates, row.weights_from, row.device) == ("mine", 30, best, "")
    assert [row.dev_nll] == [e.nll_per_sentence for e in events if isinstance(e, ValidationEvent) and e.update == best]
    assert [row.train_nll] == [e.nll_per_sentence for e in events if isinstance(e, UpdateEvent) and e.update == best]
    assert [row.hours] == [e.seconds / 3600 for e in events if isinstance(e, StopEvent)]
    assert row.epochs == 30 * 20 / 200
    table = training_table([row]).markdown()
    assert "| mine | 30 | 3.00 |" in table
    assert f"{row.dev_nll:.1f} |" in table


def test_a_training_under_way_has_no_hours(tmp_path: Path) -> None:
    run = tmp_path / "mine"
    model = ModelConfig(architecture="rnnencdec", embedding=8, hidden=8, maxout=8)
    training = TrainingConfig(optimizer="adam", max_updates=9, validate_every=2, log_every=1)
    for event in Trainer.create(run, Config(recipe="toy", model=model, training=training), toy_corpus(tmp_path)).run():
        if isinstance(event, UpdateEvent) and event.update == 5:
            break
    (row,) = training_summaries([run])
    assert row.hours is None
    assert "–" in training_table([row]).text()


def test_an_interrupted_training_has_not_ended(tmp_path: Path) -> None:
    """Nor has one that was killed after it was resumed."""
    run = tmp_path / "mine"
    model = ModelConfig(architecture="rnnencdec", embedding=8, hidden=8, maxout=8)
    training = TrainingConfig(optimizer="adam", max_updates=12, validate_every=4, log_every=1, save_every=2)
    prepared = toy_corpus(tmp_path)
    trainer = Trainer.create(run, Config(recipe="toy", model=model, training=training), prepared)
    for event in trainer.run():
        if isinstance(event, UpdateEvent) and event.update == 6:
            trainer.stop("interrupted by SIGINT")
    (row,) = training_summaries([run, run])
    assert (row.updates, row.ended, row.hours) == (6, "", None)
    for event in Trainer.resume(run, prepared).run():
        if isinstance(event, UpdateEvent) and event.update == 9:
            break
    (row,) = training_summaries([run])
    assert (row.updates, row.ended, row.hours) == (9, "", None)
    for _ in Trainer.resume(run, prepared).run():
        pass
    (row,) = training_summaries([run])
    assert row.updates == 12
    assert re.match(r"12 updates\b", row.ended)
    assert row.hours is not None
