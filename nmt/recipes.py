"""Recipes, functions that return the full configuration of a run.

Paper: 4.2, A.2.3, B.2, Table 2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.errors import InputError


def rnnsearch_50() -> Config:
    """RNNsearch-50 as published: n = 1000, m = 620, l = 500, n' = 1000; sentences of up to 50 words; Adadelta
    (epsilon 1e-6, rho 0.95), gradient norm at most 1, minibatches of 80; as many updates as in Table 2 (for
    RNNsearch-50*: --set training.max_updates=667000)."""
    return Config(
        recipe="rnnsearch_50",
        model=ModelConfig(architecture="rnnsearch"),
        training=TrainingConfig(max_length=50, max_updates=288_000),
    )


def rnnsearch_30() -> Config:
    """RNNsearch-30 as published: trained on sentences of up to 30 words."""
    return Config(
        recipe="rnnsearch_30",
        model=ModelConfig(architecture="rnnsearch"),
        training=TrainingConfig(max_length=30, max_updates=471_000),
    )


def rnnencdec_50() -> Config:
    """RNNencdec-50 as published: the baseline without attention, sentences of up to 50 words."""
    return Config(
        recipe="rnnencdec_50",
        model=ModelConfig(architecture="rnnencdec"),
        training=TrainingConfig(max_length=50, max_updates=600_000),
    )


def rnnencdec_30() -> Config:
    """RNNencdec-30 as published: sentences of up to 30 words."""
    return Config(
        recipe="rnnencdec_30",
        model=ModelConfig(architecture="rnnencdec"),
        training=TrainingConfig(max_length=30, max_updates=846_000),
    )


_MODEL_256 = ModelConfig(architecture="rnnsearch", embedding=256, hidden=256, alignment=256, maxout=256, dropout=0.1)
_MODERN = TrainingConfig(
    optimizer="adam",
    learning_rate=1.5e-3,
    epsilon=1e-8,
    loss_per="word",
    schedule="cosine",
    warmup=200,
    hold=0.2,
    batch_tokens=4000,
    max_updates=7000,
    validate_every=500,
    save_every=250,
    precision="bf16",
)


def rnnsearch_256() -> Config:
    """Small RNNsearch: 256 units, Adam with a cosine schedule, bf16 products; learns to translate and to align in
    under an hour on two cores."""
    return Config(recipe="rnnsearch_256", model=_MODEL_256, training=_MODERN)


def rnnencdec_256() -> Config:
    """Baseline without attention, with the sizes and settings of rnnsearch_256."""
    return Config(recipe="rnnencdec_256", model=replace(_MODEL_256, architecture="rnnencdec"), training=_MODERN)


_MODEL_320 = ModelConfig(
    architecture="rnnsearch", embedding=320, hidden=320, alignment=320, maxout=320, state_order="program", dropout=0.2
)
_MODERN_320 = replace(_MODERN, hold=0.3)


def rnnsearch_50_modern() -> Config:
    """RNNsearch-50 at 320 units, for a shortlist of 10,000 words, with Adam instead of Adadelta, dropout, bf16
    products and program order: an hour and a half on one thread. Recipe of the released rnnsearch-50."""
    return Config(recipe="rnnsearch_50_modern", model=_MODEL_320, training=replace(_MODERN_320, max_updates=6000))


def rnnsearch_30_modern() -> Config:
    """RNNsearch-30: rnnsearch_50_modern on sentences of up to 30 words. Recipe of the released rnnsearch-30."""
    return Config(
        recipe="rnnsearch_30_modern", model=_MODEL_320, training=replace(_MODERN_320, max_length=30, max_updates=6000)
    )


def rnnencdec_50_modern() -> Config:
    """RNNencdec-50, the baseline: rnnsearch_50_modern without attention, trained for about the same time, as in
    Table 2, and so for more updates. Recipe of the released rnnencdec-50."""
    model = replace(_MODEL_320, architecture="rnnencdec")
    return Config(recipe="rnnencdec_50_modern", model=model, training=replace(_MODERN_320, max_updates=10_000))


def rnnencdec_30_modern() -> Config:
    """RNNencdec-30: rnnencdec_50_modern on sentences of up to 30 words. Recipe of the released rnnencdec-30."""
    model = replace(_MODEL_320, architecture="rnnencdec")
    return Config(
        recipe="rnnencdec_30_modern", model=model, training=replace(_MODERN_320, max_length=30, max_updates=10_000)
    )


def lstm_encdec_50() -> Config:
    """LSTM encoder-decoder (Sutskever et al. 2014, one layer): rnnencdec_50_modern with LSTM units. Recipe of
    lstm-encdec-50."""
    baseline = rnnencdec_50_modern()
    return replace(baseline, recipe="lstm_encdec_50", model=replace(baseline.model, unit="lstm"))


def rnnsearch_lstm_50() -> Config:
    """rnnsearch_50_modern with LSTM units (A.1.1 names them as the alternative). Recipe of rnnsearch-lstm-50."""
    return replace(rnnsearch_50_modern(), recipe="rnnsearch_lstm_50", model=replace(_MODEL_320, unit="lstm"))


def rnnsearch_forward_50() -> Config:
    """rnnsearch_50_modern with an encoder that only reads forwards. Recipe of rnnsearch-forward-50."""
    return replace(rnnsearch_50_modern(), recipe="rnnsearch_forward_50", model=replace(_MODEL_320, encoder="forward"))


def rnnsearch_gaussian_50() -> Config:
    """rnnsearch_50_modern aligned by a mixture of Gaussians that only moves forward (Graves 2013). Recipe of
    rnnsearch-gaussian-50."""
    return replace(rnnsearch_50_modern(), recipe="rnnsearch_gaussian_50", model=replace(_MODEL_320, score="gaussian"))


def lstm_256() -> Config:
    """rnnsearch_256 with LSTMs instead of gated units (A.1.1 names them as the alternative): a third more weights in
    the recurrences."""
    return Config(recipe="lstm_256", model=replace(_MODEL_256, unit="lstm"), training=_MODERN)


def reset_after_256() -> Config:
    """rnnsearch_256 with the gated unit of cuDNN and torch.nn.GRU, whose reset gate acts after U."""
    return Config(recipe="reset_after_256", model=replace(_MODEL_256, unit="reset_after"), training=_MODERN)


def concat_256() -> Config:
    """rnnsearch_256 with one matrix over [s ; h_j]: the same model in another form."""
    return Config(recipe="concat_256", model=replace(_MODEL_256, score="concat"), training=_MODERN)


def luong_dot_256() -> Config:
    """rnnsearch_256 with the attention of Luong et al. 2015, after the state has seen the last word, scored by
    s^T h_j."""
    return Config(
        recipe="luong_dot_256", model=replace(_MODEL_256, score="dot", state_order="program"), training=_MODERN
    )


def luong_general_256() -> Config:
    """luong_dot_256 with the score s^T W_a h_j."""
    return Config(
        recipe="luong_general_256", model=replace(_MODEL_256, score="general", state_order="program"), training=_MODERN
    )


def luong_concat_256() -> Config:
    """luong_dot_256 with the score v_a^T tanh(W_a [s ; h_j])."""
    return Config(
        recipe="luong_concat_256", model=replace(_MODEL_256, score="concat", state_order="program"), training=_MODERN
    )


def rnnsearch_50_star_modern() -> Config:
    """RNNsearch-50*: rnnsearch_50_modern trained longer, for two and a half hours on one thread, or until the score on
    the development set stops improving. Recipe of the released rnnsearch-50-star."""
    training = replace(_MODERN_320, max_updates=10_000, patience=5)
    return Config(recipe="rnnsearch_50_star_modern", model=_MODEL_320, training=training)


def rnnsearch_50_guided() -> Config:
    """rnnsearch_50_modern with guided attention: alpha is also trained on word links of an aligner, given to
    `prepare --links` (Chen et al. 2016). Recipe of the released rnnsearch-50-guided."""
    return Config(
        recipe="rnnsearch_50_guided", model=_MODEL_320, training=replace(_MODERN_320, guided=0.5, max_updates=6000)
    )


def multi30k() -> Config:
    """RNNsearch for image captions: Multi30k together with Tatoeba, in BPE subwords; rnnsearch_50_modern with more
    dropout and label smoothing, on data prepared with BPE-dropout; two hours on one thread. Recipe of the released
    rnnsearch-multi30k."""
    training = replace(_MODERN_320, label_smoothing=0.1, max_updates=8000)
    return Config(recipe="multi30k", model=replace(_MODEL_320, dropout=0.3), training=training)


def rnnsearch_50_concatenated() -> Config:
    """rnnsearch_50_modern, except that some training examples are several sentences, concatenated to at most 50 words.
    Recipe of the released rnnsearch-50-concatenated."""
    training = replace(_MODERN_320, concatenate=0.3, concatenate_most=7, max_updates=6000)
    return Config(recipe="rnnsearch_50_concatenated", model=_MODEL_320, training=training)


_SUBWORDS = replace(
    _MODERN_320,
    max_length=80,
    concatenate=0.3,
    concatenate_most=7,
    label_smoothing=0.1,
    hold=0.82,
    max_updates=9400,
    validate_every=1000,
)


def rnnsearch_subwords() -> Config:
    """RNNsearch over subwords, for several corpora of a few hundred thousand pairs: sentences of up to 80 words, some
    of them concatenated; two hours on one thread. Recipe of the first part of the released rnnsearch-en-fr."""
    return Config(recipe="rnnsearch_subwords", model=_MODEL_320, training=_SUBWORDS)


def rnnsearch_subwords_short() -> Config:
    """rnnsearch_subwords with three quarters of its updates. Recipe of the released rnnsearch-fr-en."""
    return Config(
        recipe="rnnsearch_subwords_short", model=_MODEL_320, training=replace(_SUBWORDS, max_updates=7000, hold=0.8)
    )


def rnnsearch_subwords_continued() -> Config:
    """rnnsearch_subwords for continuing from the weights of another run (`train --init-from`): from two thirds of its
    peak rate to 0; an hour and a half on two threads. Recipe of the second part of the released
    rnnsearch-en-fr."""
    training = replace(_SUBWORDS, learning_rate=1e-3, hold=0.5, max_updates=5500)
    return Config(recipe="rnnsearch_subwords_continued", model=_MODEL_320, training=training)


def rnnencdec_subwords() -> Config:
    """rnnsearch_subwords without attention: the same data, units and updates."""
    return Config(recipe="rnnencdec_subwords", model=replace(_MODEL_320, architecture="rnnencdec"), training=_SUBWORDS)


def rnnsearch_small_corpora() -> Config:
    """RNNsearch over subwords for some two hundred thousand short pairs: more dropout than rnnsearch_subwords; an hour
    on one thread. Recipe of the released rnnsearch-en-de."""
    training = replace(_SUBWORDS, max_length=50, hold=0.7, max_updates=5000, validate_every=500)
    return Config(recipe="rnnsearch_small_corpora", model=replace(_MODEL_320, dropout=0.3), training=training)


def rnnsearch_small_corpora_continued() -> Config:
    """rnnsearch_small_corpora for continuing from the weights of another run (`train --init-from`): from two thirds of
    its peak rate to 0; an hour and a half on one thread. Recipe of the second part of the released
    rnnsearch-en-de."""
    first = rnnsearch_small_corpora()
    training = replace(first.training, learning_rate=1e-3, hold=0.5, max_updates=7000)
    return replace(first, recipe="rnnsearch_small_corpora_continued", training=training)


def rnnsearch_tiny_corpus() -> Config:
    """rnnsearch_small_corpora for some sixty thousand short pairs: fewer updates, but at least as many passes over
    the pairs; three quarters of an hour on one thread. Recipe of the released rnnsearch-en-ja."""
    larger = rnnsearch_small_corpora()
    return replace(
        larger, recipe="rnnsearch_tiny_corpus", training=replace(larger.training, max_updates=3500, hold=0.6)
    )


def rnnsearch_few_pairs() -> Config:
    """rnnsearch_small_corpora for ten thousand everyday pairs beside forty thousand of software texts: word dropout
    as well (Sennrich and Zhang 2019), and patience; at most an hour on one thread. Recipe of the released
    rnnsearch-ko-en and rnnsearch-en-ko."""
    larger = rnnsearch_small_corpora()
    return replace(
        larger,
        recipe="rnnsearch_few_pairs",
        model=replace(larger.model, word_dropout=0.1),
        training=replace(larger.training, max_updates=4000, hold=0.5, validate_every=250, patience=6),
    )


def scrubber_128() -> Config:
    """Small RNNsearch that shows how alpha develops: 128 units, for everyday sentences and captions of up to 30 words,
    with snapshots after eight updates, most of them from when alpha sharpens; twenty minutes on one thread.
    Recipe of the released scrubber-128."""
    model = ModelConfig(
        architecture="rnnsearch", embedding=96, hidden=128, alignment=128, maxout=64, state_order="program", dropout=0.1
    )
    keep = (100, 300, 500, 700, 1000, 1400, 2000, 3000)
    return Config(
        recipe="scrubber_128", model=model, training=replace(_MODERN, max_length=30, max_updates=3000, keep=keep)
    )


def debug() -> Config:
    """Tiny model trained for a few updates, which shows in seconds that everything runs."""
    return Config(
        recipe="debug",
        model=ModelConfig(architecture="rnnsearch", embedding=16, hidden=32, alignment=16, maxout=16),
        training=TrainingConfig(
            optimizer="adam",
            learning_rate=5e-3,
            batch_size=16,
            max_updates=50,
            log_every=5,
            validate_every=25,
            save_every=10,
        ),
    )


RECIPES: dict[str, Callable[[], Config]] = {
    function.__name__: function
    for function in (
        rnnsearch_50,
        rnnsearch_30,
        rnnencdec_50,
        rnnencdec_30,
        rnnsearch_256,
        rnnencdec_256,
        rnnsearch_50_modern,
        rnnsearch_30_modern,
        rnnencdec_50_modern,
        rnnencdec_30_modern,
        rnnsearch_50_star_modern,
        rnnsearch_50_guided,
        lstm_encdec_50,
        rnnsearch_lstm_50,
        rnnsearch_forward_50,
        rnnsearch_gaussian_50,
        lstm_256,
        reset_after_256,
        concat_256,
        luong_dot_256,
        luong_general_256,
        luong_concat_256,
        multi30k,
        rnnsearch_50_concatenated,
        rnnsearch_subwords,
        rnnsearch_subwords_short,
        rnnsearch_subwords_continued,
        rnnencdec_subwords,
        rnnsearch_small_corpora,
        rnnsearch_small_corpora_continued,
        rnnsearch_tiny_corpus,
        rnnsearch_few_pairs,
        scrubber_128,
        debug,
    )
}


def recipe(name: str) -> Config:
    """Return the recipe called ``name``; if there is none, InputError lists the names."""
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}; the recipes are {', '.join(RECIPES)}")
    return RECIPES[name]()
