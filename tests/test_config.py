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
        ("training.batch_size=0", "training.batch_size .*1, .*'0'"),
        ("training.optimizer=sgd", "adadelta, adam, .*'sgd'"),
        ("training.schedule=cosine", "training.schedule=cosine .*training.max_updates"),
        ("training.schedule=inverse_sqrt", "training.schedule=inverse_sqrt .*training.warmup"),
        ("training.early_stopping=bleu", "training.early_stopping=bleu .*training.validate_bleu"),
        ("training.learning_rate=nan", "training.learning_rate .*'nan'"),
        ("training.learning_rate=inf", "training.learning_rate .*'inf'"),
        ("model.dropout=1", "model.dropout .*1, .*'1'"),
        ("model.hidden=0", "model.hidden .*1, .*'0'"),
        ("model.unit=gru", "gated, reset_after, lstm, .*'gru'"),
        ("model.score=luong", "additive, concat, general, dot, .*'luong'"),
        ("training.concatenate_most=101", "training.concatenate_most .*100, .*'101'"),
        ("training.warmup=-1", "training.warmup .*0, .*'-1'"),
        ("training.decay_factor=1.01", "training.decay_factor .*'1.01'"),
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
