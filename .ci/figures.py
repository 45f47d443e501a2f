"""Figures in documents come from stored results: a comment says which figure follows, an empty comment ends it.

    <!-- bleu rnnsearch-50 newstest2014 -->8.8 / 26.2<!-- -->

    .venv/bin/python .ci/figures.py            name the figures that are not those of the stored results
    .venv/bin/python .ci/figures.py --write    write those of the stored results

Kinds, with a run or a system and its test set, where "all" is the English to French sets of Table 1 as one:

- bleu RUN SET: all sentences / without unknown words (of an external system: unknown to rnnsearch-50);
- ahead RUN OTHER SET: BLEU of one minus that of the other, all sentences, with its interval;
- kept RUN SET: BLEU at 51-60 words over BLEU at 11-20, in percent, with its interval;
- aer RUN SET MAP RULE: alignment error rate in percent;
- dev RUN: NLL of the best validation, in nats per sentence.
"""

import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from nmt.evaluation.bootstrap import RESAMPLES, SEED, Resamples  # noqa: E402
from nmt.evaluation.comparison import scores_by_set, statistics_by_set  # noqa: E402
from nmt.evaluation.evaluation_files import read_evaluated_system  # noqa: E402
from nmt.evaluation.length_curves import retention  # noqa: E402
from nmt.evaluation.measurement_files import read_error_rates  # noqa: E402
from nmt.evaluation.significance import paired_tests  # noqa: E402
from nmt.results import ALL_SETS  # noqa: E402
from nmt.runs.folder import read_run  # noqa: E402
from nmt.tables.comparison import bleu_cell  # noqa: E402

DOCUMENTS = ("docs/paper.md",)
FIGURE = re.compile(r"(<!-- (\w+) ([\w -]+) -->)(.*?)(<!-- -->)", re.DOTALL)
POOLED = ["canada-laws-test", "tatoeba-test", *(f"multi30k-test{name}" for name in ("2016", "2017", "2017-mscoco"))]


@cache
def system(name):
    folder = ROOT / "checkpoints" / name
    return read_evaluated_system(folder if folder.is_dir() else ROOT / "systems" / name, own=False)


def sets(name):
    return (POOLED, ALL_SETS) if name == "all" else ([name], name)


def bleu(run, test_set):
    parts, key = sets(test_set)
    others = [] if (ROOT / "checkpoints" / run).is_dir() else [system("rnnsearch-50")]
    systems = [*others, system(run)]
    return bleu_cell(scores_by_set(systems, parts)[-1][key])


def ahead(run, other, test_set):
    parts, key = sets(test_set)
    statistics = statistics_by_set([system(run), system(other)], parts, no_unk=False)
    counts = {name: found[key] for name, found in zip((run, other), statistics, strict=True)}
    resamples = Resamples.draw(len(counts[run]), RESAMPLES, SEED)
    (test,) = paired_tests(counts, (), method="bootstrap", resamples=resamples)
    interval = test.overall.difference_interval
    return f"{test.overall.difference:+.1f} [{interval.low:.1f}, {interval.high:.1f}]"


def kept(run, test_set):
    parts, key = sets(test_set)
    (statistics,) = statistics_by_set([system(run)], parts, no_unk=False)
    counts = statistics[key]
    share = retention({run: counts}, Resamples.draw(len(counts), RESAMPLES, SEED))[run]
    return f"{100 * share.value:.0f} % [{100 * share.interval.low:.0f}, {100 * share.interval.high:.0f}]"


def aer(run, test_set, weights, rule):
    (rate,) = [
        one
        for one in read_error_rates(ROOT / "checkpoints" / run, own=False)[test_set]
        if one.map == weights and one.rule.removeprefix("posterior ") == rule
    ]
    return f"{100 * rate.aer:.1f}"


def dev(run):
    return f"{read_run(ROOT / 'checkpoints' / run).weights.dev_nll_per_sentence:.1f}"


KINDS = {"bleu": bleu, "ahead": ahead, "kept": kept, "aer": aer, "dev": dev}


def renewed(text):
    """The text with the figures of the stored results."""
    return FIGURE.sub(lambda found: found[1] + KINDS[found[2]](*found[3].split()) + found[5], text)


def main(arguments):
    status = 0
    for name in DOCUMENTS:
        path = ROOT / name
        old = path.read_text(encoding="utf-8")
        new = renewed(old)
        for before, after in zip(FIGURE.findall(old), FIGURE.findall(new), strict=True):
            if before != after:
                print(f"{name}: {before[1]} {before[2]}: {before[3]} is now {after[3]}")
                status = 1
        if "--write" in arguments:
            path.write_text(new, encoding="utf-8")
            status = 0
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
