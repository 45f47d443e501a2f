"""Tables by length say what the records hold."""

from __future__ import annotations

import re
from dataclasses import replace

from nmt.results import LengthCurves
from nmt.tables.comparison import difference_tables, lengths_table, tables, words_table
from tests.tables.examples import comparison


def looked() -> LengthCurves:
    return comparison().closer[0].curves


def test_cells_are_scores_with_intervals() -> None:
    table = lengths_table(looked())
    assert table.head == ["", "1–10", "11–20", "21–30", "31–40", "41–50", "51–60", "61+", "all"]
    for row, curve in zip(table.rows, looked().curves, strict=False):
        for cell, point in zip(row[1:], (*curve.points, curve.overall), strict=True):
            if point.value is None:
                assert cell == "–"
                continue
            expected = f"{point.value:.1f}"
            if point.interval:
                expected += f" [{point.interval.low:.1f}, {point.interval.high:.1f}]"
            assert cell == expected
    assert table.rows[-1] == ["sentences", "6", "12", "6", "0", "0", "0", "0", "24"]
    assert re.match(r"BLEU on one .*\bsource, .*\b95 %", table.title)
    other = replace(looked(), no_unk=True, side="reference", resamples=None, test_set="")
    assert re.match(r"BLEU, no UNK (?!on )(?!.*95 %).*\breference\b", lengths_table(other).title)


def test_many_ranges_are_rows() -> None:
    few = lengths_table(looked())
    curves = tuple(replace(curve, points=curve.points * 2) for curve in looked().curves)
    many = lengths_table(replace(looked(), curves=curves))
    assert many.head == ["words", *(curve.system for curve in curves), "sentences"]
    assert [row[0] for row in many.rows] == [*few.head[1:-1], *few.head[1:]]
    assert [row[1] for row in many.rows][:7] == list(few.rows[0][1:8])


def test_differences_and_words() -> None:
    (look,) = comparison().closer
    differences, words = difference_tables(comparison())
    for row, pair in zip(differences.rows, look.pairs, strict=False):
        assert row[0] == f"{pair.first} – {pair.second}"
        assert row[1] == f"{pair.by_length[0].difference:+.1f}"  # six sentences: no test
        assert row[2] == f"{pair.by_length[1].difference:+.1f} ({pair.by_length[1].corrected_p:.3f})"
        assert row[4] == "–"
    assert [row[2] for row in words.rows] == [pair.in_words(pair.overall) for pair in look.pairs]
    alone = words_table(look.pairs[:1], "one")
    assert [row[1] for row in alone.rows] == ["all", *(found.span.text for found in look.pairs[0].by_length)]
    assert alone.rows[2][2] == look.pairs[0].in_words(look.pairs[0].by_length[1])


def test_one_system_has_no_differences() -> None:
    assert difference_tables(comparison(1)) == []
    assert not any("bootstrap" in table.title for table in tables(comparison(1)))
    titles = [table.title for table in tables(comparison(3, "TER"))]
    assert any(re.match(r"TER on one .*: .*\bbootstrap, 40 ", title) for title in titles)
