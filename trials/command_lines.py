"""Commands that do real work on small files, each with the options that exist and values that fit them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

Values = Sequence[tuple[str, ...]]
"""What may stand after an option, or in its place if it has none; () for an option without a value."""


def _each(*values: str) -> Values:
    return tuple((value,) for value in values)


@dataclass(frozen=True, kw_only=True)
class Form:
    """A way to use a command.

    Attributes:
        command: its name, with that of its part.
        places: for each positional argument what may stand there.
        needed: the options without which this form is refused.
        free: those that may be given, each of them or not.
    """

    command: tuple[str, ...]
    places: Sequence[Values] = ()
    needed: Mapping[str, Values] = field(default_factory=dict)
    free: Mapping[str, Values] = field(default_factory=dict)

    def drawn(self, random: Random, share: float) -> list[tuple[str, ...]]:
        """Draw the parts of a command: its name, its positional arguments, and its options with their values, each of
        the free ones with a probability of ``share``."""
        options = dict(self.needed) | {name: values for name, values in self.free.items() if random.random() < share}
        places = [random.choice(values) for values in self.places]
        return [self.command, *places, *((name, *random.choice(values)) for name, values in options.items())]


_ON: Values = ((),)
_RUN = _each("runs/words", "runs/subwords", "runs/encdec", "runs/whole")
_WITH_ALPHA = _each("runs/words", "runs/subwords", "runs/whole")
_SEVERAL = (("runs/words",), ("runs/words", "runs/encdec"), ("runs/whole", "runs/subwords", "runs/words"))
_LANGUAGE = _each("en", "fr", "de", "ja")
_DEVICE = {"--device": _each("cpu")}
_JSON = {"--json": _ON}
_TEXT = {"--source": _each("text.en"), "--target": _each("text.fr")}
_TEST = {"--source": _each("text.en", "text.en.gz"), "--reference": _each("text.fr", "text.fr.xz")}
_RULES = ("argmax", "argmax-null", "columns", "threshold")
_COMBINED = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")
_SEARCH = {
    "--beam": _each("1", "2", "5", "24"), "--length-penalty": _each("0", "0.6", "1", "3"), "--unk": _ON,
    "--replace-unk": ((), ("copy",)), "--precision": _each("fp32", "int8", "bf16"),
    "--hard-attention": _ON,
}  # fmt: skip
_MAPS = {
    "--rule": _each(*_RULES), "--threshold": _each("0", "0.1", "0.5", "1"),
    "--map": _each("attention", "posterior", "leave-one-out"),
}  # fmt: skip
_BOTH_MAPS = {"--reverse": _each("runs/back"), "--rule": _each(*_COMBINED), "--threshold": _each("0.2")}
_ALIGNER_MAPS = {"--map": _each("posterior"), "--rule": _each(*_RULES), "--threshold": _each("0.2")}
_ALIGNER = {"--runs": _each("runs")}
_TRAINING = {"--training": (("train.en", "train.fr"),)}
_AS_ALIGNMENT = {"--pretokenised": _ON}
_SHARDS = {"--shards": _each("shards/whole", "shards/computed")}
_PART = {"--part": _each("1/1", "2/3")}
_GOLD = {"--gold": _each("gold")}
_WHOLE_PREPARED = {
    "--corpus": (("train.en", "train.fr"), ("train.en", "train.fr", "x3"), ("text.en.gz", "text.fr.xz")),
    "--source-lang": _LANGUAGE, "--target-lang": _LANGUAGE, "--out": _each("out", "new/prepared", "prepared"),
    "--force": _ON,
}  # fmt: skip
_SIZES = _each("3", "12", "60", "30000")
_KINDS = _each("words", "bpe", "unigram")
_COMPARED = {
    "--metric": _each("BLEU", "chrF", "TER"), "--words-of": _each("source", "reference"),
    "--buckets": _each("width=10", "width=2", "equal=3", "from=1,4,6", "rolling=3"), "--no-unk": _ON,
    "--test": _each("bootstrap", "randomisation"), "--resamples": _each("40", "60"), "--trials": _each("40", "60"),
    "--seed": _each("0", "12345"), "--figure": _each("figure.pdf", "figure.png", "figure.svg"),
    "--longest": _each("5", "60"), "--no-bands": _ON, "--no-counts": _ON, "--no-training-marks": _ON,
    "--tables": _each("tables.tex", "tables.md", "tables.csv"),
    "--format": _each("text", "markdown"),
}  # fmt: skip
_SCORES: Values = (
    ("whole=scores.json", "--metric", "other=scores.json"),
    ("COMET:other=scores",),
    ("mine:lower:whole=scores",),
    ("COMET:other=scores", "--metric", "documents=documents"),
    ("mine:lower:whole=scores",),
    ("mine:higher:whole=scores", "--metric", "mine:higher:other=scores", "--metric", "mine:higher:reference=scores"),
)
"""Scores of sentences by another program. Each further file has an option of its own."""

FORMS: tuple[Form, ...] = (
    Form(
        command=("translate",), places=(_RUN,), free=_SEARCH | _DEVICE | _JSON | {"--n-best": _each("1", "2")}
    ),
    Form(
        command=("translate",), places=(_RUN,), needed={"--sample": _each("1", "3")},
        free={"--temperature": _each("0.5", "2"), "--seed": _each("0", "7")} | _DEVICE | _JSON,
    ),
    Form(
        command=("translate",), places=(_RUN,), needed={"--table-3": _ON},
        free={"--paper": _ON, "--reference": _each("text.fr"), "--beam": _each("2")} | _DEVICE | _JSON,
    ),
    Form(
        command=("translate",), places=(_each("runs/whole"),),
        needed={"--replace-unk": _each("dictionary")}, free={"--beam": _each("3")} | _JSON,
    ),
    Form(command=("figure3",), places=(_WITH_ALPHA,), needed={"--out": _each("figure.pdf")}, free=_DEVICE | _JSON),
    Form(
        command=("figure3",), places=(_each("runs/subwords"),), needed={"--out": _each("figure.pdf"), "--paper": _ON},
        free={"--source": _each("text.en"), "--seed": _each("0", "7")} | _JSON,
    ),
    Form(
        command=("rescore",), places=(_each("list"),),
        needed={"--source": _each("text.en"), "--reference": _each("text.fr"), "--weights": _each("weights.json")},
        free={"--forward": _RUN, "--backward": _each("runs/back"), "--length": _ON, "--out": _each("ranked")}
        | _DEVICE | _JSON,
    ),
    Form(
        command=("shard",), places=(_each("text.en", "text.en.gz"),), needed={"--out": _each("shards/new")},
        free={"--target": _each("text.fr"), "--lines": _each("1", "3", "100000")} | _JSON,
    ),
    Form(command=("translate",), places=(_RUN,), needed=_SHARDS, free=_SEARCH | _PART | _JSON),
    Form(command=("score",), places=(_RUN,), needed=_SHARDS, free=_PART | _JSON),
    Form(command=("align",), places=(_WITH_ALPHA,), needed=_SHARDS, free=_MAPS | _PART | _JSON),
    Form(
        command=("shard",), places=(_each("shards/computed"),), needed={"--out": _each("merged")},
        free=_JSON | {"--work": _each("translate-words")},
    ),
    Form(command=("score",), places=(_RUN,), needed=_TEXT, free=_DEVICE | _JSON),
    Form(
        command=("experiments", "phrase-based", "score"), places=(_RUN, _each("phrases")),
        free={"--feature": _each("log", "probability"), "--out": _each("scored", "scored.gz")} | _DEVICE,
    ),
    Form(command=("experiments", "phrase-based", "score"), places=(_RUN, _each("phrases")), free=_JSON),
    Form(command=("align",), places=(_WITH_ALPHA,), needed=_TEXT, free=_MAPS | _AS_ALIGNMENT | _DEVICE | _JSON),
    Form(command=("align",), places=(_WITH_ALPHA,), needed=_TEXT | _BOTH_MAPS, free=_AS_ALIGNMENT | _JSON),
    Form(
        command=("align",), places=(_each("aligners/toy"),), needed=_TEXT | _ALIGNER,
        free=_ALIGNER_MAPS | _AS_ALIGNMENT | _JSON | {"--partner": _each("none", "text")},
    ),
    Form(
        command=("align",), places=(_each("aligners/toy"),), needed=_TEXT | _ALIGNER | _TRAINING,
        free=_AS_ALIGNMENT | _JSON,
    ),
    Form(
        command=("aer",), places=(_RUN,), needed=_TEXT | _GOLD,
        free=_MAPS | _DEVICE | _JSON | {
            "--name": _each("gold", "a-b"), "--target-first": _ON, "--into-run": _ON,
        },
    ),
    Form(command=("aer",), places=(_WITH_ALPHA,), needed=_TEXT | _GOLD | _BOTH_MAPS, free=_JSON),
    Form(
        command=("aer",), places=(_each("aligners/toy"),), needed=_TEXT | _GOLD | _ALIGNER,
        free=_ALIGNER_MAPS | _JSON | {"--partner": _each("none", "text")},
    ),
    Form(command=("aer",), places=(_each("aligners/toy"),), needed=_TEXT | _GOLD | _ALIGNER | _TRAINING, free=_JSON),
    Form(
        command=("aer",), needed={"--links": _each("links")} | _GOLD,
        free={"--base": _each("0"), "--gold-base": _each("0"), "--part": _each("")} | _JSON,
    ),
    Form(command=("aer",), needed={"--links": _each("links")} | _GOLD | _TEXT, free=_JSON),
    Form(
        command=("release", "aligner"),
        needed=_TEXT | {"--runs": (("runs/words",), ("runs/words", "runs/whole")), "--out": _each("aligners/new")},
        free={
            "--reverse": _each("runs/back"), "--pairs": _each("1", "5"),
            "--rule": _each("intersection", "grow-diag-final-and"),
        } | _DEVICE | _JSON,
    ),
    Form(
        command=("release", "mean"),
        places=(_each("runs/words"), _each("runs/words", "runs/whole"), _each("0.5", "1"), _each("runs/new")),
        needed={},
    ),
    Form(
        command=("release", "dictionary"), places=(_each("runs/words", "runs/whole"),),
        needed=_TEXT | {"--links": _each("links")},
        free={"--out": _each("learned.tsv"), "--base": _each("0")} | _JSON,
    ),
    Form(
        command=("evaluate",), places=(_RUN,), needed=_TEST,
        free=_SEARCH | _DEVICE | _JSON | {
            "--name": _each("set", "other"), "--table-1": _ON, "--fresh": _ON, "--concatenate": _ON,
            "--into-run": _ON,
        },
    ),
    Form(
        command=("evaluate",), places=(_RUN,),
        needed={"--set": (("one", "text.en", "text.fr"), ("two", "test.en", "test.fr"))},
        free={
            "--beam": _each("2"), "--table-1": _ON, "--keep-translations": _ON,
            "--seen-in": (("train.en", "train.fr"),),
        } | _JSON,
    ),
    Form(
        command=("evaluate-output",), places=(_each("moses"),),
        needed=_TEST | {
            "--hypothesis": _each("written.fr"), "--name": _each("set"),
            "--out": _each("systems"),
        },
        free={
            "--about": _each("another program"),
            "--keep-translations": _ON, "--segments": _each("written.fr"), "--concatenate": _ON,
            "--languages": (("en", "fr"), ("en", "ja")),
        } | _JSON,
    ),
    Form(
        command=("compare",), places=((("runs/whole", "runs/other"), ("runs/whole",)),),
        needed={"--on": _each("all", "set")}, free=_COMPARED | _JSON,
    ),
    Form(
        command=("compare",), places=((("runs/whole", "runs/other"),),),
        needed={"--on": _each("set"), "--metric": _SCORES},
        free={name: values for name, values in _COMPARED.items() if name != "--metric"} | _JSON,
    ),
    Form(
        command=("compare",), places=((("runs/whole", "runs/other"),),), needed={"--set": _each("set")},
        free={"--resamples": _each("40")} | _JSON,
    ),
    Form(
        command=("stress",), places=(_SEVERAL,), needed=_TEST | {"--most": _each("1", "3")},
        free={
            "--words": _each("6", "20"), "--sentences": _each("3", "6"), "--lengths": ((), ("5-9",), ("4-8,9-20",)),
            "--store": _each("set"), "--beam": _each("1", "3"), "--length-penalty": _each("0", "1"), "--fresh": _ON,
            "--format": _each("text", "markdown"), "--into-run": _ON, "--precision": _each("int8", "fp32"),
        } | _DEVICE | _JSON,
    ),
    Form(command=("release", "scenes"), places=(_each("few"),), needed={"--out": _each("scenes")}, free=_JSON),
    Form(
        command=("page",), places=((("runs/released",), ("runs/released", "runs/released-encdec")),),
        needed={"--out": _each("page.html")},
        free={"--title": _each("A page", "<b>&amp;</b>"), "--beam": _each("1", "12")} | _JSON,
    ),
    Form(command=("inspect",), places=(_RUN,), free=_JSON),
    Form(command=("get",), places=(((), ("scrubber-128",)),), free={"--from": _each("few")} | _JSON),
    Form(command=("recipes",), free=_JSON),
    Form(command=("recipes",), places=(_each("debug", "rnnsearch_50"),), free=_JSON),
    Form(
        command=("release", "publish"), places=(_RUN, _each("new/release", "release")),
        free={
            "--weights": _each("fp16", "int8"), "--search": _each("beam=3", "length_penalty=1", "no_unk=true"),
        } | _JSON,
    ),
    Form(command=("release", "checksums"), places=(_SEVERAL,), free=_JSON),
    Form(command=("release", "card"), places=(_RUN,), free={"--print": _ON}),
    Form(
        command=("release", "overview"), places=(_each("runs"),),
        free={"--write": _ON, "--readme": _each("readme.md"), "--systems": _each("runs", "nowhere")},
    ),
    Form(
        command=("prepare",), needed=_WHOLE_PREPARED | {"--workers": _each("1")},
        free={
            "--dev": (("dev.en", "dev.fr"),),
            "--bpe-dropout": (("0.1", "--vocabulary", "bpe"), ("0",)), "--vocabulary": _KINDS,
            "--vocabulary-size": _SIZES, "--source-vocabulary": _KINDS, "--source-vocabulary-size": _SIZES,
            "--target-vocabulary": _KINDS, "--target-vocabulary-size": _SIZES, "--max-length": _each("4", "50"),
            "--workers": _each("1", "2"),
        } | _JSON,
    ),
    Form(
        command=("prepare",),
        needed=_WHOLE_PREPARED | {
            "--corpus": (("text.en", "text.fr"),), "--links": _each("links"), "--source-lang": _each("en"),
            "--target-lang": _each("fr"),
        },
        free={
            "--vocabularies-from": _each("runs/words", "runs/subwords"), "--max-length": _each("20"),
            "--base": _each("0"),
        } | _JSON,
    ),
    Form(
        command=("train",), places=(_each("debug"),),
        needed={
            "--data": _each("prepared"), "--run": _each("new/trained"), "--set": _each("training.max_updates=3"),
            "--device": _each("cpu"),
        },
        free=_JSON,
    ),
    Form(
        command=("train",), places=(_each("debug"),),
        needed={"--data": _each("prepared"), "--run": _each("runs/trained"), "--resume": _ON},
        free={"--device": _each("cpu")} | _JSON,
    ),
    Form(
        command=("train",), places=(_each("debug"),),
        needed={
            "--data": _each("prepared"), "--run": _each("new/tuned"), "--set": _each("training.max_updates=2"),
            "--init-from": _each("runs/trained"),
        },
        free=_JSON,
    ),
    Form(
        command=("jobs", "add"), places=(_each("train"), _each("debug")),
        needed={"--data": _each("prepared"), "--run": _each("trained-later")},
        free={
            "--set": _each("training.max_updates=3"), "--device": _each("cpu"),
            "--init-from": _each("runs/trained"), "--resume": _ON,
        } | _JSON,
    ),
    Form(
        command=("experiments", "select"),
        needed={
            "--corpus": (("train.en", "train.fr"), ("text.en.gz", "text.fr.xz")), "--domain": (("dev.en", "dev.fr"),),
            "--words": _each("90", "20000"), "--source-lang": _LANGUAGE, "--target-lang": _LANGUAGE,
            "--out": _each("new/selected"), "--force": _ON,
        },
        free={"--workers": _each("1")} | _JSON,
    ),
    Form(
        command=("experiments", "phrase-based", "prepare"), places=(_each("new/phrases", "phrases-of-toy"),),
        needed={"--data": _each("prepared")},
    ),
    Form(
        command=("experiments", "phrase-based", "tune"), places=(_each("phrases-of-toy"),),
        needed={"--sentences": _each("2", "3")}, free=_JSON,
    ),
    Form(
        command=("experiments", "phrase-based", "pack"), places=(_each("phrases-of-toy"), _each("new/packed")),
        needed={"--sentences": _each("2", "3")},
        free={
            "--pairs": _each("5", "1000"), "--bigrams": _each("1", "1000"), "--trigrams": _each("1", "1000"),
            "--more": _each("text.fr", "text.fr.xz"),
        } | _JSON,
    ),
    Form(
        command=("experiments", "phrase-based", "translate"), places=(_each("phrases-of-toy"),),
        free={"--n-best": _each("1", "3"), "--concatenate": _ON} | _JSON,
    ),
    Form(command=("jobs", "list"), free=_JSON),
    Form(command=("jobs", "stop"), places=(_each("waits"),)),
    Form(command=("jobs", "resume"), places=(_each("stopped"),)),
    Form(command=("jobs", "remove"), places=(_each("waits", "stopped"),)),
    Form(command=("corpus", "list"), free=_JSON),
    Form(
        command=("release", "reproduce"),
        needed={"--data": _each("corpora"), "--out": _each("reproduced"), "--dry-run": _ON},
        free={"--only": _each("rnnsearch-50", "rnnencdec-30"), "--budget": _each("1", "0.5")},
    ),
)  # fmt: skip
"""Every form of every command but those that download or wait for requests."""
