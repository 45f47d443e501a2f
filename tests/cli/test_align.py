"""Which partner an aligner gets, what is said of it, and the whole lines that ``align`` and ``aer`` print."""

import argparse
from pathlib import Path

import pytest

import nmt
from nmt.aligners.aligner import Aligner, load_aligner
from nmt.aligners.partners import LinkCounts, SilThot
from nmt.alignments.links import BothDirections, Extraction
from nmt.cli.align import with_partner
from nmt.cli.hosts import _loaded
from nmt.errors import InputError
from release.alignment.counting import count_links, write_counts
from tests.aligners.conftest import SOURCE, TARGET
from tests.oracles.random_run import random_run
from tests.programs import Commands, main


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Of an aligner with stored counts, and of one without."""
    root = tmp_path_factory.mktemp("aligners")
    random_run(root / "checkpoints" / "words")
    for name, lines in (("source", SOURCE), ("target", TARGET)):
        (root / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    sides = ["--source", str(root / "source"), "--target", str(root / "target")]
    folders = {known: root / "aligners" / f"counts-{known}" for known in (True, False)}
    folders[True].mkdir(parents=True)  # an empty folder will do
    for folder in folders.values():
        assert (
            main(["release", "aligner", "--runs", str(root / "checkpoints" / "words"), *sides, "--out", str(folder)])
            == 0
        )
    words = [(source.split(), target.split()) for source, target in zip(SOURCE, TARGET, strict=True)]
    links = (BothDirections(frozenset({(0, 0)}), frozenset()) for _ in words)
    write_counts(folders[True], count_links(words, links))
    return folders


@pytest.fixture(scope="module")
def aligners(folders: dict[bool, Path]) -> dict[bool, Aligner]:
    return {known: load_aligner(folder, None, "cpu") for known, folder in folders.items()}


CHOICES = [
    # sil-thot, stored counts, pairs, --training, --partner: the partner
    (True, True, 9, False, None, "counts"),
    (True, True, 10, False, None, "text"),
    (True, True, 9, True, None, "text"),
    (True, False, 9, False, None, "text"),
    (False, True, 10, False, None, "none"),
    (False, False, 10, False, None, "none"),
    (False, True, 9, True, None, "refused"),
    (True, True, 10, False, "counts", "counts"),
    (True, True, 10, False, "none", "none"),
    (False, True, 9, False, "counts", "counts"),
    (False, True, 9, False, "none", "none"),
    (True, True, 9, False, "text", "text"),
]


@pytest.mark.parametrize(("installed", "counts", "pairs", "training", "asked", "chosen"), CHOICES)
def test_the_partner_is_chosen_by_what_there_is_and_how_much_text(
    installed: bool,
    counts: bool,
    pairs: int,
    training: bool,
    asked: str | None,
    chosen: str,
    aligners: dict[bool, Aligner],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("nmt.aligners.partners.is_installed", lambda: installed)
    monkeypatch.setattr("nmt.cli.align.ENOUGH", 10)
    for name in ("a", "b"):
        (tmp_path / name).write_text("The sea.\n\nA cat\n", encoding="utf-8")
    texts = [str(tmp_path / "a"), str(tmp_path / "b")] if training else None
    options = argparse.Namespace(partner=asked, training=texts)
    if chosen == "refused":
        with pytest.raises(InputError, match=r"^sil-thot is not installed; "):
            with_partner(aligners[counts], options, pairs)
        return
    aligner = with_partner(aligners[counts], options, pairs)
    assert isinstance(aligner, Aligner)
    found = aligner.partner
    kinds = {"none": type(None), "text": SilThot, "counts": LinkCounts}
    assert type(found) is kinds[chosen]
    if isinstance(found, SilThot):
        words = ["The sea .".split(), "A cat".split()]
        assert [*found._training] == ([(side, side) for side in words] if training else [])
    said = "" if asked is not None or chosen != "none" else (
        "sil-thot is not installed (pip install 'jointly[smt]'), so these are the links of the runs alone; --partner "
        "counts takes the counts that are stored with an aligner instead.\n"
    )  # fmt: skip
    assert capsys.readouterr() == ("", said)


def test_a_partner_that_there_is_not_and_text_for_another_one_are_refused(aligners: dict[bool, Aligner]) -> None:
    with pytest.raises(InputError, match=r"^the aligner counts-False has no stored counts$"):
        with_partner(aligners[False], argparse.Namespace(partner="counts", training=None), 9)
    for partner in ("counts", "none"):
        with pytest.raises(InputError, match=r"^--training is for --partner text$"):
            with_partner(aligners[True], argparse.Namespace(partner=partner, training=["a", "b"]), 9)


@pytest.mark.parametrize(("precision", "bf16"), [(None, False), ("fp32", False), ("int8", False), ("bf16", True)])
def test_the_service_computes_an_aligner_in_bf16_if_that_is_asked_for(
    precision: str | None, bf16: bool, aligners: dict[bool, Aligner], folders: dict[bool, Path]
) -> None:
    options = argparse.Namespace(runs=None, device="cpu", precision=precision)
    assert _loaded(str(folders[True]), options).identity["bf16"] == bf16


def test_a_pair_that_would_take_minutes_is_refused(random_runs: Path, tmp_path: Path, cli: Commands) -> None:
    (tmp_path / "long").write_text("a " * 4000 + "\n", encoding="utf-8")
    sides = ["--source", str(tmp_path / "long"), "--target", str(tmp_path / "long"), "--map", "posterior"]
    assert cli.refused("align", str(random_runs / "search-words"), *sides).endswith(", and the limit is 2,000,000\n")


def test_a_file_is_no_place_for_an_aligner(tmp_path: Path, cli: Commands) -> None:
    (tmp_path / "taken").touch()
    words = ["--runs", "nowhere", "--source", "s", "--target", "t", "--out", str(tmp_path / "taken")]
    assert (
        cli.refused("release", "aligner", *words)
        == f"python -m release aligner: {tmp_path / 'taken'} already exists and is not an aligner\n"
    )


def test_the_line_of_an_error_rate_has_all_that_it_depends_on(
    random_runs: Path, tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    """With sixty pairs it has an interval, too."""
    run = str(random_runs / "search-words")
    for name, lines in (("s", ["the cat sleeps"]), ("t", ["le chat dort"]), ("g", ["0-0 1-1 2p2"])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines * 60), encoding="utf-8")
    files = [f"--source={tmp_path / 's'}", f"--target={tmp_path / 't'}", f"--gold={tmp_path / 'g'}"]
    (one,) = nmt.load(run).align(["the cat sleeps"], ["le chat dort"], pretokenised=True)
    links = Extraction("argmax").links(one)
    sure, possible = {(0, 0), (1, 1)}, {(0, 0), (1, 1), (2, 2)}
    aer = 100 * (1 - (len(links & sure) + len(links & possible)) / (len(links) + len(sure)))
    precision, recall = 100 * len(links & possible) / len(links), 100 * len(links & sure) / len(sure)
    capsys.readouterr()
    assert cli.printed("aer", run, *files, "--rule", "argmax") == (
        f"AER {aer:5.1f} % [{aer:.1f}, {aer:.1f}]  precision {precision:5.1f} %  recall {recall:5.1f} %  "
        "run:search-words|update:7|map:attention|rule:argmax|n:60\n"
    )
    as_json = cli.printed("align", run, *files[:2], "--json")
    assert cli.printed("align", run, *files[:2], "--json") == as_json
    assert '"format": 1' in as_json
