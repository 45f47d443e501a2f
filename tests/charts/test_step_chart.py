"""The chart over saved steps has every step, and marks the one that is shown."""

from nmt.charts.step_chart import step_chart


def test_every_step_stands_where_it_stands_on_the_slider() -> None:
    figure = step_chart([100, 1300, 2000], [3.5, 2.0, 1.25], 1, "bits")
    line, mark = figure.data
    assert (list(line.x), list(line.y)) == ([0, 1, 2], [3.5, 2.0, 1.25])
    assert (list(mark.x), list(mark.y)) == ([1], [2.0])
    assert list(figure.layout.xaxis.ticktext) == ["100", "1,300", "2,000"]
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 2]
    assert figure.layout.yaxis.title.text == "bits"
    assert [("2,000" in text, "1.25" in text) for text in line.text] == [(False, False), (False, False), (True, True)]
