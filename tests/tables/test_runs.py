"""Every cell of a table of measurements says what its record says, as exactly as it shows."""

from collections.abc import Sequence
from random import Random

import pytest

from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.measurement_files import MeasuredErrorRate
from nmt.results import Interval, RetentionPoint, Span, StressPoint
from nmt.runs.provenance import CorpusUsed, Provenance, TrainingSummary
from nmt.tables.runs import alignment_table, files, retention_table, stress_table, training_table
from nmt.tables.table import NOTHING, Value
from release.card import data_table
from tests.runs.origins import corpus_used


def says(cell: str, value: Value, factor: float = 1) -> bool:
    """Whether a cell shows a number of a record, times a factor, rounded to the decimals that it has."""
    if value is None or isinstance(value, str):
        return cell == (NOTHING if value is None else value)
    shown = cell.replace(",", "")
    decimals = len(shown.partition(".")[2])
    return shown == f"{factor * value:.{decimals}f}"


def ends(low: Value, high: Value, decimals: int, factor: float = 1) -> str:
    if not isinstance(low, float) or not isinstance(high, float):
        return NOTHING
    return f"{factor * low:.{decimals}f}–{factor * high:.{decimals}f}"


def stressed(chance: Random, joined: int, *, alpha: bool, interval: bool) -> StressPoint:
    low, high = sorted((chance.uniform(5, 40), chance.uniform(5, 40)))
    return StressPoint(
        joined=joined,
        sentences=chance.randint(1, 3000),
        source_words=chance.uniform(3, 99),
        bleu=chance.uniform(5, 40),
        interval=Interval(low, high) if interval else None,
        bleu_apart=chance.uniform(5, 40),
        log_probability=-chance.uniform(1, 5),
        length_ratio=chance.uniform(0.3, 1.3),
        least_coverage=chance.random() if alpha else None,
        mean_coverage=chance.random() if alpha else None,
    )


def test_a_row_of_a_stress_test_is_its_point() -> None:
    chance = Random(1)
    curves = {
        "one": [stressed(chance, k, alpha=True, interval=k < 3) for k in (1, 2, 3)],
        "two": [stressed(chance, k, alpha=False, interval=True) for k in (1, 2)],
    }
    table = stress_table(curves, "mine")
    assert table.title.endswith(" (mine)")
    assert stress_table(curves, None).title == table.title.removesuffix(" (mine)")
    points = [(name, point) for name, each in curves.items() for point in each]
    shown = ("system", "joined", "sentences", "source_words", "bleu", "", "bleu_apart", "log_probability")
    shown += ("length_ratio", "least_coverage", "mean_coverage")
    assert len(shown) == len(table.head)
    for row, record, (name, point) in zip(table.rows, table.records(), points, strict=True):
        fields = {key: value for key, value in vars(point).items() if key != "interval"}
        low, high = (None, None) if point.interval is None else (point.interval.low, point.interval.high)
        assert record == {"system": name, **fields, "bleu_low": low, "bleu_high": high}
        for cell, key in zip(row, shown, strict=True):
            assert cell == ends(low, high, 1) if key == "" else says(cell, record[key]), (key, cell)
    decimals = {key: len(cell.partition(".")[2]) for key, cell in zip(shown, table.rows[0], strict=True) if key}
    assert min(decimals[key] for key in shown[8:]) == decimals["log_probability"] == 2
    assert decimals["bleu"] == decimals["bleu_apart"] == decimals["source_words"] == 1


def kept_point(span: Span, bleu: float, apart: float, interval: Interval | None) -> RetentionPoint:
    return RetentionPoint(
        span=span,
        texts=12,
        sentences=34,
        source_words=25.5,
        bleu=bleu,
        bleu_apart=apart,
        kept=bleu / apart if apart else None,
        interval=interval,
    )


