"""N-grams seen in training against a count by strings, and their curve against sacreBLEU."""

import re
from dataclasses import asdict, replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import sacrebleu

from nmt.cli import main
from nmt.data.tokenised import kept_targets
from nmt.evaluation import evaluate
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.sufficient_statistics import count_seen, seen_statistics, sentence_statistics
from nmt.files import sha256_of, write_json
from nmt.results import SentenceStatistics, Span
from nmt.runs.provenance import InitialWeights, Provenance
from tests.oracles.random_run import random_run
from tests.programs import Commands
from tests.runs.origins import corpus_used

WORDS = "a b c d".split()


def lines(seed: int, number: int, longest: int = 9) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, longest + 1))) for _ in range(number)]


def test_counts_are_those_of_searching_in_strings() -> None:
    references, training = lines(1, 40), lines(2, 12)
    padded = [f" {line} " for line in training]
    expected = np.zeros((40, 4), dtype=np.int64)
    for row, reference in zip(expected, references, strict=True):
        words = reference.split()
        for n in range(1, 5):
            ngrams = [" ".join(words[k : k + n]) for k in range(len(words) - n + 1)]
            row[n - 1] = sum(any(f" {ngram} " in line for line in padded) for ngram in ngrams)
    assert 0 < expected[:, 3].sum() < sum(max(0, len(line.split()) - 3) for line in references)
    assert count_seen(references, training).tolist() == expected.tolist()
    assert count_seen(references, references).sum() == sum(
        max(0, len(line.split()) - k) for line in references for k in range(4)
    )
    assert not count_seen(references, []).any()


def test_tokens_are_those_of_bleu() -> None:
    assert count_seen(["Oui, merci."], ["merci."]).tolist() == [[2, 1, 0, 0]]
    assert count_seen(["今日は。"], ["日は"], "char").tolist() == [[2, 1, 0, 0]]


def test_the_curve_is_the_bleu_of_these_ngrams() -> None:
    """With all n-grams seen it is 100; otherwise the geometric mean of the four shares, since lengths agree."""
    references, training = lines(3, 200, 20), lines(4, 30, 20)
    seen = count_seen(references, training)
    given = sentence_statistics(lines(5, 200), lines(6, 200), references)
    pairs = replace(given.pairs, reference_seen=seen)
    systems = {name: SentenceStatistics(pairs, given.hypotheses) for name in ("one", "other")}
    spans = (Span(1, 4), Span(5, 9))
    found = length_curves(systems, spans).seen
    assert found is not None
    for point, span in zip(found.points, spans, strict=True):
        inside = span.holds(pairs.source_words)
        tokens = pairs.reference_length[inside]
        shares = [seen[inside][:, n].sum() / np.maximum(tokens - n, 0).sum() for n in range(4)]
        assert point.value == pytest.approx(100 * np.exp(np.mean(np.log(shares))))
    curves = length_curves(systems, spans)
    assert curves.expected is not None
    best = max(curve.points[1].value or 0.0 for curve in curves.curves)  # 5 to 9 words are nearest to 15
    for point, raw in zip(curves.expected.points, found.points, strict=True):
        assert point.value == pytest.approx(best * (raw.value or 0.0) / (found.points[1].value or 1.0))
    whole = replace(given.pairs, reference_seen=count_seen(references, references))
    all_seen = seen_statistics(whole)
    assert all_seen is not None
    perfect = sacrebleu.corpus_bleu(references, [references]).score
    assert length_curves({"all": all_seen}, spans).curves[0].overall.value == pytest.approx(perfect)
    other = length_curves(systems, spans, metric="chrF")
    assert (other.seen, other.expected) == (None, None)
    assert length_curves({"one": given}, spans).seen is None
    systems["other"] = SentenceStatistics(whole, given.hypotheses)
    assert length_curves(systems, spans).seen == found  # of the best system, the first of two that are equal
    systems = {"other": systems["other"], "one": systems["one"]}
    assert length_curves(systems, spans).seen != found


def test_evaluate_counts_keeps_and_checks(tmp_path: Path, cli: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """--seen-in takes the run's own training files and no others; a later evaluation keeps the counts."""
    run = random_run(tmp_path / "run")
    long = " a" * 40  # longer than what was prepared, which the run's examples of several pairs may be
    texts = {"train.fr": f"le chat\ndort le{long}\n", "other.fr": "le chien\n", "s": "the cat\n"}
    texts |= {"r": "le chat dort\n", "train.en": f"the cat\nthe cat{long}\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    command = ["evaluate", str(run), "--source", str(tmp_path / "s"), "--reference", str(tmp_path / "r")]
    command += ["--name", "mine", "--beam", "1"]
    corpus = [str(tmp_path / "train.en"), str(tmp_path / "train.fr")]
    assert re.search(r"\brun\b.* --seen-in\b", cli.refused(*command, "--seen-in", *corpus))
    sums = {
        f"{side}_sha256": sha256_of(tmp_path / f"train.{end}") for side, end in (("source", "en"), ("target", "fr"))
    }
    used = corpus_used("c/train", read=1, kept=1, **sums)
    prepared = "jointly prepare --max-length 30 --out PREPARED"
    origin = Provenance(train=(used,), dev=(), pairs_per_epoch=1, tokens=5, sessions=(), preparation=prepared)
    other = corpus_used("c/other", read=1, kept=1, source_sha256="a", target_sha256="b")
    earlier = InitialWeights(run="earlier", sha256="", update=1, provenance=replace(origin, train=(other,)))
    write_json(run / "provenance.json", {"format": 1} | asdict(replace(origin, initial=earlier)))
    assert "--seen-in lacks c/other.fr" in cli.refused(*command, "--seen-in", *corpus)
    write_json(run / "provenance.json", {"format": 1} | asdict(origin))
    assert re.search(
        r"\btrain\.en .*\bother\.fr .*\brun\b",
        cli.refused(*command, "--seen-in", corpus[0], str(tmp_path / "other.fr")),
    )
    for options in (["--seen-in", *corpus], []):
        assert main([*command, *options]) == 0
        (evaluation,) = read_evaluated_system(run).evaluations.values()
        assert evaluation.pairs.reference_seen is not None
        assert evaluation.pairs.reference_seen.tolist() == [[2, 1, 0, 0]]
    for name, text in {"s2": "cat\nthe\n", "r2": "dort\nle rat\n"}.items():
        (tmp_path / name).write_text(text)
    sets = ["--set", "one", *command[3:6:2], "--set", "two", str(tmp_path / "s2"), str(tmp_path / "r2")]
    read = Mock(wraps=kept_targets)
    monkeypatch.setattr(evaluate, "kept_targets", read)
    assert main(["evaluate", str(run), "--beam", "1", "--seen-in", *corpus, *sets]) == 0
    assert read.call_count == 1, "the corpora are read once for all test sets"
    found = read_evaluated_system(run).evaluations
    for name, expected in {"one": [[2, 1, 0, 0]], "two": [[0, 0, 0, 0], [1, 0, 0, 0]]}.items():
        counts = found[name].pairs.reference_seen
        assert counts is not None
        assert counts.tolist() == expected
