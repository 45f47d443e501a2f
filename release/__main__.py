"""``python -m release COMMAND``."""

import sys

from nmt.cli.program import Command, Program

RELEASE = Program(
    name="python -m release",
    description="What the maintainers of Jointly need for a release.",
    document="release/README.md",
    package="release",
    groups={
        "Commands": {
            "corpus": Command("corpus", "get any known corpus, or build the laws from XML"),
            "links": Command("alignment.command", "link the words of the training pairs by a statistical aligner"),
            "dictionary": Command("dictionary", "learn a replacement for [UNK] per source word"),
            "publish": Command("publish", "copy the files of a run that are published"),
            "mean": Command("mean", "average the weights of two runs, to train on from there"),
            "checksums": Command("checksums", "accept the files of a released run as they are"),
            "aligner": Command("aligner", "combine several runs into one word aligner"),
            "card": Command("card", "write the README.md of a run"),
            "overview": Command("overview", "describe all runs in a folder, side by side"),
            "scenes": Command("scenes", "translate the sentences that the app opens with, in advance"),
            "reproduce": Command("reproduce", "retrain and evaluate the released runs from the corpora"),
        }
    },
)

if __name__ == "__main__":
    sys.exit(RELEASE.main())
