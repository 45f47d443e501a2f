"""One small file of each kind that a command reads: runs, an aligner, prepared data, texts, links, tables."""

import gzip
import json
import lzma
from pathlib import Path

from nmt.runs.folder import CONFIG
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.oracles.random_run import random_run
from trials import workshop
from trials.command import command
from trials.trial import must
from trials.whole_run import whole_run

ENGLISH = (
    "the girl reads .",
    "she has never seen the sea",
    "a cat sleeps on the mat .",
    "the sea is European",
    "the girl has seen a cat , she reads on the mat",
    "she sleeps on Zanzibar .",
)
FRENCH = (
    "la fille lit .",
    "elle a jamais vu la mer",
    "une chat dort sur le lit .",
    "la mer est européenne",
    "la fille a vu une chat , elle a lit sur le lit",
    "elle dort sur Zanzibar .",
)
_LINKS = "0-0 1-1 2-2\n0-0\n0-0 1-1 2-2 3-3\n\n0-0 1-1 1-2\n1-1 3-3\n"
_GOLD = "0-0 1-1 2p2\n0-0 1p2\n0-0\n1-1\n0p0 4-4\n1-1\n"
_PHRASES = "a ||| une ||| 0.5 0.25\nthe cat ||| la chat ||| 1 2\nthe girl ||| la fille ||| 0.5 0.1\n"
_LIST = (
    "0 ||| la fille lit . ||| LM= -3.5 ||| -4\n0 ||| la fille ||| LM= -2 ||| -5\n2 ||| une chat . ||| LM= -1 ||| -1\n"
)
_SCORES = "0.5\n0.25\nNone\n-1\n0.75\n"
_JOBS = ("waits", "stopped")
_README = "# Runs\n\n<!-- results: begin (written) -->\n\n<!-- results: end -->\n"


def write_small_files(folder: Path) -> None:
    """Write the files into a new folder, by the commands themselves where these make them. Raises Lost if one of
    these fails."""
    workshop.write_corpus(folder)
    runs = folder / "runs"
    random_run(runs / "words")
    random_run(runs / "subwords", kind="bpe")
    random_run(runs / "encdec", "rnnencdec")
    _turn(random_run(runs / "back"))
    whole_run(runs / "whole")
    random_run(folder / "few" / "words")
    _second_system(runs / "other")
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "bytes").write_bytes(bytes(range(256)) * 4)
    for name, lines in (("text.en", ENGLISH), ("text.fr", FRENCH), ("written.fr", FRENCH[::-1])):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name in ("text.en", "text.fr"):
        data = (folder / name).read_bytes()
        (folder / f"{name}.gz").write_bytes(gzip.compress(data, mtime=0))
        (folder / f"{name}.xz").write_bytes(lzma.compress(data))
    for name, text in (
        ("links", _LINKS),
        ("gold", _GOLD),
        ("phrases", _PHRASES),
        ("list", _LIST),
        ("readme.md", _README),
        ("scores", _SCORES),
        ("documents", "news\ta\nnews\ta\nnews\tb\nlaws\tc\nlaws\tc\n"),
        ("scores.json", json.dumps({name: [{"COMET": 0.1 * k} for k in range(5)] for name in ("whole", "other")})),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    _by_commands(folder)


def _by_commands(folder: Path) -> None:
    runs, prepared = folder / "runs", folder / "prepared"
    text = ["--source", str(folder / "text.en"), "--target", str(folder / "text.fr")]
    short = ["--set", "training.max_updates=4", "--set", "training.validate_every=2", "--device", "cpu"]
    for arguments in (
        ["release", "publish", str(runs / "words"), str(runs / "released"), "--weights", "int8"],
        ["release", "publish", str(runs / "encdec"), str(runs / "released-encdec"), "--weights", "int8"],
        [
            "release",
            "aligner",
            "--runs",
            str(runs / "words"),
            *text,
            "--rule",
            "argmax",
            "--out",
            str(folder / "aligners" / "toy"),
        ],
        workshop.prepare(folder, prepared),
        ["train", "debug", "--data", str(prepared), "--run", str(runs / "trained"), *short],
        *(
            ["jobs", "--runs", str(runs), "add", "train", "debug", "--data", str(prepared), "--run", name]
            for name in _JOBS
        ),
        ["jobs", "--runs", str(runs), "stop", "stopped"],
        *(["shard", str(folder / "text.en"), "--out", str(folder / "shards" / name)] for name in ("whole", "computed")),
        ["translate", str(runs / "words"), "--shards", str(folder / "shards" / "computed")],
        ["experiments", "phrase-based", "prepare", str(folder / "phrases-of-toy"), "--data", str(prepared)],
    ):
        done = command(arguments)
        must(done.status == 0, f"{arguments} ended with {done.status}: {done.err}")


def _turn(run: Path) -> None:
    """Make the run one of the other direction."""
    settings = json.loads((run / CONFIG).read_text(encoding="utf-8"))
    settings["source_language"], settings["target_language"] = settings["target_language"], settings["source_language"]
    (run / CONFIG).write_text(json.dumps(settings), encoding="utf-8")


def _second_system(run: Path) -> None:
    """A run that was evaluated on the same set as the whole one, with other translations."""
    from nmt.evaluation.evaluation_files import write_evaluation

    random_run(run)
    write_evaluation(run, evaluated(run.name, "set", texts([3, 4, 5, 6, 7], kept=0.5)))
