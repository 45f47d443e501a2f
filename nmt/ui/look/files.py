"""Alignments from files of this or another program, shown like alignments computed here."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from nmt.alignments.formats import read
from nmt.alignments.formats.checks import MAX_BYTES, Content, Given, LackingError, Side, Words, decoded, lines_of
from nmt.alignments.formats.json_format import read_records
from nmt.alignments.formats.one_sentence import part_title, system_of, systems_of
from nmt.alignments.policy import Direction
from nmt.errors import InputError
from nmt.instrument import About
from nmt.results import END, Alignment
from nmt.results.links import numbered_words
from nmt.results.record import SentenceRecord
from nmt.texts import LOOK, say
from nmt.ui.address import ask_number, choose_one, write_address
from nmt.ui.formatting import as_sentence
from nmt.ui.kept_files import KeptFile, ask_kept, files_of_start, how_kept
from nmt.ui.look.view import Shown

_MOST_FILES, _MOST_MEGABYTES = 8, MAX_BYTES // 1_000_000
DIRECTIONS: tuple[Direction, ...] = ("source-target", "target-source")
"""Orders of the two numbers of a link."""
_PART = "import-part"
"""The parameter of the address that names the head, layer or method of a file."""


def ask_files(take: Callable[[str, str], None]) -> list[Shown]:
    """Ask for files of alignments, and return a sentence of each file. If a file cannot be read, a warning names it.

    Args:
        take: called with source and target if the reader wants the checkpoints to score this pair.
    """
    with st.expander(LOOK.files, icon=":material/upload_file:"):
        files = files_of_start(MAX_BYTES, _warn)
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
                    for system in systems_of(records, file.name, number):
                        kind = LOOK.from_system.format(kind=system.kind) if system.kind else LOOK.from_file
                        shown.append(Shown.of_file(system, {"kind": kind}))
                    continue
                content = _of_part(file, stated)
                if isinstance(content, InputError):
                    raise content
                about: About = {"kind": LOOK.links_from_file if content.links else LOOK.from_file}
                if content.policy is not None:
                    about["note"] = LOOK.written_with.format(history=content.policy.of_weights)
                shown.append(Shown.of_file(system_of(content, file.name, number, *words), about))
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


def _offer_pair(words: Alignment, take: Callable[[str, str], None]) -> None:
    pair = [" ".join(word for word in side if word != END) for side in (words.source, words.target)]
    icon, about = ":material/compare_arrows:", LOOK.take_pair_help
    st.button(LOOK.take_pair, icon=icon, on_click=take, args=pair, help=about)
