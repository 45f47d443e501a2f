"""Test sets: read from wherever they lie, recognised by their sentences, refused with one sentence."""

import gzip
import hashlib
import logging
import lzma
import os
import re
from pathlib import Path

import numpy as np
import pytest

from nmt.data.uploads import Limits, Upload
from nmt.errors import InputError
from nmt.evaluation import quoted
from nmt.evaluation import test_set as files
from nmt.evaluation.evaluation_files import (
    EvaluatedSystem,
    evaluate_external_system,
    read_evaluated_system,
    write_evaluation,
    write_system,
)
from nmt.evaluation.sufficient_statistics import pair_statistics
from nmt.evaluation.test_set import TestSet, remarks
from nmt.results import Evaluation, Languages

ROOT = Path(__file__).parents[2]
SMALL = Limits(size=200, lines=4, characters=20)


def upload(text: str | bytes, name: str = "mine.en") -> Upload:
    return Upload(name, text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize("languages", [("en", "fr"), ("fr", "en"), ("en", "de"), ("en", "ja")])
def test_the_shipped_test_sets(languages: tuple[str, str]) -> None:
    folders = files.list_folders(ROOT / "testsets", *languages)
    assert ROOT / "testsets" / ("jointly-150" if "fr" in languages else f"jointly-100-{languages[1]}") in folders
    for folder in folders:
        found = files.from_folder(folder, *languages)
        assert (found.name, found.licence) == (folder.name, "CC0-1.0")
        for side, digest, language in zip(
            (found.sources, found.references), (found.source_sha256, found.reference_sha256), languages, strict=True
        ):
            data = (folder / f"sentences.{language}").read_bytes()
            assert "".join(line + "\n" for line in side).encode() == data
            assert digest == hashlib.sha256(data).hexdigest()
        assert (folder / "registers").is_file() == bool(found.registers)


def test_a_folder_with_registers(tmp_path: Path) -> None:
    for name, text in {"sentences.en": "a\nb\n", "sentences.fr": "x\ny\n", "registers": "law\neveryday\n"}.items():
        (tmp_path / name).write_text(text)
    found = files.from_folder(tmp_path, "en", "fr")
    spoken = Languages("en", "fr")
    assert found == TestSet(
        name=tmp_path.name,
        sources=("a", "b"),
        references=("x", "y"),
        registers=("law", "everyday"),
        licence="",
        languages=spoken,
    )
    assert found.take(np.array([1])) == TestSet(
        name=tmp_path.name,
        sources=["b"],
        references=["y"],
        registers=["everyday"],
        licence="",
        languages=spoken,
    )
    (tmp_path / "registers").write_text("law\n")
    with pytest.raises(InputError, match=r"2 sentences.*1 registers"):
        files.from_folder(tmp_path, "en", "fr")
    with pytest.raises(InputError, match=r"sentences\.de"):
        files.from_folder(tmp_path, "en", "de")
    assert files.list_folders(tmp_path, "en", "fr") == []
    assert files.list_folders(tmp_path / "nowhere", "en", "fr") == []


def test_corpora_by_path(tmp_path: Path) -> None:
    for corpus, split, pack, ending in (
        ("multi30k", "test2016", lzma.compress, ".xz"),
        ("multi30k", "train", lzma.compress, ".xz"),
        ("tatoeba", "test", gzip.compress, ".gz"),
        ("mine", "test", bytes, ""),
    ):
        (tmp_path / corpus).mkdir(exist_ok=True)
        for language, text in (("en", f"{corpus}\n\ntwo\n"), ("fr", "un\n\ndeux\n")):
            (tmp_path / corpus / f"{split}.{language}{ending}").write_bytes(pack(text.encode()))
    (tmp_path / "mine" / "test2.en").write_text("no French\n")
    (tmp_path / "file").touch()
    places = files.find_in_corpora(tmp_path, "en", "fr")
    assert [place.name for place in places] == ["mine-test", "multi30k-test2016", "tatoeba-test"]
    for place in places:
        found = files.from_corpus(place)
        assert found.sources == (place.name.partition("-")[0], "", "two")
        assert found.references == ("un", "", "deux")
        assert found.name == place.name
    assert files.find_in_corpora(tmp_path, "fr", "en")[0].source.name == "test.fr"
    assert files.find_in_corpora(tmp_path / "nowhere", "en", "fr") == []


def test_known_sets_of_a_corpus_have_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    for split in ("dev", "newstest2014", "train"):
        for language in ("en", "fr"):
            (tmp_path / "news" / f"{split}.{language}").write_text(f"{split}\n")
    assert files.find_in_corpora(tmp_path, "en", "fr") == []
    known = {"news/newstest2014": "newstest2014", "news/dev": "newstest2012-2013"}
    found = {place.name: place.source.name for place in files.find_in_corpora(tmp_path, "en", "fr", known)}
    assert found == {"newstest2012-2013": "dev.en", "newstest2014": "newstest2014.en"}


def test_two_files_and_one_of_two_columns() -> None:
    source, reference = upload("\ufeffI am\r\n\u2028 here\n"), upload("je suis\nlà", "mine.fr")
    two = files.from_two_files("mine", source, reference)
    assert (two.sources, two.references) == (("I am", "\u2028 here"), ("je suis", "là"))
    one = files.from_tsv("mine", upload("I am\tje suis\r\n\u2028 here\tlà\n"))
    assert (one.sources, one.references) == (two.sources, two.references)
    assert one.source_sha256 == two.source_sha256
    packed = files.from_two_files(None, upload(gzip.compress(source.data)), upload(lzma.compress(reference.data)))
    assert (packed.sources, packed.references) == (two.sources, two.references)


def test_both_columns_may_be_as_long_as_a_sentence() -> None:
    pair = "é" * 20 + "\t" + "x" * 20
    assert files.from_tsv(None, upload(pair), SMALL).sources == ("é" * 20,)


def test_a_file_that_is_too_large_is_refused_by_path_too(tmp_path: Path) -> None:
    for language in ("en", "fr"):
        (tmp_path / f"sentences.{language}").write_text("x" * 201)
    with pytest.raises(InputError, match=r"sentences\.en .*200 bytes"):
        files.from_folder(tmp_path, "en", "fr", SMALL)


def test_unequal_numbers_of_lines_are_refused_with_both() -> None:
    with pytest.raises(InputError, match=r"^mine\.en .*2 lines.*mine\.fr 3;"):
        files.from_two_files("mine", upload("a\nb\n"), upload("a\nb\nc\n", "mine.fr"))
    with pytest.raises(InputError, match=r"\btest set\b.*\bsentences\b"):
        TestSet(name=None, sources=[], references=[])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b", "line 2 .*0 tabs"),
        ("b\ty\tz", "line 2 .*2 tabs"),
        ("", "line 2 .*0 tabs"),
        ("a\t" + "x" * 21, "line 2 .*21 .*20$"),
    ],
)
def test_lines_of_other_than_two_columns_are_refused(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        files.from_tsv("mine", upload(f"a\tx\n{line}\nc\tz\n"), SMALL)


def test_names() -> None:
    files.check_name("my-set.2")
    for name in ("", "../a", "a b", ".a"):
        with pytest.raises(InputError, match=re.escape(repr(name))):
            files.check_name(name)


def test_a_stored_evaluation_is_recognised_by_its_sentences(tmp_path: Path) -> None:
    mine = TestSet(name="mine", sources=("a", "b"), references=("x", "y"))
    folder = tmp_path / "system"
    write_system(folder, "system", "")
    assert read_evaluated_system(folder).evaluation_on(mine) is None
    for name, sources, references in (
        ("renamed", mine.sources, mine.references),
        ("another", mine.sources, ("x", "z")),
        ("other", ("a", "c"), mine.references),
    ):
        other = TestSet(name=name, sources=sources, references=references)
        write_evaluation(
            folder,
            Evaluation(
                system="system",
                test_set=name,
                sentences_given=2,
                everything=None,
                no_unk=None,
                pairs=pair_statistics(("a", "b"), ("x", "y")),
                source_sha256=other.source_sha256,
                reference_sha256=other.reference_sha256,
            ),
        )
    system: EvaluatedSystem = read_evaluated_system(folder)
    found = system.evaluation_on(mine)
    assert found is not None
    assert found.test_set == "renamed"
    write_evaluation(
        folder,
        Evaluation(
            system="system",
            test_set="mine",
            sentences_given=2,
            everything=None,
            no_unk=None,
            pairs=pair_statistics(("a", "b"), ("x", "y")),
            source_sha256=mine.source_sha256,
            reference_sha256=mine.reference_sha256,
        ),
    )
    found = read_evaluated_system(folder).evaluation_on(mine)
    assert found is not None
    assert found.test_set == "mine"


def test_the_released_evaluations_on_corpora_can_be_recognised() -> None:
    """They have digests of the form that test sets have."""
    system = read_evaluated_system(ROOT / "checkpoints" / "rnnsearch-50")
    for evaluation in system.evaluations.values():
        assert len(evaluation.source_sha256) == len(evaluation.reference_sha256) == 64


PLAIN = ["Le chat dort, enfin.", "Il lit un livre.", "Nous rentrons tôt", "Elle part."] * 5
SUBWORDS = {
    "subword-nmt": ["Le ch@@ at dort, en@@ fin.", "Il lit.", "Nous ren@@", "Elle part."] * 5,
    "SentencePiece": ["▁Le ▁ch at ▁dort , ▁en fin .", "▁Il ▁lit .", "▁Nous", "▁Elle ▁part ."] * 5,
    "OpenNMT": ["Le chat dort ￭, enfin ￭.", "Il lit ￭.", "Nous", "Elle"] * 5,
    "ends of words": ["Le</w> ch at</w> dort</w> .</w>", "Il</w> lit</w>", "Nous</w>", "Elle</w>"] * 5,
    "bytes": ["Le Ġchat Ġdort", "Il Ġlit", "Nous", "Elle Ġpart"] * 5,
    "BERT": ["Le ch ##at dort", "Il li ##t un liv ##re", "Nous", "Elle"] * 5,
}
TOKENISED = {
    "Moses": ["Le chat dort , enfin .", "Il lit un livre .", "Nous rentrons tôt", "Elle part ."] * 5,
    "escapes": ["L &apos; île , enfin .", "Il dit &quot; non &quot; .", "Nous", "Elle part ."] * 5,
}


@pytest.mark.parametrize("kind", SUBWORDS)
@pytest.mark.parametrize("turned", [False, True])
def test_subwords_on_one_side_are_named_with_their_lines(kind: str, turned: bool) -> None:
    sides = (PLAIN, SUBWORDS[kind]) if turned else (SUBWORDS[kind], PLAIN)
    first = remarks(sides[0], [sides[1]], ("hyp", "ref"))[0]
    marked = sum(any(mark in line for mark in ("@@", "▁", "￭", "##", "</w>", "Ġ")) for line in SUBWORDS[kind])
    numbers = (0, marked) if turned else (marked, 0)
    assert first.startswith(f"{numbers[0]} of 20 lines of hyp have marks of subwords")
    assert f"{numbers[1]} of 20 of ref" in first


@pytest.mark.parametrize("kind", TOKENISED)
@pytest.mark.parametrize("turned", [False, True])
def test_one_tokenised_side_is_named(kind: str, turned: bool) -> None:
    sides = (PLAIN, TOKENISED[kind]) if turned else (TOKENISED[kind], PLAIN)
    named = ("ref", "hyp") if turned else ("hyp", "ref")
    (said,) = remarks(sides[0], [sides[1]], ("hyp", "ref"))
    assert said.startswith(f"{named[0]} looks tokenised, and {named[1]} does not")


@pytest.mark.parametrize("text", [PLAIN, *SUBWORDS.values(), *TOKENISED.values()])
def test_nothing_is_said_of_texts_that_are_written_alike(text: list[str]) -> None:
    assert remarks(text, [text, text], ("hyp", "ref")) == []


@pytest.mark.parametrize(
    "odd",
    [
        ["a@b.org wrote.", "x @ y", "## Heading .", "#tag."],
        ["Vous venez ?", "Oui !", "« Non » ; si : mais", "1 000,5 %."],
        ["Wait …", ". . .", "No punctuation", "At .NET and .5"],
        ["島は遠い。", "岛很远。", "", ""],
    ],
)
def test_ordinary_texts_are_not_remarked_on(odd: list[str]) -> None:
    assert remarks(odd * 3 + PLAIN, [PLAIN], ("hyp", "ref")) == []
    assert remarks(PLAIN, [odd * 3 + PLAIN], ("hyp", "ref")) == []
    assert remarks([""], [[""]], ("hyp", "ref")) == []


def test_sacrebleu_says_nothing_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    """It would speak of a parameter that nobody here can set."""
    lines = [f"le mot {k} ." for k in range(150)]
    with caplog.at_level(logging.DEBUG, "sacrebleu"):
        evaluate_external_system("s", TestSet(name="m", sources=lines, references=lines), lines)
    assert "force" not in caplog.text


LINES = (2409, 1884, 2716, 939, 120, 2443)


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of corpora with newstest2014, whose lines say their numbers."""
    monkeypatch.setenv("JOINTLY_DATA", str(tmp_path))
    expected = "".join(f"sentence {number}\n" for number in LINES)
    monkeypatch.setattr(quoted, "_DIGEST", hashlib.sha256(expected.encode()).hexdigest())
    write(tmp_path / "news" / "newstest2014", "sentence")
    return tmp_path


def write(stem: Path, word: str) -> None:
    stem.parent.mkdir(exist_ok=True)
    for language, of_side in (("en", word), ("fr", "phrase")):
        text = "".join(f"{of_side} {number}\n" for number in range(1, 3004))
        stem.with_name(f"{stem.name}.{language}.xz").write_bytes(lzma.compress(text.encode()))


def test_each_sentence_is_that_of_its_line_with_its_reference(corpora: Path) -> None:
    found = quoted.quoted_sentences()
    assert [*found.values()] == [(f"sentence {number}", f"phrase {number}") for number in LINES]
    assert [*found][:2] == ["figure_3_b", "figure_3_c"]
    assert [*quoted.quoted_sentences("table_3").items()] == [*found.items()][3:]


def test_the_test_set_of_the_whole_task_has_them_too(corpora: Path) -> None:
    (corpora / "news").rename(corpora / "wmt14")
    for file in (corpora / "wmt14").iterdir():
        file.rename(file.with_name(file.name.replace("newstest2014", "test")))
    assert len(quoted.quoted_sentences()) == len(LINES)


def test_another_text_under_its_name_is_not_taken_for_it(corpora: Path) -> None:
    write(corpora / "news" / "newstest2014", "other")
    os.utime(corpora / "news", (1, 1))
    assert quoted.quoted_sentences() == {}


def test_a_file_that_is_none_has_none(corpora: Path) -> None:
    (corpora / "news" / "newstest2014.en.xz").write_bytes(b"no xz")
    os.utime(corpora / "news", (2, 2))
    assert quoted.quoted_sentences() == {}


def test_without_a_folder_of_corpora_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOINTLY_DATA", raising=False)
    monkeypatch.setattr(quoted, "own_folder", lambda: tmp_path)
    assert quoted.quoted_sentences() == {}
