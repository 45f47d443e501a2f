"""``python -m experiments COMMAND``."""

import sys

from nmt.cli.program import Program

EXPERIMENTS = Program(
    name="python -m experiments",
    description="The rivals of the paper's models, and studies of them.",
    document="experiments/README.md",
    package="experiments",
    commands={
        "phrase-based": "phrase_based.command",
        "select": "selection",
        "transformer": "transformer",
        "phrase-features": "phrase_features.command",
        "segmented": "segmented",
        "variants": "variants",
        "neighbours": "neighbours",
        "crossings": "crossings",
        "unlinked-words": "unlinked_words",
        "cost-by-length": "cost_by_length",
    },
)

if __name__ == "__main__":
    sys.exit(EXPERIMENTS.main())
