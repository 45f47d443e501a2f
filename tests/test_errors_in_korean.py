"""Errors in the reader's language: what the app can show in normal use is translated, by its name and fields."""

import io
import json
import pickle
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nmt.alignments.formats import read
from nmt.config import SearchSettings
from nmt.data.uploads import Limits, Upload, lines_of, pairs_of
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.buckets import by_hand
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.test_set import from_two_files
from nmt.files import read_json
from nmt.jobs.job import find
from nmt.recipes import recipe
from nmt.records import from_text
from nmt.runs.archive import unpack_run
from nmt.runs.folder import read_run
from nmt.texts import APP, follow, for_reader, say
from nmt.ui.formatting import as_sentence


@pytest.fixture(autouse=True)
def _korean() -> Iterator[None]:
    follow(lambda: "ko")
    yield
    follow(lambda: "en")


def raised(call: Callable[[], object]) -> str:
    """The sentence of the error of a call."""
    with pytest.raises(InputError) as error:
        call()
    return str(error.value)


def broken_run(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    return folder


def zipped(names: dict[str, str]) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    return file


SMALL = Limits(size=200, lines=4, characters=20)
NEMATUS = "0 ||| a b ||| 0 ||| x y ||| 2 2\n0.5 0.5\n"
REAL: dict[str, Callable[[Path], object]] = {
    "bytes": lambda _: lines_of(Upload("mine.en", b"\xff\x80")),
    "UTF-16": lambda _: lines_of(Upload("mine.en", "a\n".encode("utf-16"))),
    "empty": lambda _: lines_of(Upload("mine.en", b"")),
    "a long sentence": lambda _: lines_of(Upload("mine.en", b"x" * 30), SMALL),
    "many lines": lambda _: lines_of(Upload("mine.en", b"a\n" * 5), SMALL),
    "tabs": lambda _: pairs_of([Upload("both.tsv", b"a\tb\tc\n")]),
    "two lengths": lambda _: from_two_files(None, Upload("a.en", b"a\nb\n"), Upload("a.fr", b"a\n")),
    "no such run": lambda folder: read_run(folder / "nothing"),
    "no settings": lambda folder: read_run(folder),
    "broken settings": lambda folder: read_run(broken_run(folder, {"config.json": "{"})),
    "a wrong setting": lambda folder: read_run(
        broken_run(folder, {"config.json": json.dumps({"format": 1, "model": {"hidden": 0}})})
    ),
    "an old format": lambda folder: read_run(broken_run(folder, {"config.json": '{"format": 9}'})),
    "a list": lambda folder: read_json(broken_run(folder, {"a.json": "[]"}) / "a.json"),
    "no system": lambda folder: read_evaluated_system(folder),
    "no zip": lambda folder: unpack_run(io.BytesIO(b"x"), "run.zip", folder, ()),
    "no run in the zip": lambda folder: unpack_run(zipped({"a.txt": "a"}), "run.zip", folder, ()),
    "a broken run in the zip": lambda folder: unpack_run(zipped({"a/config.json": "{"}), "run.zip", folder, ()),
    "an alignment without a row": lambda _: read(NEMATUS, "a.nematus"),
    "no alignment": lambda _: read("[{}]", "a.json"),
    "JSON": lambda _: read('{"source": [', "a.json"),
    "a mistyped setting": lambda _: recipe("grammar_ko").override(["training.batch_sise=3"]),
    "no number": lambda _: recipe("grammar_ko").override(["training.batch_size=many"]),
    "settings that exclude each other": lambda _: SearchSettings(beam=1, n_best=3),
    "an unknown recipe": lambda _: recipe("mine"),
    "an unknown job": lambda folder: find(folder, "mine"),
    "ranges": lambda _: by_hand([3, 2]),
    "one name": lambda _: refuse_repeated(["a", "a"], "runs"),
    "a number of a list": lambda _: from_text(int, "x", "beam"),
}


@pytest.mark.parametrize("fault", REAL)
def test_a_real_error_is_korean(fault: str, tmp_path: Path) -> None:
    """No English is left but names, paths, commands, what the user wrote, and what another library says."""
    message = raised(lambda: REAL[fault](tmp_path))
    text = for_reader(message)
    assert re.search("[가-힣]", text), message
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\S*[/._=]\S*|Expecting .*", "", text)
    assert not re.search(r"\b[a-z]{2,} [a-z]{2,}", plain), text
    follow(lambda: "en")
    assert for_reader(message) == message
    assert re.fullmatch(r"[ -~]+", message.replace(str(tmp_path), ""))


def test_an_error_within_an_error_is_korean_too() -> None:
    inner = InputError(say("errors.too_many_bytes", file="a.txt", most=1000))
    outer = InputError(say("errors.in_place", place="run.zip", problem=inner))
    assert str(outer) == "run.zip: a.txt has more than 1,000 bytes, the limit"
    assert for_reader(str(outer)) == "run.zip: " + for_reader(str(inner))
    assert for_reader(str(inner)) != str(inner)
    assert for_reader(str(pickle.loads(pickle.dumps(outer)))) == for_reader(str(outer))


def test_a_word_in_a_field_is_translated_only_where_the_program_put_it() -> None:
    """A run that is called "runs" keeps its name."""
    assert for_reader(raised(lambda: refuse_repeated(["runs", "runs"], "runs"))).count("runs") == 1
    assert for_reader("runs") == "runs"


def test_a_sentence_without_a_name_stays_english() -> None:
    assert for_reader("the moon is made of cheese") == "the moon is made of cheese"


def test_an_error_in_a_text_of_the_app_is_korean() -> None:
    shown = as_sentence(
        APP.broken.format(name="mine", problem=for_reader(say("errors.no_file", file="/a/config.json")))
    )
    assert shown == as_sentence("mine 체크포인트를 사용할 수 없습니다: /a/config.json 파일이 없습니다")


@pytest.mark.parametrize("text", ["a, b: c; " * 222, "'" * 5000, "{0} has {1} lines" * 10**5])
def test_an_error_with_a_long_quotation_loses_its_middle(text: str) -> None:
    began = time.process_time()
    message = str(InputError(say("errors.cannot_be_written", file=text, reason="x")))
    assert (len(message), len(for_reader(message))) == (1000, 1000)
    assert "파일을 쓸 수 없습니다" in for_reader(message)
    assert time.process_time() - began < 1
