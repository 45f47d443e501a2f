"""Alignments from files of this or another program, shown like alignments computed here."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Protocol, TypeVar

import numpy as np
import streamlit as st

from nmt.alignments.formats import read
from nmt.alignments.formats.checks import MAX_BYTES, Content, Given, LackingError, Side, Words, decoded, lines_of
from nmt.alignments.formats.json_format import read_records
from nmt.alignments.policy import Direction
from nmt.errors import InputError
from nmt.files import changed_at
from nmt.instrument.export import NOT_ALPHA
from nmt.results import END, Alignment
from nmt.results.links import Gold, numbered_words
from nmt.results.record import LEAVE_ONE_OUT, SentenceRecord, System
from nmt.texts import LOOK, say
from nmt.ui.address import ask_number, choose_one, write_address
from nmt.ui.formatting import as_sentence
from nmt.ui.kept_files import ask_kept, how_kept

_MOST_FILES, _MOST_MEGABYTES = 8, MAX_BYTES // 1_000_000
DIRECTIONS: tuple[Direction, ...] = ("source-target", "target-source")
"""Orders of the two numbers of a link."""
_PART = "import-part"
"""The parameter of the address that names the head, layer or method of a file."""
_MOST_CELLS = 250_000
"""Most cells of a matrix on a page."""

Choice = TypeVar("Choice", bound=str | int)


@dataclass(frozen=True, eq=False, kw_only=True)
class Imported:
    """The alignment of one sentence, from a file or by a phrase-based system.

    Attributes:
        name: name of the file, with the name of its run if the file has it.
        alignment: the weights. For links: 1 for a sure link, 0.5 for a possible one, else 0.
        kind: "weights" or "links".
        history: changes to the weights before they were written, if the file states them. Else "".
        leave_one_out: whether the file says that its weights are not attention.
        has_words: whether the words are known. Otherwise their numbers are shown.
        system: the system of a record, or None for other files.
        about: text on the kind of the alignment. "" = the usual text, that it is from a file.
        notes: sentences on the alignment.
    """

    name: str
    alignment: Alignment
    kind: str
    history: str
    leave_one_out: bool = False
    has_words: bool = True
    system: System | None = None
    about: str = ""
    notes: tuple[str, ...] = ()


class _File(Protocol):
    """An uploaded file, or a file on disk. ``file_id`` changes with its content."""

    @property
    def file_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    def getvalue(self) -> bytes: ...


@dataclass(frozen=True)
class _FileOnDisk:
    """A file that is named in the command that started the app."""

    path: Path

    @property
    def file_id(self) -> str:
        return f"{self.path} {changed_at(self.path)}"

    @property
    def name(self) -> str:
        return self.path.name

    def getvalue(self) -> bytes:
        """At most the first ``MAX_BYTES`` + 1 bytes. Raises InputError if the file cannot be read."""
        try:
            with self.path.open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(say("errors.cannot_be_read", file=self.path, reason=str(error))) from None


def _files_of_start() -> list[_File]:
    """The files that ``jointly app FILE …`` names."""
    paths = map(Path, json.loads(os.environ.get("JOINTLY_FILES", "[]")))
    return [_FileOnDisk(path) for path in paths if path.is_file()]


def ask_files(take: Callable[[str, str], None]) -> list[Imported]:
    """Ask for files of alignments, and return a sentence of each file. If a file cannot be read, a warning names it.

    Args:
        take: called with source and target if the reader wants the checkpoints to score this pair.
    """
    with st.expander(LOOK.files, icon=":material/upload_file:"):
        files: list[_File] = [*_files_of_start()]
        files += ask_kept(LOOK.file_formats, "import-files", LOOK.files_help, _MOST_MEGABYTES, _warn)
        st.caption(how_kept())
        if not files:
            return []
        if len(files) > _MOST_FILES:
            st.warning(LOOK.first_files.format(most=_MOST_FILES), icon=":material/warning:")
        number = ask_number(st.number_input, LOOK.sentence_of_file, 1, 1_000_000, 1, key="import-sentence", width=180)
        files = files[:_MOST_FILES]
        stated, words = _ask_what_is_lacking([file for file in files if not _records(file.file_id, file)])
        imported = []
        for file in files:
            try:
                if records := _records(file.file_id, file):
                    imported += _systems_of(records, file.name, number)
                    continue
                content = _content(file.file_id, file.name, stated, file)
                if isinstance(content, InputError):
                    raise content
                imported.append(chosen(content, file.name, number, *words))
            except InputError as error:
                _warn(file.name, error)
        if imported and imported[0].has_words:
            _offer_pair(imported[0].alignment, take)
        return imported


def _ask_what_is_lacking(files: Sequence[_File]) -> tuple[Given, Words]:
    """Ask for facts that the files lack. First result: base and direction of links, lines of the files of words, and
    the part to read. Second result: words typed for links without words."""
    stated = Given()
    typed: Words = ((), ())
    contents = [_content(file.file_id, file.name, stated, file) for file in files]
    if any(isinstance(content, Content) and content.links and not content.words for content in contents):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            base = one_of(LOOK.links_count_from, (0, 1), "import-base")
            direction = one_of(LOOK.order, DIRECTIONS, "import-direction")
        stated = replace(stated, base=base, direction=direction)
        typed = (
            _ask_words(LOOK.source_words, "import-source"),
            _ask_words(LOOK.target_words, "import-target"),
        )
    if any(isinstance(content, LackingError) and not content.parts for content in contents):
        stated = replace(stated, source=_ask_lines("source"), target=_ask_lines("target"))
    contents = [_content(file.file_id, file.name, stated, file) for file in files]
    parts = [part for content in contents if isinstance(content, Content | LackingError) for part in content.parts]
    if len(parts) > 1:
        titles = {part: part_title(part) for part in parts}
        stated = replace(stated, part=choose_one(st.selectbox, LOOK.part, titles, key=_PART, width=280))
    else:
        write_address(**{_PART: ""})  # it may name a part of a removed file
    return stated, typed


def _ask_lines(side: Side) -> list[str]:
    """Ask for a file with the words of one side, a sentence per line. [] without a file, or after a warning."""
    title, key = LOOK.by_key.files_of_words[side], f"import-{side}-file"
    for file in ask_kept(title, key, LOOK.file_of_words_help, _MOST_MEGABYTES, _warn)[-1:]:
        try:
            return lines_of(decoded(file.getvalue()))
        except InputError as error:
            _warn(file.name, error)
    return []


def part_title(part: str) -> str:
    layer, _, head = part.partition(".")
    if not part:
        return LOOK.mean_of_heads
    if not layer.isdecimal():
        return part
    return LOOK.head.format(layer=layer, head=head) if head else LOOK.mean_of_layer.format(layer=layer)


def _warn(name: str, error: InputError) -> None:
    st.warning(as_sentence(say("look.file_problem", file=name, problem=error)), icon=":material/warning:")


@st.cache_resource(max_entries=3 * _MOST_FILES, show_spinner=False)
def _content(number: str, name: str, given: Given, _file: _File) -> Content | InputError:
    """Read a file once, not in every run of the page. An InputError is returned. ``number`` identifies the file."""
    try:
        return read(_file.getvalue(), name, given)
    except InputError as error:
        return error


def one_of(label: str, choices: Sequence[Choice], key: str) -> Choice:
    """Ask for one of some values, by default the first. The value stays in the address."""
    return st.segmented_control(
        label, choices, default=choices[0], required=True, key=key, width="content", bind="query-params"
    )


def _ask_words(title: str, key: str) -> tuple[str, ...]:
    """Ask for the words that the links of a file connect. Without words, their numbers are shown."""
    return tuple(
        numbered_words(st.text_input(title, key=key, bind="query-params", help=LOOK.links_without_words) or "")
    )


@st.cache_resource(max_entries=3 * _MOST_FILES, show_spinner=False)
def _records(number: str, _file: _File) -> list[SentenceRecord]:
    """The records of a file. [] if it is broken, which ``_content`` reports, or of another kind."""
    try:
        text = decoded(_file.getvalue())
        return read_records(text) if text.lstrip("\ufeff \n\r\t")[:1] in ("{", "[") else []
    except InputError:
        return []


def _systems_of(records: Sequence[SentenceRecord], file: str, number: int) -> list[Imported]:
    """The best output of each system of a record. Raises InputError if the record is missing or a matrix too large.

    Args:
        number: number of the record, from 1.
    """
    if number > len(records):
        raise InputError(LOOK.no_sentence.format(number=number, count=len(records)))
    stem = PurePath(file).stem
    imported = []
    for system in records[number - 1].systems:
        source, target = system.source.tokens, system.target.tokens
        if system.rank > 1 or not source or not target:
            continue
        if len(source) * len(target) > _MOST_CELLS:
            raise InputError(LOOK.too_large.format(rows=len(target), columns=len(source)))
        first = system.main_map
        alignment = system.alignment(first)
        name = LOOK.name_and_run.format(name=stem, run=system.name) if system.name else stem
        effect = first is not None and first.kind == LEAVE_ONE_OUT
        imported.append(
            Imported(name=name, alignment=alignment, kind="weights", history="", leave_one_out=effect, system=system)
        )
    return imported


def chosen(
    content: Content, file: str, number: int, source: Sequence[str] = (), target: Sequence[str] = ()
) -> Imported:
    """The alignment of one sentence of a file.

    Args:
        number: number of the sentence, from 1.
        source, target: words for links without words. If empty, numbers from 1 stand for the words.

    Raises:
        InputError: the file has fewer sentences, the sentence lacks words or links, or the matrix is too large.
    """
    sentences = len(content.alignments) or len(content.links)
    if number > sentences:
        raise InputError(LOOK.no_sentence.format(number=number, count=sentences))
    name = PurePath(file).stem
    if content.run:
        name = LOOK.name_and_run.format(name=name, run=content.run)
    if content.parts:
        name = LOOK.name_and_run.format(name=name, run=part_title(content.part))
    history = "" if content.policy is None else content.policy.of_weights
    if content.links:
        links = content.links[number - 1]
        if content.words:
            source, target = content.words[number - 1]
        alignment = _of_links(links, source, target)
        return Imported(
            name=name, alignment=alignment, kind="links", history=history, has_words=bool(source and target)
        )
    alignment = content.alignments[number - 1]
    if not alignment.weights.size:
        raise InputError(LOOK.no_words.format(number=number))
    if alignment.weights.size > _MOST_CELLS:
        raise InputError(
            LOOK.too_many_weights.format(number=number, weights=f"{alignment.weights.size:,}", most=f"{_MOST_CELLS:,}")
        )
    return Imported(
        name=name,
        alignment=alignment,
        kind="weights",
        history=history,
        leave_one_out=content.kind == LEAVE_ONE_OUT or content.run.endswith(NOT_ALPHA),
    )


def _of_links(links: Gold, source: Sequence[str], target: Sequence[str]) -> Alignment:
    """Links as weights: 1 for a sure link, 0.5 for a possible one."""
    if not links.possible:
        raise InputError(LOOK.no_link)
    if not source:
        source = [str(k) for k in range(1, links.words[0] + 1)]
    if not target:
        target = [str(k) for k in range(1, links.words[1] + 1)]
    if len(source) * len(target) > _MOST_CELLS:
        raise InputError(LOOK.too_large.format(rows=len(target), columns=len(source)))
    links.check(len(source), len(target))
    weights = np.zeros((len(target), len(source)), dtype=np.float32)
    for i, j in links.possible:
        weights[j, i] = 1.0 if (i, j) in links.sure else 0.5
    return Alignment(source=tuple(source), target=tuple(target), weights=weights)


def _offer_pair(alignment: Alignment, take: Callable[[str, str], None]) -> None:
    words = alignment.merged()
    source, target = (" ".join(word for word in side if word != END) for side in (words.source, words.target))
    st.button(
        LOOK.take_pair,
        icon=":material/compare_arrows:",
        on_click=take,
        args=(source, target),
        help=LOOK.take_pair_help,
    )
