"""The fields with which a reader adds test sets, outputs and scores to Length, and names the folder of the corpora."""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import streamlit as st

from nmt.data.identification import foreign
from nmt.data.uploads import LIMITS, Upload, lines_of
from nmt.errors import InputError
from nmt.evaluation.length_curves import REFERENCE
from nmt.evaluation.quoted import corpora_folder
from nmt.evaluation.score_files import read_documents, read_scores, refuse_other_documents
from nmt.evaluation.test_set import TestSet, check_name, from_tsv, from_two_files, remarks
from nmt.results import SHORT_FOR_ALL_SETS, Languages
from nmt.texts import APP, LENGTH, counted, listed
from nmt.ui.address import set_choice, write_address
from nmt.ui.compute import refusal_kept, show_refused
from nmt.ui.formatting import as_sentence, escaped, language
from nmt.ui.inputs import ENOUGH
from nmt.ui.kept_files import how_kept
from nmt.ui.length.additions import Addition, session_uploads
from nmt.ui.length.choose import DATA, METRIC, SETS, SYSTEMS, KnownSets, MeasuredSystem, read_set, show_range

_SOURCE, _REFERENCE, _SET_NAME = "add-source", "add-reference", "add-set-name"
_OUTPUT, _OUTPUT_OF, _OUTPUT_NAME = "add-output", "add-output-of", "add-output-name"
_SCORES, _SCORES_OF, _SCORED, _METRIC, _BETTER = "add-scores", "scores-of", "scored", "add-metric", "add-better"
_REFUSED_SET, _REFUSED_SYSTEM, _REFUSED_SCORES = "refused-set", "refused-system", "refused-scores"
_ADDED, _DOUBTFUL = "added", "doubtful"
ADDITIONS = "length-additions"
"""Key of the popover with the fields, which is closed once something was added."""
_MEGABYTES = LIMITS.size // 1_000_000
_LONGEST_NAME = 60
_ENDING = re.compile(r"\.(tsv|txt|gz|xz|[a-z]{2})")
"""Endings of a file's name that are not part of the name of a test set: kinds of files, and codes of languages."""


def ask_data_folder() -> str:
    """Ask for the folder of the corpora."""
    st.markdown(LENGTH.corpora)
    typed = st.text_input(
        LENGTH.corpora_folder,
        corpora_folder(),
        key=DATA,
        bind="query-params",
        max_chars=1000,
        placeholder="data/corpora",
        help=LENGTH.corpora_help,
    )
    return typed or ""


@dataclass(frozen=True, kw_only=True)
class Present:
    """Test sets and systems that exist before something is added.

    Attributes:
        taken: names that no upload may have: those of checkpoints and stored systems of all languages.
        shown_sets, shown_systems: names of the sets and systems that are shown.
    """

    sets: KnownSets
    systems: Mapping[str, MeasuredSystem]
    taken: Collection[str]
    languages: Languages
    shown_sets: Sequence[str] = ()
    shown_systems: Sequence[str] = ()