def test_what_is_kept_is_in_per_cent() -> None:
    points = [
        kept_point(Span(21, 30), 20.24, 22.0, Interval(0.806, 1.014)),
        kept_point(Span(31, None), 0.0, 0.0, None),
    ]
    table = retention_table({"one": points}, None)
    assert len(table.head) == 8
    shown = ("system", "", "texts", "sentences", "bleu", "bleu_apart")
    for row, record, point in zip(table.rows, table.records(), points, strict=True):
        assert [row[1], record["span"]] == [point.span.text, point.span.name]
        for cell, key in zip(row, shown, strict=False):
            assert key == "" or says(cell, record[key]), (key, cell)
        assert says(row[6], point.kept, 100)
        low, high = (None, None) if point.interval is None else (point.interval.low, point.interval.high)
        assert (record["kept_low"], record["kept_high"]) == (low, high)
        assert row[7] == ends(low, high, 0, 100)


@pytest.mark.parametrize("measured", [(1.234, 56.78, 67.89), (None, None, None)])
def test_a_training_without_a_number_has_a_dash(measured: Sequence[float | None]) -> None:
    hours, train, dev = measured
    trained = TrainingSummary(
        run="mine",
        updates=12345,
        updates_before=0 if hours is None else 6789,
        epochs=3.456,
        weights_from=12000,
        ended="",
        hours=hours,
        device="" if hours is None else "cpu",
        words_per_second=None,
        train_nll=train,
        dev_nll=dev,
        train_nll_per_word=None,
        dev_nll_per_word=None,
    )
    (row,) = training_table([trained]).rows
    assert row[:2] == ["mine", "12,345" if hours is None else "12,345 after 6,789"]
    assert says(row[2], 3.456)
    assert row[4] == (NOTHING if hours is None else "cpu")
    assert [row[3], *row[5:]] == ([NOTHING] * 3 if hours is None else ["1.23", "56.8", "67.9"])


def test_the_corpora_of_a_training_are_listed_with_their_use() -> None:
    def corpus(name: str, kept: int, links: str = "") -> CorpusUsed:
        return corpus_used(name, repeat=kept % 7, read=kept + 1000, kept=kept, links_sha256=links)

    trained, developed = [corpus("tatoeba/train", 12345, "ef" * 32), corpus("mine/more", 5)], corpus("x/dev", 100)
    provenance = Provenance(train=(*trained,), dev=(developed,), pairs_per_epoch=1, tokens=1, sessions=())
    table = data_table(provenance)
    assert [row[0] for row in table.rows] == ["train", "train", "dev"]
    for row, one in zip(table.rows, [*trained, developed], strict=True):
        assert row[1] == files(one)
        assert row[2:4] == [f"{one.kept:,} of {one.read:,}", str(one.repeat)]
        for digest in filter(None, (one.source_sha256, one.target_sha256, one.links_sha256)):
            assert f"`{digest[:16]}`" in row[5]
        assert ("links" in row[5]) == bool(one.links_sha256)
    assert table.rows[0][4] == "CC BY 2.0 FR"
    assert {row[4] for row in table.rows[1:]} == {"not known here"}
    assert files(trained[0]) == "tatoeba/train.en, train.fr"
    assert files(corpus("mine/deep/more", 5)) == "mine/deep/more.en, more.fr"
    assert files(corpus("back-translated-ko/train", 5)).startswith(
        "back-translated-ko/train.en, train.fr (Korean of the English by rnnsearch-en-ko, re-ranked by "
    )
    assert table.left == len(table.head)  # Markdown, nothing to be added up


def measured(found: int, map: str | None, rule: str) -> MeasuredErrorRate:
    """Of 50 links, ``found`` are among the 100 that gold has."""
    error = AlignmentErrorRate(sentences=1200, links=50, sure=100, possible=100, sure_found=found, possible_found=found)
    return MeasuredErrorRate(**vars(error), run=None, update=None, map=map, rule=rule)


def test_the_lowest_error_comes_first_and_says_what_it_is_of() -> None:
    rates = [measured(20, None, "as in the file"), measured(40, "posterior", "posterior argmax")]
    table = alignment_table({"mine": {"gold": rates}})
    assert table.left == 4  # the numbers follow
    assert [row[:4] for row in table.rows] == [
        ["gold", "mine", "posterior", "argmax"],
        ["gold", "mine", "", "as in the file"],
    ]
    assert [row[4:] for row in table.rows] == [
        [f"{100 * (1 - 80 / 150):.1f}", "80.0", "40.0", "1,200"],
        [f"{100 * (1 - 40 / 150):.1f}", "40.0", "20.0", "1,200"],
    ]
