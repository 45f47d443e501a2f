"""Tables as text."""

from nmt.tables.table import Table


def test_the_first_columns_are_flush_left_and_the_others_right() -> None:
    table = Table(
        title="Scores", head=["run", "set", "BLEU"], rows=[["a", "long name", "3"], ["bcd", "x", "41.5"]], left=2
    )
    assert table.text().splitlines() == [
        "Scores",
        "run  set        BLEU",
        "a    long name     3",
        "bcd  x          41.5",
    ]
