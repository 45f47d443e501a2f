"""Answers that come with the program, so that the app's first sentences need no model. Each released run has a file
with translations and other records, in the form of the store (nmt/answers/translations.py).

Every machine shows the same answers, so precision and kernel are no part of their keys. Each file names the precision
and the programs of its computation. ``python -m release scenes`` writes the files.

sentences.toml has the app's first sentences, which the presentation for lectures also shows. It also has sentences to
concatenate. The long sources that result show where a vector of fixed size is too small.

Paper: 2.1
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from nmt.answers.keys import SearchKey
from nmt.answers.store import Part, StoredValue
from nmt.answers.translations import Translations, finish, from_bytes, to_bytes, translation_value
from nmt.data.line_words import UNSPACED
from nmt.errors import InputError
from nmt.files import read_record, read_toml, replacing
from nmt.records import FORMAT_VERSION
from nmt.results import FinishedTranslation, Translation
from nmt.texts import of_data

STORED = Path(__file__).parent / "stored"
"""The folder of the files with shipped answers."""
PRECISION = "fp32"
"""Precision of the shipped answers."""

Record = TypeVar("Record")


@dataclass(frozen=True, kw_only=True)
class ShippedAnswer:
    """One answer in a file: a translation, or a record of another kind.

    Attributes:
        group: of a translation, the search key without precision and kernel. Of another record, its ``kind``.
        name: of a translation, the source sentence. Of another record, the key of its task.
        head: of a translation, its head as in the store. None for another record.
        body: the whole record in base64. "" if only the head is needed.
    """

    group: dict[str, Any]
    name: str
    head: dict[str, Any] | None
    body: str


@dataclass(frozen=True, kw_only=True)
class ShippedFile:
    """A file with the answers of one run. ``versions``: of the programs that computed the answers."""

    run: str
    precision: str
    versions: Mapping[str, str]
    answers: tuple[ShippedAnswer, ...]

    def write(self, folder: Path) -> Path:
        """Save the file as RUN.json in a folder, with one line per answer, and return its path."""
        data = {"format": FORMAT_VERSION} | asdict(self)
        answers = ",\n".join(_compact(answer) for answer in data.pop("answers"))
        file = folder / f"{self.run}.json"
        with replacing(file) as path:
            path.write_text(f'{_compact(data)[:-1]},"answers":[\n{answers}\n]}}\n', "utf-8")
        return file


def shipped_translation(key: SearchKey, translation: Translation, *, whole: bool = True) -> ShippedAnswer:
    """Make the answer for a translation. ``whole``: whether tokens and weights are included."""
    value = translation_value(translation, finish(translation))
    return _answer(json.loads(_portable(key).text()), translation.source, value if whole else StoredValue(value.head))


def shipped_record(kind: str, key: str, record: object) -> ShippedAnswer:
    """Make the answer for a record of another kind. ``key``: key of its task."""
    return _answer({"kind": kind}, key, StoredValue(b"null", to_bytes(record)))


def read_shipped(folder: Path = STORED) -> list[ShippedFile]:
    """Read all files of a folder, in the order of their names. Loads no model. Raises InputError for a broken file."""
    return [read_record(ShippedFile, path) for path in sorted(folder.glob("*.json"))]


class ShippedAnswers(Translations):
    """Answers by key, in memory. Raises InputError for a broken file."""

    def __init__(self, files: Iterable[ShippedFile]) -> None:
        self._values: dict[str, dict[bytes, StoredValue]] = {}
        for file in files:
            for answer in file.answers:
                try:
                    body = base64.b64decode(answer.body, validate=True)
                except binascii.Error:
                    raise InputError(f"the body of {answer.name!r} of {file.run} is not base64") from None
                group = self._values.setdefault(json.dumps(answer.group, sort_keys=True), {})
                group[answer.name.encode()] = StoredValue(json.dumps(answer.head).encode(), body)

    @classmethod
    def load(cls) -> ShippedAnswers:
        """Load the answers that come with the program. They only save time, so an unreadable file gives no answers."""
        try:
            return cls(read_shipped())
        except (InputError, OSError):
            return cls(())

    def parts(self, group: str, names: Iterable[bytes], part: Part) -> dict[bytes, bytes]:
        values = self._values.get(group, {})
        return {name: getattr(values[name], part) for name in names if name in values}

    def find(self, key: SearchKey, sources: Iterable[str]) -> dict[str, FinishedTranslation]:
        return super().find(_portable(key), sources)

    def find_whole(self, key: SearchKey, source: str, n_best: int = 1) -> Translation | None:
        return super().find_whole(_portable(key), source, n_best)

    def find_record(self, kind: str, key: str, cls: type[Record]) -> Record | None:
        """Look up a record of the kind ``kind`` by the key of its task. None if there is no such record."""
        group, name = json.dumps({"kind": kind}), key.encode()
        body = self.parts(group, [name], "body").get(name)
        return None if body is None else from_bytes(cls, body)


def _portable(key: SearchKey) -> SearchKey:
    return replace(key, precision="", kernel="")


def _answer(group: dict[str, Any], name: str, value: StoredValue) -> ShippedAnswer:
    body = base64.b64encode(value.body).decode()
    return ShippedAnswer(group=group, name=name, head=json.loads(value.head), body=body)


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, kw_only=True)
class SceneSentence:
    """A sentence with a remark on it.

    Attributes:
        name: name of the sentence in addresses of pages.
        look: the remark on what to look at, in a sentence or two.
        written: words that a translation must have for ``look`` to be true of it. "" = true of any translation.
    """

    name: str
    title: str
    sentence: str
    look: str
    written: str = ""
    languages: tuple[str, str] = ("en", "fr")

    @property
    def shown_title(self) -> str:
        """The title in the user's language."""
        return of_data(f"sentences.{self.name}.title", self.title)

    @property
    def shown_look(self) -> str:
        """The remark in the user's language."""
        return of_data(f"sentences.{self.name}.look", self.look)


@dataclass(frozen=True, kw_only=True)
class Lesson(SceneSentence):
    """A sentence for teaching. ``target``: the translation to look at, or "" for the model's own translation.
    ``checkpoint``: the checkpoint that shows the phenomenon, or "" for any."""

    target: str = ""
    checkpoint: str = ""


@dataclass(frozen=True, kw_only=True)
class _Sentences:
    opening: tuple[SceneSentence, ...]
    lesson: tuple[Lesson, ...]
    concatenated: dict[str, tuple[str, ...]]


_SENTENCES = read_toml(_Sentences, Path(__file__).with_name("sentences.toml"))

SENTENCES = _SENTENCES.opening
"""The app's first sentences. The first of them is the app's default. The first of each language pair is the default of
all checkpoints for this pair."""

GALLERY = _SENTENCES.lesson
"""Sentences for teaching."""

CONCATENATED = _SENTENCES.concatenated
"""Sentences to concatenate, by language. The longest concatenation has 36 words, fewer than the longest sentences in
the runs' training data."""


def beginnings(sentences: Iterable[str], language: str) -> list[str]:
    """Concatenate the first k sentences, for each k from 1.

    >>> beginnings(("A.", "B?"), "en"), beginnings(("雨だ。", "寒い。"), "ja")
    (['A.', 'A. B?'], ['雨だ。', '雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    texts = list(sentences)
    return [space.join(texts[:k]) for k in range(1, len(texts) + 1)]