def ask_additions(present: Present) -> None:
    """Show fields to add a test set and a system's output. If an addition was refused, say why at its fields."""
    sets, languages = present.sets, present.languages
    st.markdown(LENGTH.own_test_set)
    st.caption(LENGTH.own_test_set_about.format(lines=LIMITS.lines, megabytes=_MEGABYTES))
    columns = st.columns(2)
    sentences = LENGTH.sentences_file.format(language=language(languages.source))
    references = LENGTH.references_file.format(language=language(languages.target))
    columns[0].file_uploader(sentences, key=_SOURCE, max_upload_size=_MEGABYTES)
    columns[1].file_uploader(references, key=_REFERENCE, max_upload_size=_MEGABYTES)
    show_refused(_REFUSED_SET)  # at the button's old place: below it, the reader would have to scroll
    with st.container(horizontal=True, vertical_alignment="bottom"):
        file = _upload(_SOURCE)
        st.text_input(
            LENGTH.test_set_name,
            key=_SET_NAME,
            max_chars=_LONGEST_NAME,
            width=220,
            placeholder=LENGTH.name_from_file if file is None else free_name(file.name, sets),
        )
        st.button(LENGTH.add_test_set, on_click=_add_set, args=(present,), icon=":material/add:")
    _list_additions()
    with_sentences = [name for name, known in sets.items() if known is not None]
    if not with_sentences:
        return
    st.markdown(LENGTH.own_system)
    st.caption(LENGTH.own_system_about)
    candidates = sorted(with_sentences, key=lambda name: name not in present.shown_sets)

    def count_lines(file: Upload) -> int:
        return len(lines_of(file, side="hypothesis", language=languages.target))

    st.file_uploader(
        LENGTH.translations_file,
        key=_OUTPUT,
        max_upload_size=_MEGABYTES,
        accept_multiple_files=True,
        on_change=_match,
        args=(_OUTPUT, _OUTPUT_OF, count_lines, {name: sets[name] for name in candidates}, languages),
    )
    show_refused(_REFUSED_SYSTEM)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if st.session_state.get(_OUTPUT_OF) not in with_sentences:
            st.session_state[_OUTPUT_OF] = candidates[0]
        st.selectbox(LENGTH.their_test_set, with_sentences, key=_OUTPUT_OF, width=220)
        st.text_input(
            LENGTH.system_name,
            key=_OUTPUT_NAME,
            max_chars=_LONGEST_NAME,
            width=220,
            placeholder=LENGTH.name_from_file,
            disabled=len(st.session_state.get(_OUTPUT) or ()) > 1,
        )
        st.button(LENGTH.add_system, on_click=_add_outputs, args=(present,), icon=":material/add:")
    _ask_scores(present, candidates)


