"""Answers that come with the program, so that what the app opens with needs no model: for each released run a file with
translations, and records of other kinds, in the form of the store (nmt/answers/translations.py).

They are shown on every machine, whatever it would compute with, so precision and kernel are no part of their keys; each
file names the precision and the programs that it was computed with. ``python -m release scenes`` writes them.

The sentences that the app opens with, which are also shown in the presentation for lectures, and sentences that are
concatenated, to see where a vector of fixed size is too small, are in sentences.toml.

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
"""The folder of the files."""
PRECISION = "fp32"
"""Precision that they are computed in."""

Record = TypeVar("Record")


@dataclass(frozen=True, kw_only=True)
class ShippedAnswer:
    """An answer of a file.

    Attributes:
        group: the key of the search without precision and kernel, or ``kind`` of another record.
        name: the source sentence, or the key of the other record.
        head: as in the store, such as the text of a translation; None for other records.
        body: the whole record, base64; "" where only the head is needed.
    """

    group: dict[str, Any]
    name: str
    head: dict[str, Any] | None
    body: str


@dataclass(frozen=True, kw_only=True)
class ShippedFile:
    """The answers of a run.

    Attributes:
        run: its name.
        precision: of the searches.
        versions: of the programs that computed them.
        answers: the answers.
    """

    run: str
    precision: str
    versions: Mapping[str, str]
    answers: tuple[ShippedAnswer, ...]

    def write(self, folder: Path) -> Path:
        """Save in a folder, one line per answer; returns the file."""
        data = {"format": FORMAT_VERSION} | asdict(self)
        answers = ",\n".join(_compact(answer) for answer in data.pop("answers"))
        file = folder / f"{self.run}.json"
        with replacing(file) as path:
            path.write_text(f'{_compact(data)[:-1]},"answers":[\n{answers}\n]}}\n', "utf-8")
        return file


def shipped_translation(key: SearchKey, translation: Translation, *, whole: bool = True) -> ShippedAnswer:
    """Make the answer of a translation. ``whole``: with tokens and weights."""
    value = translation_value(translation, finish(translation))
    return _answer(json.loads(_portable(key).text()), translation.source, value if whole else StoredValue(value.head))


def shipped_record(kind: str, key: str, record: object) -> ShippedAnswer:
    """Make the answer of another record, by the key of its task."""
    return _answer({"kind": kind}, key, StoredValue(b"null", to_bytes(record)))


def read_shipped(folder: Path = STORED) -> list[ShippedFile]:
    """Read all files of a folder, by name; loads no model. InputError names a broken file."""
    return [read_record(ShippedFile, path) for path in sorted(folder.glob("*.json"))]


class ShippedAnswers(Translations):
    """Answers by key, in memory.

    Args:
        files: the files that they are taken from. InputError for one that is broken.
    """

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
        """Load those that are part of the program; none if a file cannot be read: they only save time."""
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
        """Look up a record of another kind, by the key of its task."""
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
    """A sentence, and what to look at in it.

    Attributes:
        name: name in addresses.
        title: the phenomenon.
        sentence: the source sentence.
        look: what to look at, in a sentence or two.
        written: words that a translation with alpha must have for ``look`` to be true of it; "" = true of any.
        languages: source and target language.
    """

    name: str
    title: str
    sentence: str
    look: str
    written: str = ""
    languages: tuple[str, str] = ("en", "fr")

    @property
    def shown_title(self) -> str:
        """The title in the reader's language."""
        return of_data(f"sentences.{self.name}.title", self.title)

    @property
    def shown_look(self) -> str:
        """What to look at in the reader's language."""
        return of_data(f"sentences.{self.name}.look", self.look)


@dataclass(frozen=True, kw_only=True)
class Lesson(SceneSentence):
    """A sentence that teaches.

    Attributes:
        target: the translation that is looked at, whatever a model would write; "" = its own.
        checkpoint: the one whose weights show it; "" = any.
    """

    target: str = ""
    checkpoint: str = ""


@dataclass(frozen=True, kw_only=True)
class _Sentences:
    opening: tuple[SceneSentence, ...]
    lesson: tuple[Lesson, ...]
    concatenated: dict[str, tuple[str, ...]]


_SENTENCES = read_toml(_Sentences, Path(__file__).with_name("sentences.toml"))

SENTENCES = _SENTENCES.opening
"""The first one is the sentence that the app opens with; of each pair of languages, the first one is what its
checkpoints open with."""

GALLERY = _SENTENCES.lesson
"""Sentences that teach."""

CONCATENATED = _SENTENCES.concatenated
"""Sentences to be concatenated, by language. The longest concatenation has 36 words, fewer than the longest sentences
that the runs were trained on."""


def beginnings(sentences: Iterable[str], language: str) -> list[str]:
    """Concatenate the first k sentences, for each k from 1.

    >>> beginnings(("A.", "B?"), "en"), beginnings(("雨だ。", "寒い。"), "ja")
    (['A.', 'A. B?'], ['雨だ。', '雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    texts = list(sentences)
    return [space.join(texts[:k]) for k in range(1, len(texts) + 1)]
