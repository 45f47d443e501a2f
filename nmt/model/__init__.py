"""RNNsearch and RNNencdec, exactly as in the paper.

Notation, here and in every file of this folder:

    T_x, T_y   lengths of source and target, end-of-sentence token included
    K_x, K_y   vocabulary sizes
    m          units of a word embedding
    n          units of each encoder direction and of the decoder
    n_a        units of the alignment model (n' in the paper)
    l          units of the maxout layer
    B          sentences of a minibatch.  S, k: sentences in a search, hypotheses per sentence
    h_j        annotation of source word j, [2n]  (RNNencdec: the only one, [n])
    s_i        decoder state after target word i, [n]
    alpha_ij   weight of annotation j for target word i
    c_i        context, sum_j alpha_ij h_j

Matrices are stored as [out, in], as the paper writes them, one parameter each, under the paper's names.

One step of the decoder is written five times. Read them in this order:

    1. reference.py  ``attend``, ``predict``, ``update``: one step of one sentence in the paper's letters. The tests
                     compare the other four forms with this one.
    2. variants.py   ``attention_loop``: a whole target, step by step, for any unit and score, by autograd.
    3. decoder.py    ``attention_scan``: a whole target with the paper's unit and score. For speed in training, its
                     backward pass is written by hand. So is the backward pass of the encoder, in gru.py.
    4. steps.py      ``DecodingSteps``: one step of all hypotheses of a search, without gradients. Terms that do not
                     change between steps are computed once, before the first step.
    5. nmt/native/engine.c, called by native_steps.py: one step of a few hypotheses, where there is a C compiler.

A model sees no string and no file. It offers ``loss`` and ``forced`` for training and scoring, and
``start`` / ``step`` / ``select`` for search (nmt.search.Stepwise).
"""

from nmt.model.translation import (
    ForcedOutput,
    LinkBatch,
    LossOutput,
    RNNEncDec,
    RNNSearch,
    TranslationModel,
    build_model,
)