def _ask_scores(present: Present, candidates: Sequence[str]) -> None:
    """Show fields for files with a score of each sentence. ``candidates``: test sets whose sentences are here."""

    def count_scores(file: Upload) -> int:
        return len(next(iter(read_scores(file).systems.values())))

    st.markdown(LENGTH.own_scores)
    st.caption(LENGTH.own_scores_about)
    st.file_uploader(
        LENGTH.scores_file,
        key=_SCORES,
        max_upload_size=_MEGABYTES,
        accept_multiple_files=True,
        on_change=_match,
        args=(_SCORES, _SCORES_OF, count_scores, {name: present.sets[name] for name in candidates}, present.languages),
    )
    show_refused(_REFUSED_SCORES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if st.session_state.get(_SCORES_OF) not in candidates:
            st.session_state[_SCORES_OF] = candidates[0]
        st.selectbox(LENGTH.their_test_set, candidates, key=_SCORES_OF, width=180)
        systems = [
            LENGTH.by_file_name,
            *dict.fromkeys((*present.shown_systems, *present.systems)),
            REFERENCE,
            LENGTH.documents_file,
        ]
        st.selectbox(LENGTH.scored_system, systems, key=_SCORED, width=220)
        st.text_input(LENGTH.metric_name, key=_METRIC, max_chars=30, width=160, placeholder=LENGTH.name_from_file)
        st.segmented_control(
            LENGTH.better_is, LENGTH.by_key.better, format_func=LENGTH.by_key.better.__getitem__, key=_BETTER
        )
        st.button(LENGTH.add_scores, on_click=_add_scores, args=(present,), icon=":material/add:")


def _list_additions() -> None:
    """Say how long additions are kept, and offer to remove each."""
    st.caption(how_kept())
    uploads = session_uploads()
    for key, addition in uploads.additions.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(" · ".join(part for part in (addition.metric, *addition.name[:2]) if part))
            st.button(APP.remove, key=f"remove-{key}", on_click=uploads.remove, args=(key,), icon=":material/delete:")


def say_what_was_added() -> None:
    """Say what was added last, above the measurement or the scores. ``forget_what_was_added`` ends this."""
    if added := st.session_state.get(_ADDED, ""):
        st.success(added, icon=":material/check:")
    for doubtful in st.session_state.get(_DOUBTFUL, ()):
        st.warning(as_sentence(doubtful), icon=":material/translate:")


def forget_what_was_added() -> None:
    """Forget the messages on additions, at the end of a run that was not restarted."""
    for key in (_ADDED, _DOUBTFUL):
        st.session_state.pop(key, None)


def _close(added: str) -> None:
    """Close the fields, so that the page below is visible. The page then shows ``added``, a message."""
    st.session_state[_ADDED], st.session_state[ADDITIONS] = added, False


def free_name(file: str, taken: Collection[str]) -> str:
    r"""Derive an unused name for a test set or a system from the name of its file.

    >>> free_name("my captions.en.gz", ()), free_name("C:\\x\\news (2).TSV", {"news-2"}), free_name("?.txt", ())
    ('my-captions', 'news-2-2', 'test-set')
    """
    stem = PurePath(file.replace("\\", "/")).name
    while _ENDING.fullmatch(ending := PurePath(stem).suffix.lower()):
        stem = stem[: -len(ending)]
    name = re.sub(r"[^\w.]+", "-", stem, flags=re.ASCII).strip("-.") or "test-set"
    number, candidate = 1, name
    while candidate in taken or candidate == SHORT_FOR_ALL_SETS:
        number += 1
        candidate = f"{name}-{number}"
    return candidate


def _match(files: str, field: str, count: Callable[[Upload], int], candidates: KnownSets, languages: Languages) -> None:
    """Choose in ``field`` a test set that has as many sentences as the first uploaded file of ``files``. A chosen set
    with this number of sentences stays."""
    if (file := _upload(files)) is None:
        return
    with suppress(InputError):  # reported when the file is added
        sentences = count(file)
        for name in sorted(candidates, key=lambda name: name != st.session_state.get(field)):
            test = read_set(candidates[name], languages)
            if test is not None and len(test) == sentences:
                st.session_state[field] = name
                return


@refusal_kept(_REFUSED_SET)
def _add_set(present: Present) -> None:
    sets, languages = present.sets, present.languages
    typed = "-".join((st.session_state.get(_SET_NAME) or "").split())
    test = _test_set(_upload(_SOURCE), _upload(_REFERENCE), typed, present)
    assert test.name is not None
    if test.name in sets:
        raise InputError(LENGTH.name_taken.format(name=test.name))
    for name, other in session_uploads().sets.items():
        if not typed and (test.sources, test.references) == (other.sources, other.references):
            raise InputError(LENGTH.same_set.format(name=name))
    session_uploads().add(Addition(test=replace(test, languages=languages)))
    found = foreign(" ".join(test.sources[:ENOUGH]), languages.source)
    if found is not None and found.language == languages.target:  # the files may be swapped
        source, target = language(languages.source), language(languages.target)
        doubt = LENGTH.sides_look_swapped.format(test_set=test.name, source=source, target=target)
        st.session_state[_DOUBTFUL] = [doubt]
    _show_set(test.name)
    _close(counted(len(test), LENGTH.forms.set_added, name=escaped(test.name)))


def _show_set(name: str) -> None:
    """Choose a test set, also for the next outputs and scores. Clear the chosen range, which belongs to another set.
    The address is set directly, because the field is hidden while the address names a missing set."""
    show_range("")
    st.session_state[_OUTPUT_OF] = st.session_state[_SCORES_OF] = name
    set_choice(SETS, name)
    write_address(**{SETS: name})


def _test_set(source: Upload | None, reference: Upload | None, name: str, present: Present) -> TestSet:
    if source is None:
        raise InputError(LENGTH.choose_sentences)
    name = name or free_name(source.name, present.sets)
    check_name(name)
    if reference is not None:
        test = from_two_files(name, source, reference, languages=present.languages)
        if test.sources == test.references:
            raise InputError(LENGTH.same_text.format(file=reference.name))
        return test
    if ".tsv" not in PurePath(source.name.lower()).suffixes:
        raise InputError(LENGTH.choose_references)
    return from_tsv(name, source)


@refusal_kept(_REFUSED_SYSTEM)
def _add_outputs(present: Present) -> None:
    """Add all files or none. A system gets the name of its file or, for a single file, the name that was typed."""
    typed, files = " ".join((st.session_state.get(_OUTPUT_NAME) or "").split()), _uploads(_OUTPUT)
    outputs: dict[str, Addition] = {}
    doubtful: list[str] = []
    test = read_set(present.sets[st.session_state[_OUTPUT_OF]], present.languages)
    if not files:
        raise InputError(LENGTH.choose_translations)
    assert test is not None
    test = replace(test, languages=present.languages)
    for file in files:
        name = typed if typed and len(files) == 1 else free_name(file.name, {*present.taken, *outputs})
        if name in present.taken:
            raise InputError(LENGTH.name_of_checkpoint.format(name=name))
        lines = lines_of(file, side="hypothesis", language=present.languages.target)
        if len(lines) != len(test):
            counts = {"lines": len(lines), "test_set": test.name, "sentences": len(test)}
            raise InputError(LENGTH.other_length.format(file=file.name, **counts))
        doubtful += remarks(lines, test.all_references, (file.name, str(test.name)))
        outputs[name] = Addition(test=test, system=name, hypotheses=lines)
    session_uploads().add(*outputs.values())
    st.session_state[_DOUBTFUL] = doubtful
    _show_set(str(test.name))
    own = list(dict.fromkeys(entry.system for entry in session_uploads().outputs if entry.test.name == test.name))
    set_choice(SYSTEMS, *(own if len(own) > 1 else dict.fromkeys([*present.shown_systems, *own])))
    names = escaped(listed([*outputs]))
    _close(counted(len(test), LENGTH.forms.system_added, name=names, test_set=escaped(str(test.name))))


@refusal_kept(_REFUSED_SCORES)
def _add_scores(present: Present) -> None:
    """Add the scores of each uploaded file, or none if a file is refused. A file of several systems names its systems.
    Otherwise the reader chooses the system, or the name of the file begins with the system's name."""
    state, additions = st.session_state, list[Addition]()
    metric, better, chosen = (state.get(_METRIC) or "").strip(), state.get(_BETTER), state.get(_SCORED)
    systems = [*present.systems, REFERENCE]
    test = read_set(present.sets[state[_SCORES_OF]], present.languages)
    assert test is not None
    if not (uploads := _uploads(_SCORES)):
        raise InputError(LENGTH.choose_scores)
    if chosen == LENGTH.documents_file:
        _add_documents(test, uploads)
        return
    files = [*map(read_scores, uploads)]
    for file in files:
        of_file = replace(test, documents=file.documents) if all(file.documents) else test
        names = [name for name in systems if name in file.systems]
        if len(file.systems) == 1 and chosen in systems:
            names = [chosen]
        elif not names:
            names = [name for name in systems if PurePath(file.name).name.startswith(f"{name}.")]
        if not names:
            raise InputError(LENGTH.scores_of_whom.format(file=file.name))
        for name in names:
            scores = file.of(name, len(test), metric, better, test.source_sha256, systems)
            additions.append(
                Addition(
                    test=replace(of_file, languages=present.languages),
                    system=name,
                    metric=scores.metric,
                    scores=tuple(None if math.isnan(value) else value for value in scores.values.tolist()),
                    lower_is_better=scores.lower_is_better,
                    sha256=scores.sha256,
                )
            )
    refuse_other_documents([(str(test.name), test.documents), *((file.name, file.documents) for file in files)])
    session_uploads().add(*additions)
    _show_set(str(test.name))
    scored = [entry.system for entry in additions if entry.system != REFERENCE]
    set_choice(SYSTEMS, *dict.fromkeys([*present.shown_systems, *scored]))
    write_address(**{METRIC: additions[0].metric.lower()})
    names_added = listed(list(dict.fromkeys(f"{entry.metric} ({entry.system})" for entry in additions)))
    _close(counted(len(test), LENGTH.forms.scores_added, name=escaped(names_added), test_set=escaped(str(test.name))))


def _add_documents(test: TestSet, uploads: Sequence[Upload]) -> None:
    """Add the document of each sentence to all scores of a test set. Raises InputError unless scores were added before
    and a single file was uploaded."""
    if len(uploads) > 1:
        raise InputError(LENGTH.one_documents_file)
    documents = read_documents(uploads[0], len(test))
    scored = [entry for entries in session_uploads().scores(str(test.name)).values() for entry in entries.values()]
    if not scored:
        raise InputError(LENGTH.scores_first.format(file=uploads[0].name, test_set=test.name))
    session_uploads().add(*(replace(entry, test=replace(entry.test, documents=documents)) for entry in scored))
    _show_set(str(test.name))
    write_address(**{METRIC: scored[-1].metric.lower()})
    _close(LENGTH.documents_added.format(test_set=escaped(str(test.name))))


def _upload(key: str) -> Upload | None:
    return next(iter(_uploads(key)), None)


def _uploads(key: str) -> list[Upload]:
    files: Any = st.session_state.get(key) or []
    return [Upload(file.name, file.getvalue()) for file in (files if isinstance(files, list) else [files])]
