"""Files that a reader uploads on the pages: damaged, in another encoding, of another kind, malicious."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from nmt.texts import LENGTH, MODELS
from nmt.ui.checkpoints import uploads_folder
from tests.oracles.random_run import random_run
from trials.addresses import ROOT, app_over
from trials.archives import clean, contents_of, drawn_archive
from trials.text_files import READERS, drawn_file
from trials.texts import random_piece
from trials.trial import Cases, Trial, must
from trials.whole_run import whole_run

_NUMBER, _SECONDS = 100, 60
_FITTING, _WHOLE = 0.8, 0.4
"""Shares of files that a field is for, and of those that are not damaged."""
_LONGEST = 4000
"""Characters of a case's name."""
_SENTENCE, RUN = "the cat has never seen the sea .", "search"


@dataclass(frozen=True, kw_only=True)
class Field:
    """A place of the app that asks for a file.

    Attributes:
        page: the page.
        asked: parameters of its address.
        keys: keys of the fields of files, which are all filled.
        button: label of the button that takes the files; "" = they are read at once.
        readers: names of the readers of such files.
        endings: of names that the field takes; the browser refuses others.
        texts: keys of text fields, which get something arbitrary.
        times: how often the lines of an example are repeated, so that they are as many as a test set has sentences.
        several: whether the first field takes a list of files.
        told: whether the page has to say what became of them.
    """

    page: str
    asked: dict[str, str]
    keys: tuple[str, ...]
    button: str = ""
    readers: tuple[str, ...] = ("upload",)
    endings: tuple[str, ...] = ("", ".txt", ".tsv", ".en", ".gz")
    texts: tuple[str, ...] = ()
    times: int = 1
    several: bool = False
    told: bool = False


_LOOK = {"s": _SENTENCE, "models": RUN, "beam": "2"}
WHOLE_TEXT = Field(
    page="", asked={"mode": "text", "models": RUN, "beam": "2"}, keys=("file",), readers=("whole text", "upload.gz")
)
ALIGNMENTS = Field(
    page="",
    asked=_LOOK,
    keys=("import-files",),
    readers=("weights.json", "weights.csv", "links.pharaoh", "weights.nematus"),
    endings=(".csv", ".tsv", ".json", ".jsonl", ".js", ".txt", ".pharaoh", ".nematus"),
    several=True,
)
TEST_SET = Field(
    page="length",
    asked={"systems": ""},
    keys=("add-source", "add-reference"),
    texts=("add-set-name",),
    button=LENGTH.add_test_set,
)
OUTPUT = Field(
    page="length",
    asked={"systems": ""},
    keys=("add-output",),
    texts=("add-output-name",),
    times=60,
    button=LENGTH.add_system,
)
RUN_FOLDER = Field(page="models", asked={"show": "upload"}, keys=("upload-file",), button=MODELS.add, told=True)
_TEXTS = (WHOLE_TEXT, ALIGNMENTS, TEST_SET, OUTPUT)


def opened(field: Field, seconds: float = _SECONDS) -> AppTest:
    """Open the page of a field, each run of which may take so long by the clock."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=seconds)
    if field.page:
        at._page_hash = calc_hash(field.page)  # switch_page would want the name of a file
    for name, value in field.asked.items():
        at.query_params[name] = [value]
    at_rest(at.run)
    return at


def at_rest(run: Callable[[], object]) -> None:
    """Run a page; Lost if it does not come to rest."""
    try:
        run()
    except RuntimeError as error:
        must(False, f"did not come to rest: {error}")


def fill(at: AppTest, field: Field, files: list[tuple[str, bytes]], text: str = "mine") -> None:
    """Give files to the fields of an open page, and have them taken."""
    for key, (name, data) in zip(field.keys, files, strict=True):
        given = (name, data, "application/octet-stream")
        at.file_uploader(key=key).set_value([given] if field.several else given)
    for key in field.texts:
        at.text_input(key=key).set_value(text)
    if field.button:
        (button,) = [each for each in at.button if each.label == field.button]
        at_rest(button.click().run)
    else:
        at_rest(at.run)


def upload(field: Field, files: list[tuple[str, bytes]], text: str = "mine") -> str:
    """Upload files to a place, one for each of its fields, with a text in its text fields.

    Returns why they were refused, "" if they were not. Raises Lost if the page does not come to rest, raises an
    exception, or does not say what became of a file where it has to.
    """
    at = opened(field)
    fill(at, field, files, text)
    if at.exception:
        must(False, f"{at.exception[0].value}\n{''.join(at.exception[0].stack_trace)}")
    must(bool(at.get("html")), "no title: the page ended before it began")
    refused = [element.value for element in (*at.error, *at.warning)]
    must(not field.told or len(refused) + len(at.success) == 1, f"it says {refused} and {len(at.success)} times done")
    return " ".join(refused)


def _sendable(text: str) -> str:
    """Leave out what no browser sends in the name of a file or from a line of text: half characters, and controls."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", "", text.encode("utf-8", "ignore").decode())


def _file(random: Random, field: Field) -> tuple[str, bytes]:
    """Draw the name and the contents of a file, most often of one that the field is for."""
    fitting = [reader for reader in READERS if reader.name in field.readers]
    reader = random.choice(fitting if random.random() < _FITTING else READERS)
    stem = random.choice((reader.name, "my file (2)", _sendable(random_piece(random))))
    data = reader.example * field.times if random.random() < _WHOLE else drawn_file(random, reader)[1]
    return f"{stem}{random.choice(field.endings)}", data


def _run(random: Random, cases: Cases, folder: Path) -> None:
    os.environ["JOINTLY_SYSTEMS"] = str(folder / "systems")
    random_run(folder / "runs" / RUN)
    given, other = whole_run(folder / "given" / "mine"), whole_run(folder / "given" / "other", "bpe")
    whole = contents_of(given)
    with app_over(folder / "runs"):
        for number in range(_NUMBER):
            if random.random() < 0.25:
                done, data = drawn_archive(random, dict(whole), folder / "spoilt", other)
                _try(cases, f"{number}: a run folder, {done}", RUN_FOLDER, [("mine.zip", data)], "")
                clean(uploads_folder())
                continue
            field = random.choice(_TEXTS)
            files = [_file(random, field) for _ in field.keys]
            text = random.choice(("mine", "", _sendable(random_piece(random))))
            _try(cases, f"{number}: {field.keys}: {files!a}"[:_LONGEST], field, files, text)


def _try(cases: Cases, name: str, field: Field, files: list[tuple[str, bytes]], text: str) -> None:
    with cases.case(name):
        if refused := upload(field, files, text):
            cases.refuse(name, refused)


TRIAL = Trial(
    name="uploads",
    tried="files uploaded on the pages: whole texts, alignments, test sets, outputs of systems and run folders, "
    "damaged, in another encoding, of another kind, malicious",
    holds="the page comes to rest, without an exception; a sentence says what became of a run; nothing left over",
    run=_run,
    pieces=30,
    ci=1,
    seconds=1800,
    case_seconds=90,
    megabytes=4000,
)
