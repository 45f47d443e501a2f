"""Names of exported files."""

from nmt.instrument.export import file_stem


def test_a_name_of_a_file_has_at_most_sixty_letters_of_each_part() -> None:
    parts = file_stem("so " * 20 + "on", "x" * 61).split(".")
    assert [len(part) for part in parts] == [59, 60]
    assert len(file_stem("x" * 30 + " " + "y" * 30)) == 30
    assert file_stem(" ", "?") == "alignment"
