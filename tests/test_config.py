"""Settings: what is not there or does not fit is refused with a sentence, and files survive the round trip."""

import json
from dataclasses import replace

import pytest

from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.errors import InputError
from nmt.recipes import RECIPES, recipe


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_survives_json(name: str) -> None:
    config = recipe(name)
    assert config.recipe == name
    assert Config.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_the_published_recipes_are_the_papers() -> None:
    for name, architecture, longest in (
        ("rnnsearch_50", "rnnsearch", 50),
        ("rnnsearch_30", "rnnsearch", 30),
        ("rnnencdec_50", "rnnencdec", 50),
        ("rnnencdec_30", "rnnencdec", 30),
    ):
        config = recipe(name)
        m = config.model
        assert (m.architecture, m.hidden, m.embedding, m.maxout, m.alignment) == (architecture, 1000, 620, 500, 1000)
        t = config.training
        assert (t.optimizer, t.rho, t.epsilon, t.clip_norm) == ("adadelta", 0.95, 1e-6, 1.0)
        assert (t.batch_size, t.pool_batches, t.max_length) == (80, 20, longest)
        assert (m.dropout, t.label_smoothing, m.state_order) == (0, 0, "printed")


@pytest.mark.parametrize(
    ("assignment", "path", "value"),
    [
        ("training.batch_size=32", ("training", "batch_size"), 32),
        ("training.learning_rate=1e-3", ("training", "learning_rate"), 1e-3),
        ("training.learning_rate=1", ("training", "learning_rate"), 1),
        ("training.max_updates=null", ("training", "max_updates"), None),
        ("training.validate_bleu=true", ("training", "validate_bleu"), True),
        ("model.architecture=rnnencdec", ("model", "architecture"), "rnnencdec"),
        (" model.dropout = 0.5", ("model", "dropout"), 0.5),
        ("training.keep=0, 100,250", ("training", "keep"), (0, 100, 250)),
        ("training.keep=7", ("training", "keep"), (7,)),
        ("training.keep=", ("training", "keep"), ()),
    ],
)
def test_assignments(assignment: str, path: tuple[str, str], value: object) -> None:
    assert Config().override([assignment]).to_dict()[path[0]][path[1]] == value


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("training.batchsize=3", "training.batch_size"),
        ("model.layers=3", "model.layers"),
        ("modl.hidden=3", "'modl'"),
        ("training.batch_size", "'training.batch_size'"),
        ("training.batch_size=3.5", "training.batch_size .*'3.5'"),
        ("training.batch_size=true", "training.batch_size .*'true'"),
        ("training.optimizer=sgd", "adadelta, adam, .*'sgd'"),
        ("training.schedule=cosine", "training.schedule=cosine .*training.max_updates"),
        ("model.unit=gru", "gated, reset_after, lstm, .*'gru'"),
        ("model.score=luong", "additive, concat, general, dot, .*'luong'"),
        ("training.max_minutes=0", "training.max_minutes .*'0'"),
        ("training.keep=100,x", "training.keep .*'100,x'"),
        ("training.keep=1.5", "training.keep .*'1.5'"),
        ("training.keep=null", "training.keep .*'null'"),
        ("training.keep=200,100", "training.keep"),
        ("training.keep=100,100", "training.keep"),
        ("training.keep=-1,100", "training.keep .*0, .*'-1,100'"),
    ],
)
def test_what_does_not_fit_is_refused(assignment: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Config().override([assignment])


def test_a_file_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(InputError, match=r"modell.* model"):
        Config.from_dict({"modell": {}})
    with pytest.raises(InputError, match=r"^model .*3$"):
        Config.from_dict({"model": 3})


def test_the_defaults_are_the_papers_and_what_it_has_not_is_off() -> None:
    """Sections 4.2, A.2.3 and B.2; the parameters of Adam are those of Kingma and Ba 2015."""
    assert Config().to_dict() == {
        "recipe": "custom",
        "model": {
            "architecture": "rnnsearch",
            "embedding": 620,
            "hidden": 1000,
            "alignment": 1000,
            "maxout": 500,
            "state_order": "printed",
            "dropout": 0,
            "word_dropout": 0,
            "unit": "gated",
            "score": "additive",
            "encoder": "bidirectional",
            "readout": "maxout",
            "start": "backward",
        },
        "training": {
            "optimizer": "adadelta",
            "learning_rate": 1,
            "rho": 0.95,
            "epsilon": 1e-6,
            "beta1": 0.9,
            "beta2": 0.999,
            "clip_norm": 1,
            "schedule": "constant",
            "warmup": 0,
            "hold": 0,
            "batch_size": 80,
            "batch_tokens": None,
            "pool_batches": 20,
            "max_length": 50,
            "concatenate": 0,
            "concatenate_most": 3,
            "label_smoothing": 0,
            "guided": 0,
            "loss_per": "sentence",
            "precision": "fp32",
            "max_updates": None,
            "max_epochs": None,
            "max_minutes": None,
            "log_every": 50,
            "validate_every": 1000,
            "save_every": 1000,
            "keep": (),
            "validate_bleu": False,
            "weights": "best",
            "patience": None,
            "seed": 1,
        },
        "search": {
            "beam": 12,
            "n_best": 1,
            "length_penalty": 0,
            "no_unk": False,
            "replace_unk": None,
            "hard_attention": False,
        },
    }


@pytest.mark.parametrize(
    ("key", "allowed", "refused"),
    [
        ("model.hidden", ["1", "100000"], ["0", "100001"]),
        ("training.batch_size", ["1"], ["0"]),
        ("training.warmup", ["0"], ["-1"]),
        ("training.learning_rate", ["1e-300", "1.5"], ["0", "inf", "nan"]),
        ("model.dropout", ["0", "0.99"], ["-0.01", "1"]),
        ("training.concatenate_most", ["2", "100"], ["1", "101"]),
        ("training.seed", ["0", f"{2**63 - 1}"], ["-1", f"{2**63}"]),
        ("search.beam", ["1", "1000"], ["0", "1001"]),
        ("search.length_penalty", ["0", "10"], ["-0.1", "10.1"]),
    ],
)
def test_bounds_of_each_kind_of_number(key: str, allowed: list[str], refused: list[str]) -> None:
    section, name = key.split(".")
    for text in allowed:
        assert Config().override([f"{key}={text}"]).to_dict()[section][name] == json.loads(text)
    for text in refused:
        with pytest.raises(InputError, match=f"^{key} must "):
            Config().override([f"{key}={text}"])


@pytest.mark.parametrize(
    ("assignments", "whole"),
    [
        (["training.schedule=cosine", "training.max_updates=9"], True),
        (["training.schedule=cosine"], False),
        (["training.guided=1"], True),
        (["training.guided=1", "model.architecture=rnnencdec"], False),
        (["search.n_best=3", "search.beam=3"], True),
        (["search.n_best=4", "search.beam=3"], False),
        (["model.encoder=forward"], True),
        (["model.encoder=forward", "model.architecture=rnnencdec"], False),
        (["model.start=both"], True),
        (["model.start=both", "model.architecture=rnnencdec"], False),
        (["model.start=both", "model.encoder=forward"], False),
        (["model.state_order=equation", "model.readout=linear"], True),
        (["model.readout=linear"], False),
        (["model.state_order=program", "model.readout=linear"], False),
        (["model.state_order=equation", "model.unit=lstm"], False),
        (["model.state_order=equation", "model.unit=reset_after"], True),
    ],
)
def test_settings_that_belong_together(assignments: list[str], whole: bool) -> None:
    if whole:
        Config().override(assignments)
    else:
        with pytest.raises(InputError):
            Config().override(assignments)


def test_missing_keys_take_their_defaults() -> None:
    assert Config.from_dict({"model": {"hidden": 7}}).model == ModelConfig(hidden=7)
    assert Config.from_dict({}).training == TrainingConfig()


def test_a_score_needs_attention_and_a_unit_does_not() -> None:
    with pytest.raises(InputError, match=r"^model\.score=dot .*rnnencdec"):
        Config().override(["model.architecture=rnnencdec", "model.score=dot"])
    config = recipe("rnnencdec_256").override(["model.unit=lstm"])
    assert (config.model.architecture, config.model.unit) == ("rnnencdec", "lstm")


def test_recipes_of_other_units_and_scores_differ_from_rnnsearch_256_in_nothing_else() -> None:
    plain = recipe("rnnsearch_256")
    for name, unit, score, order in (
        ("lstm_256", "lstm", "additive", "printed"),
        ("reset_after_256", "reset_after", "additive", "printed"),
        ("concat_256", "gated", "concat", "printed"),
        ("luong_dot_256", "gated", "dot", "program"),
        ("luong_general_256", "gated", "general", "program"),
        ("luong_concat_256", "gated", "concat", "program"),
    ):
        assignments = [f"model.unit={unit}", f"model.score={score}", f"model.state_order={order}"]
        assert replace(plain.override(assignments), recipe=name) == recipe(name)


GONE = {"accumulation": 1, "r_drop": 0.0, "guided_until": None, "early_stopping": "nll", "decay_patience": None}


def test_a_setting_that_is_gone_is_read_only_if_it_meant_nothing() -> None:
    """Runs state it in their config.json. With another value the run was trained in a way that is gone."""
    stated = {"training": GONE | {"batch_size": 7, "decay_factor": 0.25}}
    assert Config.from_dict(stated).training.batch_size == 7
    for name, value in {"accumulation": 2, "r_drop": 0.5, "guided_until": 0.5, "decay_patience": 3}.items():
        with pytest.raises(InputError, match=f"training.{name}"):
            Config.from_dict({"training": GONE | {name: value}})
