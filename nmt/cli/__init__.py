"""Commands, ``jointly COMMAND``. Every command is a thin call into the core, and returns its exit status; None is 0.

Results go to stdout, progress to stderr; with ``--json`` results are JSON (docs/formats.md). Exit status: 0 success,
1 the program or the training failed, 2 invalid user input (one sentence on stderr), 130 interrupted.
"""

from nmt.cli.program import Program

JOINTLY = Program(
    name="jointly",
    description="RNNsearch and RNNencdec, from raw text to alignment weights.",
    document="docs/commands.md",
    package="nmt.cli",
    commands={
        "app": "app",
        "page": "app",
        "get": "runs",
        "inspect": "runs",
        "recipes": "runs",
        "corpus": "corpus",
        "prepare": "prepare",
        "train": "train",
        "jobs": "jobs",
        "translate": "translate",
        "score": "translate",
        "align": "align",
        "shard": "shards",
        "aer": "aer",
        "evaluate": "evaluate",
        "evaluate-output": "evaluate_output",
        "compare": "compare",
        "stress": "stress",
        "figure3": "figure3",
        "rescore": "rescore",
        "check-attention": "check_attention",
        "serve": "serve",
    },
)
build_parser, main = JOINTLY.parser, JOINTLY.main
