"""Alignments from files of this or another program, shown like alignments computed here."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import cast

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
from nmt.results.record import LEAVE_ONE_OUT, SentenceRecord, System, map_of, sides_of
from nmt.texts import LOOK, say
from nmt.ui.address import ask_number, choose_one, write_address
from nmt.ui.formatting import as_sentence
from nmt.ui.kept_files import KeptFile, ask_kept, how_kept
from nmt.ui.look.explore.view import Shown

_MOST_FILES, _MOST_MEGABYTES = 8, MAX_BYTES // 1_000_000
DIRECTIONS: tuple[Direction, ...] = ("source-target", "target-source")
"""Orders of the two numbers of a link."""
_PART = "import-part"
"""The parameter of the address that names the head, layer or method of a file."""
_MOST_CELLS = 250_000
"""Most cells of a matrix on a page."""


def _files_of_start() -> list[KeptFile]:
    """The files that ``jointly app FILE …`` names. A warning names a file that cannot be read."""
    files = []
    for path in filter(Path.is_file, map(Path, json.loads(os.environ.get("JOINTLY_FILES", "[]")))):
        try:
            files.append(_on_disk(path, changed_at(path)))
        except OSError as error:
            _warn(path.name, InputError(say("errors.cannot_be_read", file=path, reason=str(error))))
    return files


@st.cache_resource(max_entries=_MOST_FILES, show_spinner=False)
def _on_disk(path: Path, stamp: int) -> KeptFile:
    with path.open("rb") as file:
        return KeptFile(f"{path} {stamp}", path.name, file.read(MAX_BYTES + 1))


def ask_files(take: Callable[[str, str], None]) -> list[Shown]:
    """Ask for files of alignments, and return a sentence of each file. If a file cannot be read, a warning names it.

    Args:
        take: called with source and target if the reader wants the checkpoints to score this pair.
    """
    with st.expander(LOOK.files, icon=":material/upload_file:"):
        files = _files_of_start()
        files += ask_kept(LOOK.file_formats, "import-files", LOOK.files_help, _MOST_MEGABYTES, _warn)
        st.caption(how_kept())
        if not files:
            return []
        if len(files) > _MOST_FILES:
            st.warning(LOOK.first_files.format(most=_MOST_FILES), icon=":material/warning:")
        number = ask_number(st.number_input, LOOK.sentence_of_file, 1, 1_000_000, 1, key="import-sentence", width=180)
        files = files[:_MOST_FILES]
        stated, words = _ask_what_is_lacking([file for file in files if not _records(file)])
        shown: list[Shown] = []
        numbered = set[int]()
        for file in files:
            try:
                if records := _records(file):
                    shown += _systems_of(records, file.name, number)
                    continue
                content = _of_part(file, stated)
                if isinstance(content, InputError):
                    raise content
                shown.append(chosen(content, file.name, number, *words))
                numbered |= {len(shown) - 1} if content.links and not (content.words or all(words)) else set()
            except InputError as error:
                _warn(file.name, error)
        if shown and 0 not in numbered:  # numbers that stand for words are no pair
            _offer_pair(shown[0].units(pieces=False), take)
        return shown


def _ask_what_is_lacking(files: Sequence[KeptFile]) -> tuple[Given, Words]:
    """Ask for facts that the files lack. First result: base and direction of links, lines of the files of words, and
    the part to read. Second result: words typed for links without words."""
    stated = Given()
    typed: Words = ((), ())
    contents = [_content(file, stated) for file in files]
    if any(isinstance(content, Content) and content.links and not content.words for content in contents):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            base, direction = (
                choose_one(st.segmented_control, title, {name: name for name in names}, key=key, width="content")
                for title, names, key in (
                    (LOOK.links_count_from, "01", "import-base"),
                    (LOOK.order, DIRECTIONS, "import-direction"),
                )
            )
        stated = replace(stated, base=int(base), direction=cast(Direction, direction))
        typed = _ask_words(LOOK.source_words, "import-source"), _ask_words(LOOK.target_words, "import-target")
    if any(isinstance(content, LackingError) and not content.parts for content in contents):
        stated = replace(stated, source=_ask_lines("source"), target=_ask_lines("target"))
    contents = [_content(file, stated) for file in files]
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
            return lines_of(decoded(file.data))
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


_read_once = st.cache_resource(
    max_entries=3 * _MOST_FILES, show_spinner=False, hash_funcs={KeptFile: lambda file: file.file_id}
)
"""Decorates a function that reads a file, so that not every run of the page reads it."""


@_read_once
def _content(file: KeptFile, given: Given) -> Content | InputError:
    """The content of a file. An InputError is returned."""
    try:
        return read(file.data, file.name, given)
    except InputError as error:
        return error


def _of_part(file: KeptFile, stated: Given) -> Content | InputError:
    """The content of a file as in ``_content``: its stated part, or its first part if it lacks that one."""
    content = _content(file, replace(stated, part=""))
    parts = content.parts if isinstance(content, Content | LackingError) else ()
    return _content(file, replace(stated, part=stated.part if stated.part in parts else parts[0])) if parts else content


def _ask_words(title: str, key: str) -> tuple[str, ...]:
    """Ask for the words that the links of a file connect. Without words, their numbers are shown."""
    return tuple(
        numbered_words(st.text_input(title, key=key, bind="query-params", help=LOOK.links_without_words) or "")
    )


@_read_once
def _records(file: KeptFile) -> list[SentenceRecord]:
    """The records of a file. [] if it is broken, which ``_content`` reports, or of another kind."""
    try:
        text = decoded(file.data)
        return read_records(text) if text.lstrip("\ufeff \n\r\t")[:1] in ("{", "[") else []
    except InputError:
        return []


def _systems_of(records: Sequence[SentenceRecord], file: str, number: int) -> list[Shown]:
    """The best output of each system of a record. Raises InputError if the record is missing or a matrix too large.

    Args:
        number: number of the record, from 1.
    """
    if number > len(records):
        raise InputError(LOOK.no_sentence.format(number=number, count=len(records)))
    stem = PurePath(file).stem
    shown = []
    for system in records[number - 1].systems:
        source, target = system.source.tokens, system.target.tokens
        if system.rank > 1 or not source or not target:
            continue
        _check_size(source, target)
        name = LOOK.name_and_run.format(name=stem, run=system.name) if system.name else stem
        kind = LOOK.from_system.format(kind=system.kind) if system.kind else LOOK.from_file
        shown.append(Shown.of_file(replace(system, name=name), kind))
    return shown


def _check_size(source: Sequence[str], target: Sequence[str]) -> None:
    if len(source) * len(target) > _MOST_CELLS:
        raise InputError(LOOK.too_large.format(rows=len(target), columns=len(source)))


def chosen(content: Content, file: str, number: int, source: Sequence[str] = (), target: Sequence[str] = ()) -> Shown:
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
    if content.links:
        if content.words:
            source, target = content.words[number - 1]
        alignment, kind, about = _of_links(content.links[number - 1], source, target), "links", LOOK.links_from_file
    else:
        alignment, kind, about = content.alignments[number - 1], "weights", LOOK.from_file
        if content.kind == LEAVE_ONE_OUT or content.run.endswith(NOT_ALPHA):
            kind = LEAVE_ONE_OUT
        if not alignment.weights.size:
            raise InputError(LOOK.no_words.format(number=number))
        if alignment.weights.size > _MOST_CELLS:
            counts = {"weights": f"{alignment.weights.size:,}", "most": f"{_MOST_CELLS:,}"}
            raise InputError(LOOK.too_many_weights.format(number=number, **counts))
    sides, maps = sides_of(alignment), map_of(kind, alignment, exact=True)
    text = " ".join(word for word in alignment.merged().target if word != END)
    system = System(name=name, text=text, source=sides[0], target=sides[1], maps=maps)
    return Shown.of_file(system, about, history="" if content.policy is None else content.policy.of_weights)


def _of_links(links: Gold, source: Sequence[str], target: Sequence[str]) -> Alignment:
    """Links as weights: 1 for a sure link, 0.5 for a possible one."""
    if not links.possible:
        raise InputError(LOOK.no_link)
    if not source:
        source = [str(k) for k in range(1, links.words[0] + 1)]
    if not target:
        target = [str(k) for k in range(1, links.words[1] + 1)]
    _check_size(source, target)
    links.check(len(source), len(target))
    weights = np.zeros((len(target), len(source)), dtype=np.float32)
    for i, j in links.possible:
        weights[j, i] = 1.0 if (i, j) in links.sure else 0.5
    return Alignment(source=tuple(source), target=tuple(target), weights=weights)


def _offer_pair(words: Alignment, take: Callable[[str, str], None]) -> None:
    pair = [" ".join(word for word in side if word != END) for side in (words.source, words.target)]
    icon, about = ":material/compare_arrows:", LOOK.take_pair_help
    st.button(LOOK.take_pair, icon=icon, on_click=take, args=pair, help=about)
