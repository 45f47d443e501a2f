"""The two figures in one call each, against what the layers below draw."""

import base64
import gzip
import html
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.charts import figure3
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluation
from nmt.figures import figure3_sentences
from nmt.results.record import record_of_map
from tests.charts.printed import drawn

RUNS = ["checkpoints/rnnsearch-50", "checkpoints/rnnencdec-50"]


def test_a_heatmap_is_figure_3(random_runs: Path, tmp_path: Path) -> None:
    translation = nmt.load(random_runs / "search-bpe").translate("the girl reads", beam=2)
    alignment = translation.best.alignment
    assert alignment is not None
    for given in (translation, translation.best, alignment):
        nmt.heatmap(given).save(tmp_path / "one.svg")
        figure3(record_of_map(alignment)).save(tmp_path / "other.svg")
        assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
    nmt.heatmap(translation, subwords=True).save(tmp_path / "one.svg")
    drawn(alignment).save(tmp_path / "other.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_a_notebook_draws_a_translation_and_print_writes_its_text(random_runs: Path) -> None:
    translation = nmt.load(random_runs / "search-bpe").translate("the <girl> reads", beam=2)
    assert translation.alignment is not None
    assert str(translation) == translation.text
    assert len(repr([translation]).splitlines()) == 1
    assert translation.text in repr([translation])
    html_cell = translation._repr_html_()
    assert html_cell is not None
    assert len(html_cell) < 300_000
    found = re.search(r'<iframe srcdoc="([^"<>]*)" sandbox="allow-scripts" title="([^"<>]*)"', html_cell)
    assert found is not None
    assert html.unescape(found[2]) == translation.text
    packed = re.findall(r'atob\("(.*?)"\)', html.unescape(found[1]))
    page = gzip.decompress(base64.b64decode(packed[0])).decode()
    assert "connect-src" not in page
    assert "default-src 'none'" in page
    record = json.loads(re.findall(r'<script type="application/json" id="record">(.*?)</script>', page)[0])
    assert record == translation.to_dict() | {"systems": translation.to_dict()["systems"][:1]}
    (system,) = record["systems"]
    assert record["source"]["text"] == translation.source
    alignment = translation.alignment
    assert (system["source"]["tokens"], system["target"]["words"]) == ([*alignment.source], [*alignment.target_words])
    np.testing.assert_allclose(system["maps"][0]["weights"], alignment.weights, atol=1e-6)
    picture = re.search(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="([^"<>]*)"', html_cell)
    assert picture is not None
    assert base64.b64decode(picture[1]).decode().count('<g id="patch_') > 1
    assert html.unescape(picture[2]) == translation.text


def test_the_cell_of_a_long_sentence_is_neither_large_nor_tall(random_runs: Path) -> None:
    """A matrix is at most 672 pixels tall, however many rows it has."""
    translation = nmt.load(random_runs / "search-words").translate("the girl reads \ue000 old book " * 10, beam=1)
    assert translation.alignment is not None
    assert len(translation.alignment.merged().target) > 60
    with warnings.catch_warnings(action="error"):  # no font here has U+E000, but the reader's may
        html_cell = translation._repr_html_()
    assert html_cell is not None
    assert len(html_cell) < 300_000
    (height,) = re.findall(r"height: (\d+)px", html_cell)
    assert int(height) < 3000


def test_without_attention_there_is_none(random_runs: Path) -> None:
    translation = nmt.load(random_runs / "encdec-words").translate("the girl reads", beam=2)
    assert translation._repr_html_() is None
    with pytest.raises(InputError, match="attention"):
        nmt.heatmap(translation)


def test_a_comparison_is_figure_2(tmp_path: Path) -> None:
    """The points of the curves are those that each run's own evaluation has; the figure names both runs."""
    comparison = nmt.compare(RUNS, "canada-laws-test", resamples=40)
    for folder, curve in zip(RUNS, comparison.curves.curves, strict=True):
        kept = read_evaluation(Path(folder) / "evaluation" / "canada-laws-test.json").everything
        assert kept is not None
        assert curve.overall.value == pytest.approx(kept.bleu)
    comparison.figure2().save(tmp_path / "figure2.svg")
    text = re.sub(r"<[^>]*>", " ", (tmp_path / "figure2.svg").read_text(encoding="utf-8"))
    assert "rnnsearch-50" in text


def test_a_comparison_is_by_ten_words_with_a_thousand_resamples() -> None:
    """As Figure 2 is drawn, whose last range holds the few sentences of more words."""
    curves = nmt.compare(RUNS, "canada-laws-test").curves
    assert curves.resamples == 1000
    assert [span.name for span in curves.spans[:3]] == ["1-10", "11-20", "21-30"]
    assert curves.spans[-1].last is None
    wide = nmt.compare(RUNS, "canada-laws-test", width=20, resamples=40).curves
    assert [span.name for span in wide.spans[:2]] == ["1-20", "21-40"]


@pytest.mark.parametrize(("words", "drawn"), [(9, False), (10, True), (20, True), (21, False)])
def test_sentences_of_figure_3_have_10_to_20_words(random_runs: Path, words: int, drawn: bool) -> None:
    models = [nmt.load(random_runs / "search-words")]
    lines = [" ".join((["the", "sea"] * 11)[:words])] * 3
    if drawn:
        found = figure3_sentences(models, lines)
        assert found[1:] == lines
        return
    with pytest.raises(InputError, match="fewer than three sentences have 10 to 20 words"):
        figure3_sentences(models, lines)


def test_the_sentences_of_figure_3_are_those_of_the_test_set_if_none_are_given(
    random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nmt.figures.ROOT", tmp_path)
    models = [nmt.load(random_runs / "search-words")]
    file = tmp_path / "testsets" / "jointly-300" / "sentences.en"
    with pytest.raises(InputError) as caught:
        figure3_sentences(models)
    assert str(caught.value) == f"{file} does not exist, so test sentences must be given"
    lines = [" ".join((["the", "sea"] * 11)[:words]) for words in range(9, 14)]
    file.parent.mkdir(parents=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert figure3_sentences(models) == figure3_sentences(models, lines)


def test_the_sentences_of_figure_3_are_drawn_with_the_year_of_the_paper(random_runs: Path) -> None:
    models = [nmt.load(random_runs / "search-words")]
    lines = [" ".join((["the", "sea", "girl"] * 7)[k : k + 12 + k % 5]) for k in range(9)]
    assert figure3_sentences(models, lines) == figure3_sentences(models, lines, 2014)
    assert len({tuple(figure3_sentences(models, lines, seed)) for seed in range(2010, 2020)}) > 5


def test_what_cannot_be_compared_is_named() -> None:
    with pytest.raises(InputError, match="rnnsearch-50"):
        nmt.compare([RUNS[0], RUNS[0]], "canada-laws-test")
    with pytest.raises(InputError, match=r"rnnencdec-50 .*nothing"):
        nmt.compare(RUNS, "nothing")
