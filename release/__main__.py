"""``python -m release COMMAND``."""

import sys

from nmt.cli.program import Program

RELEASE = Program(
    name="python -m release",
    description="What the maintainers of Jointly need for a release.",
    document="release/README.md",
    package="release",
    commands={
        "corpus": "corpus",
        "links": "alignment.command",
        "dictionary": "dictionary",
        "publish": "publish",
        "checksums": "checksums",
        "aligner": "aligner",
        "card": "card",
        "overview": "overview",
        "scenes": "scenes",
        "reproduce": "reproduce",
    },
)

if __name__ == "__main__":
    sys.exit(RELEASE.main())
