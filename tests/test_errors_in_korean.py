"""Errors in Korean: a template for every sentence that the core can raise, and no other; real errors come out whole."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import tomllib
import typing
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nmt import cli
from nmt.aligners.combination import AlignerRun
from nmt.alignments.formats import read
from nmt.alignments.policy import Policy
from nmt.cli import train
from nmt.config import Config, ModelConfig, SearchSettings, TrainingConfig
from nmt.data.links import LinkedLine
from nmt.data.uploads import Limits, Upload, lines_of, pairs_of
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.buckets import by_hand
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.test_set import from_two_files
from nmt.files import read_json
from nmt.jobs.job import Job, State, find
from nmt.jobs.runner import last_line
from nmt.language import LANGUAGES, follow, message_in_language
from nmt.recipes import recipe
from nmt.records import as_record, from_text, parse_json
from nmt.results.links import MarkedLink
from nmt.runs import fingerprint
from nmt.runs.archive import unpack_run
from nmt.runs.folder import RunSettings, read_run
from nmt.texts import APP
from nmt.training.saving import SaveFailed
from nmt.ui.formatting import as_sentence
from tests.raised_sentences import raised_sentences

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "nmt/errors_ko.toml").read_text("utf-8"))
PARTS: dict[str, str] = TABLE.pop("parts")
RAISED = raised_sentences()
_NAMES = {"colour-blind safe", "square root", "{0}, progress"}
"""What stands in a field as it is: kinds of colour scales, and a key of a file."""
_WORDS = re.compile(r"[a-z]{2}")
_FIELD = re.compile(r"\{\d\}")
_PARTICLE = re.compile(
    r"\{\d\}[”\"'*`’)]*(?:은|는|이|가|을|를|와|과|으로|로|의|에|에서|도|만|보다|부터|까지|여야|이어야|이나|나)(?=[\s.,):]|$)"
)
_ENDING = re.compile(r"(?:니다|십시오|니까\?)(?:\([^()]*\))?$|: [^.]*$|\. \{\d\}$")
"""Of a sentence, before what is listed after a colon, or a sentence that follows."""


@pytest.fixture(autouse=True)
def _korean() -> Iterator[None]:
    follow(lambda: "ko")
    yield
    follow(lambda: "en")


def said(call: Callable[[], object]) -> str:
    """The sentence of the error of a call."""
    with pytest.raises((InputError, OSError)) as raised:
        call()
    return str(raised.value)


def setting(section: str, name: str, value: object) -> str:
    return said(lambda: Config.from_dict({section: {name: value}}))


def broken_json(text: str) -> str:
    return said(lambda: parse_json(text, "a.json")).removeprefix("a.json cannot be read as JSON: ")


def system_error(code: int) -> str:
    return str(OSError(code, os.strerror(code)))


def failed_saving() -> str:
    """What ``jointly train`` prints, and a job keeps of it."""
    with pytest.MonkeyPatch.context() as patch, pytest.MonkeyPatch.context() as streams:

        def fails(*_: object) -> int:
            raise SaveFailed(errno.ENOSPC, os.strerror(errno.ENOSPC))

        patch.setattr(train, "_train", fails)
        errors = io.StringIO()
        streams.setattr("sys.stderr", errors)
        cli.main(["train", "grammar_ko", "--data", "x", "--run", "y/z"])
    return errors.getvalue().strip().removeprefix("jointly train: ")


CODE = {"source_language": "e n", "target_language": "fr", "data": "", "config": {}}
SIDES = {f"{side}_vocabulary": {"kind": "words", "size": 9} for side in ("source", "target")}
BUILT: dict[str, Callable[[], str]] = {
    "{0} must be one of {1}, not {2}": lambda: setting("model", "unit", "x"),
    "{0} must be a valid integer, not {1}": lambda: setting("model", "hidden", "3"),
    "{0} must be a valid number, not {1}": lambda: setting("model", "dropout", "x"),
    "{0} must be a finite number, not {1}": lambda: said(lambda: ModelConfig(dropout=float("nan"))),
    "{0} must be a valid boolean, not {1}": lambda: setting("search", "no_unk", 3),
    "{0} must be a valid string, not {1}": lambda: said(lambda: as_record(Config, {"recipe": 3})),
    "{0} must be a valid tuple, not {1}": lambda: said(lambda: TrainingConfig(keep=typing.cast(Any, 3))),
    "{0} must be a valid array, not {1}": lambda: setting("training", "keep", 3),
    "{0} must be an object, not {1}": lambda: said(lambda: as_record(Config, {"model": 3})),
    "{0} must be greater than {1}, not {2}": lambda: setting("training", "max_epochs", 0),
    "{0} must be greater than or equal to {1}, not {2}": lambda: setting("search", "beam", 0),
    "{0} must be less than {1}, not {2}": lambda: setting("model", "dropout", 1),
    "{0} must be less than or equal to {1}, not {2}": lambda: setting("model", "hidden", 10**9),
    "{0} must have at most {1} characters, not {2}": lambda: said(
        lambda: as_record(Job, {"command": [], "by": "", "queued": 0, "note": "x" * 2001})
    ),
    "{0} must be a share of weight above 0 and at most 1, not {1}": lambda: said(lambda: Policy(mass=2)),
    "{0} must be 0 or 1, not {1}": lambda: said(lambda: Policy(base=2)),
    "{0} must be a name of a folder or file, not {1}": lambda: said(
        lambda: as_record(AlignerRun, {"name": "/", "sha256": "0" * 64, "direction": "forward"})
    ),
    "{0} must be a SHA-256, not {1}": lambda: said(
        lambda: as_record(AlignerRun, {"name": "a", "sha256": "0", "direction": "forward"})
    ),
    "{0} must be a language code, not {1}": lambda: said(lambda: as_record(RunSettings, CODE | SIDES)),
    "the content": lambda: said(lambda: as_record(Config, 3)).partition(" must")[0],
    "it gave no reason": lambda: last_line(Path("nowhere/log")),
    "saving failed ({0}); the last good state is in {1}": failed_saving,
    "words": lambda: said(lambda: LinkedLine(Path("a"), 1, [MarkedLink(3, 0, True)]).check(2, 2)).split()[-5],
    "{0}, {1}": lambda: "3 blank, 2 too_long",  # joined in nmt/data/prepare.py
    "{0} and others": lambda: "1, 2, 3 and others",  # nmt/data/shards.py
    **{
        f"{{0}} {why}": lambda why=why: f"3 {why}"
        for why in ("blank", "too_long", "line_too_long", "written_with_[UNK]")
    },
    **{state: lambda state=state: state for state in typing.get_args(State)},
    **{kind: lambda kind=kind: kind for kind in ("settings", "vocabularies")},  # keys in nmt/runs/fingerprint.py
    **{
        os.strerror(code): lambda code=code: os.strerror(code)
        for code in (
            *(errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG),
            *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE),
        )
    },
    **{
        what: lambda data=data: said(lambda: read(data)).removeprefix("the file looks like ").partition(";")[0]
        for what, data in {
            "a matrix without words": b"0.5 0.5\n",
            "an n-best list without alignments": b"0 ||| a ||| b\n",
            "two texts without alignments": b"a ||| b\n",
            "SGML, XML or HTML": b"<p>\n",
        }.items()
    },
    **{
        what: lambda data=data: said(lambda: read(data)).removeprefix("the file is ").removesuffix(", not text")
        for what, data in {
            "a NumPy array": b"\x93NUMPY",
            "a picture": b"\x89PNG",
            "a zip file or a spreadsheet": b"PK\x03\x04",
            "a PDF file": b"%PDF",
        }.items()
    },
    "[Errno {0}] {1}": lambda: system_error(errno.ENOSPC),
    "{0}: line {1} column {2} (char {3})": lambda: broken_json("{,}"),
    **{
        message: lambda text=text: broken_json(text).partition(": line")[0]
        for message, text in {
            "Expecting value": "[",
            "Expecting property name enclosed in double quotes": "{,}",
            "Expecting {0} delimiter": "[1 2]",
            "Extra data": "1 2",
            "Unterminated string starting at": '"a',
            "Invalid control character at": '"\n"',
        }.items()
    },
}
"""What cannot be told from the source, being put together from parts, or from elsewhere: a call for each template."""


def test_every_sentence_of_the_core_is_in_the_table() -> None:
    known = TABLE | PARTS
    missing = {text: place for text, place in RAISED.whole.items() if text not in known and _WORDS.search(text)}
    assert missing == {}


def test_what_stands_in_fields_is_in_the_table() -> None:
    phrases = {re.sub(r"\{\d\}", "7", text) for text in RAISED.parts.keys() - _NAMES if " " in text}
    assert len(phrases) > 10
    assert {text for text in phrases if message_in_language(text) == text} == set()


def test_the_table_has_nothing_that_no_code_says() -> None:
    assert (TABLE | PARTS).keys() - RAISED.whole.keys() - RAISED.parts.keys() == BUILT.keys()
    assert TABLE.keys() & PARTS.keys() == set()


def test_the_reader_of_the_source_follows_fields() -> None:
    """Conditions inside a sentence, texts of the function, rows of a loop, arguments of calls."""
    assert "{0} has a name ending in {1}, but is compressed with {2}" in RAISED.whole
    assert "the upper end of the scale must be above 0, not {0}" in RAISED.whole
    assert "{0}, row {1}: the weight {2} is negative" in RAISED.whole
    assert {"for training", "a prepared folder", "runs of an aligner", "the test set"} <= RAISED.parts.keys()
    assert len(RAISED.whole) > 440


def test_templates_have_the_fields_of_the_english_ones_and_no_particle_after_one() -> None:
    """Its form depends on the word before it."""
    for english, text in (TABLE | PARTS).items():
        assert {*_FIELD.findall(text)} == {*_FIELD.findall(english)}, english
        assert not _PARTICLE.search(text), text


def test_each_template_is_the_one_for_its_sentence() -> None:
    words = [f"x{number}" for number in range(9)]
    for english, text in (TABLE | PARTS).items():
        assert message_in_language(english.format(*words)) == text.format(*words)


def test_sentences_are_polite() -> None:
    for english, text in TABLE.items():
        assert not re.search(r"[가-힣]다\.", text.replace("니다.", "")), text
        assert _ENDING.search(text) or english == text, text


@pytest.mark.parametrize("template", BUILT)
def test_what_is_put_together_is_what_the_table_has(template: str) -> None:
    found = BUILT[template]()
    pattern = re.sub(r"\\\{\d\\\}", "(.+)", re.escape(template))
    assert re.fullmatch(pattern, found), found
    assert_korean(found)


def assert_korean(message: str) -> None:
    """No English is left but names, paths, commands, and what the user wrote."""
    text = message_in_language(message)
    assert re.search("[가-힣]", text), message
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\S*[/._=]\S*", "", text)
    assert not re.search(r"\b[a-z]{2,} [a-z]{2,}", plain), text


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
    "a file of the system": lambda folder: (folder / "nothing").read_bytes(),
    "a number of a list": lambda _: from_text(int, "x", "beam"),
}


@pytest.mark.parametrize("fault", REAL)
def test_a_real_error_is_korean(fault: str, tmp_path: Path) -> None:
    message = said(lambda: REAL[fault](tmp_path))
    assert_korean(message)
    follow(lambda: "en")
    assert message_in_language(message) == message


def test_a_sentence_in_a_sentence_is_korean_too() -> None:
    message = "uploads/a, line 3: 'x' is not a link such as 0-2 (sure) or 0p2 (possible)"
    assert message_in_language(message) == (
        "uploads/a, 3번째 줄: 'x' 부분은 0-2(확실한 링크)나 0p2(가능한 링크)와 같은 링크가 아닙니다"
    )
    message = "sentence 1 has 3 rows of weights, but 2 target words (3 with the end-of-sentence token)"
    assert message_in_language(message) == (
        "1번째 문장: 가중치의 행은 3개이고, 번역문 단어는 2개입니다(문장 끝 토큰까지 3개). 두 수가 맞지 않습니다"
    )
    message = "a.zip: b/config.json cannot be read as JSON: Expecting value: line 1 column 2 (char 1)"
    assert message_in_language(message) == (
        "a.zip: b/config.json: JSON으로 읽을 수 없습니다. 1번째 줄 2번째 칸(문자 위치 1): 값이 있어야 합니다"
    )
    dropped = "no pair is left for training; dropped: 1,234 blank, 5 too_long"
    assert message_in_language(dropped) == (
        "학습용 문장 쌍이 하나도 남지 않았습니다. 제외한 것: 빈 문장 쌍 1,234개, 너무 긴 문장 쌍 5개"
    )


def test_a_word_in_quotation_marks_stays_as_it_is() -> None:
    assert message_in_language("runs") == "실행"
    assert message_in_language('"runs" is not in the vocabulary') == '"runs" 토큰이 어휘에 없습니다'
    assert message_in_language('"a: b" is not in the vocabulary') == '"a: b" 토큰이 어휘에 없습니다'


def test_an_unknown_sentence_stays_as_it_is() -> None:
    assert message_in_language("the moon is made of cheese") == "the moon is made of cheese"


def test_an_error_in_a_text_of_the_app_is_korean() -> None:
    shown = as_sentence(APP.broken.format(name="mine", problem="/a/config.json does not exist"))
    assert shown == as_sentence("mine 체크포인트를 사용할 수 없습니다: /a/config.json 파일이 없습니다")


def test_languages_have_a_table_of_errors() -> None:
    for code in LANGUAGES.keys() - {"en"}:
        assert (Path(fingerprint.__file__).parents[1] / f"errors_{code}.toml").is_file()
