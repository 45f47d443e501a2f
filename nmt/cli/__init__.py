"""Commands, ``jointly COMMAND``. Every command is a thin call into the core, and returns its exit status, None for 0.

Results go to stdout, and progress to stderr. With ``--json`` results are JSON (docs/formats.md). Exit status: 0
success, 1 the program or the training failed, 2 invalid user input (one sentence on stderr), 130 interrupted.
"""

from nmt.cli.program import Command, Program

JOINTLY = Program(
    name="jointly",
    description="RNNsearch and RNNencdec, from raw text to alignment weights.",
    document="docs/commands.md",
    package="nmt.cli",
    groups={
        "In the browser": {
            "app": Command("hosts", "open the app in the browser"),
            "page": Command("hosts", "write an HTML file that translates in the browser"),
            "serve": Command("hosts", "an HTTP service that translates, scores and aligns"),
        },
        "Models and their training": {
            "get": Command("runs", "get released runs, with their weights"),
            "inspect": Command("runs", "show the contents of a run folder"),
            "corpus": Command("corpus", "list, download and split known corpora"),
            "prepare": Command("prepare", "turn parallel corpora into a folder that training reads"),
            "recipes": Command("runs", "list the recipes, or all settings of one"),
            "train": Command("train", "train a model; Ctrl-C saves and stops, --resume continues"),
            "jobs": Command("jobs", "trainings that wait in a queue, without a terminal"),
        },
        "Translations and alignments": {
            "translate": Command("translate", "translate sentences from standard input, one per line"),
            "score": Command("translate", "log-probabilities of given translations"),
            "align": Command("align", "word links of given sentence pairs"),
            "rescore": Command("rescore", "re-rank an n-best list by any runs"),
            "shard": Command("shards", "cut a text into shards, or join what was written of them"),
            "figure3": Command("figure3", "alpha of sentences as in Figure 3, one PDF"),
        },
        "Measures": {
            "evaluate": Command("evaluate", "BLEU, chrF and TER of runs"),
            "evaluate-output": Command("evaluate_output", "BLEU, chrF and TER of another system's output"),
            "compare": Command("compare", "tables, BLEU by length (Figure 2) and significance tests"),
            "stress": Command("stress", "BLEU and coverage when several sentences are concatenated"),
            "aer": Command("aer", "precision, recall and alignment error rate of word links"),
            "check-attention": Command("check_attention", "what differs between your own attention and the paper's"),
        },
    },
)
build_parser, main = JOINTLY.parser, JOINTLY.main
