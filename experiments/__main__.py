"""``python -m experiments COMMAND``."""

import sys

from nmt.cli.program import Command, Program

EXPERIMENTS = Program(
    name="python -m experiments",
    description="The rivals of the paper's models, and studies of them.",
    document="experiments/README.md",
    package="experiments",
    groups={
        "Commands": {
            "phrase-based": Command("phrase_based.command", "build, tune and use a phrase-based system"),
            "select": Command("selection", "select the training pairs that resemble a domain"),
            "transformer": Command("transformer", "train a small Transformer on the pairs of rnnsearch-50"),
            "phrase-features": Command("phrase_features.command", "features for a phrase-based system, as Cho et al."),
            "segmented": Command("segmented", "translate by a segmented RNNencdec"),
            "variants": Command("variants", "train and compare other units and scores"),
            "neighbours": Command("neighbours", "measure how well annotations tell the words around them"),
            "crossings": Command("crossings", "score two runs on pairs with and without crossing links"),
            "unlinked-words": Command("unlinked_words", "measure alpha at target words that translate no word"),
            "cost-by-length": Command("cost_by_length", "time a sentence against its length"),
        }
    },
)

if __name__ == "__main__":
    sys.exit(EXPERIMENTS.main())
