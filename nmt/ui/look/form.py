"""Fields of the page Look: the sentence, its target, and the settings. The address holds all values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import streamlit as st

from nmt.answers.shipped import CONCATENATED, GALLERY, SENTENCES, beginnings
from nmt.data.identification import foreign
from nmt.errors import InputError
from nmt.evaluation.quoted import quoted_sentences
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LOOK, nats
from nmt.ui import address, inputs
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.compute import give_way
from nmt.ui.formatting import escaped
from nmt.ui.instrument import show_field
from nmt.ui.look.checkpoint_row import MODE, MODELS, MOST_TYPED, ask_checkpoint_row, offer_whole_text
from nmt.ui.look.files import ask_files
from nmt.ui.look.shown import committee_of, phrase_systems, translated, translated_by_phrases
from nmt.ui.look.view import (
    COMMITTEE,
    DIFFERENCE,
    HARD,
    KIND,
    NUMBER,
    OF_A_SENTENCE,
    OF_A_TEXT,
    OWN,
    PIN,
    RANK,
    SEEN,
    TARGET,
    Asked,
    ExplorerView,
    Settings,
    TargetChoice,
    TargetKind,
)
from nmt.ui.resources import travelled
from nmt.ui.tasks import TranslateTask

_WITH, _WANTED = "with", "difference-wanted"
_OF_PAPER = Languages("en", "fr")
_TARGET_BEFORE, _EXAMPLES, _FIELD = "target-before", "examples", "look-sentence"
_TYPED, _DRAFT = "look-typed", "look-draft"
"""Keys of the session's state: the text typed last and not yet entered, and the draft. A draft is a typed text that the
page shows, while the address still has the sentence before."""


def take_number(view: ExplorerView, number: object) -> None:
    """Translate ``number`` sentences as one, as the browser asked, and reset the parameters of the earlier text."""
    now, most = len(view.parts), len(view.parts) + len(view.following)
    if type(number) is int and number != now and 1 <= number <= most:
        address.begin_with(view.parts[0], OF_A_TEXT)
        address.write_own(OF_A_SENTENCE, **{NUMBER: [str(number)] if number > 1 else []})


def _with_following(first: str, language: str, *, draft: bool = False) -> tuple[str, ...]:
    """The sentence ``first``, then the sentences that the reader can add to it: the reader's own, else examples.
    Together they are short enough to be translated as one."""
    typed = [text for text in map(inputs.on_one_line, st.query_params.get_all(OWN)) if text and not draft]
    sentences = (first, *(typed or [example for example in CONCATENATED.get(language, ()) if example != first]))
    texts = beginnings(sentences[: inputs.MOST_TOGETHER], language)
    return sentences[: sum(not inputs.too_long(text) for text in texts)]


def _number(most: int) -> int:
    """Number of sentences to translate as one, from the address. If not from 1 to ``most``, say so and return 1."""
    text = st.query_params.get(NUMBER, "1")
    if text in map(str, range(1, most + 1)):
        return int(text)
    address.not_there(LOOK.sentence_number, text)
    address.write_own(OF_A_SENTENCE, **{NUMBER: []})
    return 1


AROUND = (inputs.PAIR, MODELS, MODE, KIND)
"""Parameters of the choices that are made outside of the fragment with the sentence."""


def ask_around(checkpoints: Checkpoints) -> Asked:
    """Ask for languages, checkpoints, settings and files."""
    inputs.trust_link()
    row = inputs.first_row()
    with row:
        pair, runs = ask_checkpoint_row(checkpoints, phrase_systems())
    with inputs.ask_settings(row):
        place = st.container()
        imported = tuple(ask_files(_take_pair))
        with place:
            settings = _ask_settings(runs, sum(run.has_alignment for run in runs.values()) + len(imported))
        inputs.name_broken(checkpoints)
    view = ExplorerView(sentence="", runs=runs, settings=settings, imported=imported)
    return Asked(checkpoints=checkpoints, pair=pair, view=view, choices=address.chosen_now(AROUND))


def ask_sentence(asked: Asked) -> ExplorerView | None:
    """Ask for the sentence. If there is nothing to show yet, say why and return None."""
    checkpoints, pair, runs, files = asked.checkpoints, asked.pair, asked.view.runs, asked.view.imported
    offered = offered_examples(pair)
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row"):
        typed, draft = _ask_typed(asked, offered)
        offer_whole_text(typed, pair.source, take_sentences)
    target_row = st.container(key="target-row")
    if not draft:
        address.keep_with(inputs.on_one_line(typed), OF_A_SENTENCE, of_browser=(PIN, SEEN))
    if address.chosen_now(AROUND) != asked.choices:
        st.rerun()  # another sentence resets the kind of target, which the settings show
    if files and not (typed.strip() and runs):
        st.caption(LOOK.files_alone)
        return replace(asked.view, runs={})
    first = inputs.ready(typed, offered, partial(take_example, checkpoints, offered))
    if first is None or not inputs.some_chosen(runs):
        return None
    parts = _with_following(first, pair.source, draft=draft)
    number = 1 if draft else _number(len(parts))
    text = beginnings(parts, pair.source)[number - 1]
    view = replace(asked.view, sentence=text, parts=parts[:number], following=parts[number:], draft=draft)
    # Our own sentences need no check, which would read files.
    if not view.lesson and inputs.show_notices(text, runs, hold=first, insisted=_insist):  # before anything is computed
        return None
    with target_row:
        target = _ask_target(view)
    if target is None:
        return None
    phrases = translated_by_phrases(asked.choices.get(MODELS, ()), pair.source, text)
    return replace(view, target=target, imported=(*phrases, *files))


def _insist(sentence: str) -> None:
    if st.session_state[_DRAFT]:
        enter_draft(sentence)
    inputs.insist(sentence)


def enter_draft(draft: str) -> None:
    """Enter a draft, because the reader acts on it. Reset the parameters of the earlier sentence."""
    st.session_state[_DRAFT] = ""
    address.write_address(**{inputs.SENTENCE: [draft]})
    address.begin_with(draft, OF_A_SENTENCE)


def _forget_draft() -> str:
    """Delete the text that was typed and not entered, and the draft. Returns the draft, or "" if there was none."""
    st.session_state.pop(_TYPED, None)
    return str(st.session_state.pop(_DRAFT, ""))


def settle_draft() -> None:
    """Decide about a draft when the whole page runs. If the reader came from another page, or by Back or Forward,
    delete the draft. Otherwise the reader made another choice on the page, and the draft is entered."""
    if travelled() or address.arriving():
        if _forget_draft() and travelled():
            address.refill(_FIELD)
    elif (draft := st.session_state.get(_DRAFT)) and _TYPED not in st.session_state and len(draft) <= MOST_TYPED:
        enter_draft(draft)


def _draft_of(typed: str, asked: Asked) -> str:
    """The draft to show, or "" to show the sentence of the address. The text typed last becomes the draft if it is
    ``_readable``, or if it is too long for the address. Otherwise the earlier draft stays."""
    newest, draft = st.session_state.pop(_TYPED, None), str(st.session_state.get(_DRAFT, ""))
    if newest and (newest == inputs.on_one_line(typed) or len(newest) > MOST_TYPED or _readable(newest, asked)):
        draft = "" if newest == inputs.on_one_line(typed) else newest
    st.session_state[_DRAFT] = draft
    return draft


def _readable(text: str, asked: Asked) -> bool:
    """Whether the page can quickly show translations of a text, or a notice that it cannot be translated."""
    if not _searches(asked, text):
        return False
    strange = (foreign(text, run.source_language) for run in asked.view.runs.values())
    if inputs.too_long(text) or (text not in st.session_state[inputs.ANYWAY] and all(strange)):
        return True
    try:
        return all(task.typed(give_way) is not None for task in _searches(asked, text))
    except InputError:
        return False  # reported once the sentence is entered


def _searches(asked: Asked, text: str) -> list[TranslateTask]:
    """The tasks that translate a text. [] if the settings ask for options, or for another target than the best."""
    settings = asked.view.settings
    if settings.target != "best" or settings.options:
        return []
    return [TranslateTask(run, text, settings.of(run)) for run in asked.view.runs.values()]


def _ask_typed(asked: Asked, offered: Mapping[str, str]) -> tuple[str, bool]:
    """Show the field. Returns the sentence, and whether it is a draft."""
    checkpoints, pair = asked.checkpoints, asked.pair
    # Beside files only an entered sentence is shown.
    first = "" if asked.view.imported else next(iter(offered.values()), "")
    typed = address.choose_text(inputs.SENTENCE, first)
    draft = _draft_of(typed, asked)
    searches = _searches(asked, "")
    more = {"draft": draft, "quick": bool(searches) and all(task.quick for task in searches)}
    show_field(_FIELD, typed, pair.source, partial(_take_typed, draft or typed), more)
    st.session_state[inputs.OFFERED] = None
    if offered:
        st.menu_button(
            APP.example_menu,
            list(offered),
            key=_EXAMPLES,
            help=LOOK.quoted_elsewhere if pair == _OF_PAPER and not quoted_sentences() else None,
            on_click=lambda: take_example(checkpoints, offered, st.session_state[_EXAMPLES]),
        )
    return draft or typed, bool(draft)


def _take_typed(before: str, asked: Mapping[str, Any]) -> None:
    """Take a text that the reader typed or entered. An entered text becomes the sentence of the address, unless it is
    longer than ``MOST_TYPED``. If a sentence is entered again, and a notice offers languages, choose these instead."""
    typed = asked.get("typed")
    if not isinstance(typed, str):
        return
    if asked.get("entered") is False or len(typed) > MOST_TYPED:
        st.session_state[_TYPED] = inputs.on_one_line(typed)
        return
    draft = _forget_draft()
    if not inputs.take_offer(before, asked) or draft:
        address.write_address(**{inputs.SENTENCE: [typed]})


def offered_examples(pair: Languages) -> dict[str, str]:
    """Example sentences of a language pair, by title. The paper's sentences come last, if its test set is here. If the
    pair has no examples, the result has sentences of its source language, each under itself as title."""
    languages = (pair.source, pair.target)
    scenes = {scene.shown_title: scene.sentence for scene in SENTENCES if scene.languages == languages}
    lessons = {lesson.shown_title: lesson.sentence for lesson in GALLERY if lesson.languages == languages}
    merged = scenes | {title: sentence for title, sentence in lessons.items() if title not in scenes}
    if pair == _OF_PAPER:
        merged |= {LOOK.by_key.quoted[name]: source for name, (source, _) in quoted_sentences().items()}
    return merged or {scene.sentence: scene.sentence for scene in SENTENCES if scene.languages[0] == pair.source}


def take_example(checkpoints: Checkpoints, offered: Mapping[str, str], title: str) -> None:
    """Enter the example's sentence. If the example names a target or a checkpoint, choose them."""
    lesson = next((lesson for lesson in GALLERY if lesson.shown_title == title), None)
    _take_pair(offered[title], "" if lesson is None else lesson.target)
    if lesson is not None and lesson.checkpoint in checkpoints.usable:
        address.set_choice(MODELS, lesson.checkpoint)


def _take_pair(source: str, target: str) -> None:
    """Enter a sentence with its target, as the callback of a button. "" = each checkpoint's own translation."""
    _forget_draft()
    address.refill(_FIELD, s=source)
    address.begin_with(source, OF_A_SENTENCE)
    if target:
        address.set_choice(KIND, "typed")
        address.fill(TARGET, target)


def take_sentences(sentences: Sequence[str]) -> None:
    """Enter the first of some sentences, as the callback of a button. The reader can add the others to it."""
    _take_pair(sentences[0], "")
    address.write_own(OF_A_SENTENCE, **{OWN: sentences[1 : inputs.MOST_TOGETHER]})


def _ask_settings(runs: Mapping[str, RunInfo], panels: int) -> Settings:
    """Ask for the settings. ``panels``: number of panels with alpha, which can be compared."""
    target = address.choose_one(
        st.segmented_control, LOOK.target_kind, LOOK.by_key.target_kinds, key=KIND, help=LOOK.target_kind_help
    )
    beam = inputs.ask_beam()
    unknown = inputs.ask_unknown()
    options = _ask_options(panels, together=bool(committee_of(runs)))
    return Settings(target=cast(TargetKind, target), beam=beam, unknown=unknown, options=frozenset(options))


def _ask_options(panels: int, *, together: bool) -> list[str]:
    """Ask for options. A difference needs two panels. With fewer, the page remembers the choice until there are two.

    Args:
        together: whether some checkpoints can be a committee.
    """
    comparable = panels > 1
    left_out = {*([] if comparable else [DIFFERENCE]), *([] if panels else [HARD]), *([] if together else [COMMITTEE])}
    requested = [name for name in st.query_params.get_all(_WITH) if name in LOOK.by_key.option_choices]
    if not comparable and DIFFERENCE in requested:
        st.session_state[_WANTED] = True
        if DIFFERENCE not in address.Choice.of(_WITH, []).chosen:  # it came with a link
            address.notify(LOOK.no_difference_line)
    elif comparable and st.session_state.pop(_WANTED, False):
        address.set_choice(_WITH, *requested, DIFFERENCE)
    options = address.choose_many(
        st.pills,
        LOOK.options,
        {name: title for name, title in LOOK.by_key.option_choices.items() if name not in left_out},
        key=_WITH,
        default=[],
        elsewhere={DIFFERENCE},
        help=LOOK.options_help,
    )
    if not comparable:
        title = LOOK.by_key.option_choices[DIFFERENCE]
        st.button(title, key="no-difference", disabled=True, help=LOOK.no_difference_yet)
        st.caption(LOOK.no_difference_line)
    return options


def _ask_target(view: ExplorerView) -> TargetChoice | None:
    """Ask for a rank or a typed target, if the kind of target needs it. If none is typed yet, say so and return None.

    The rank is one of the first checkpoint's list. The field for a target begins with this checkpoint's translation.
    """
    kind_before, choice_before = st.session_state.get(_TARGET_BEFORE, ("best", TargetChoice()))
    settings, choice = view.settings, TargetChoice()
    if settings.target == "list" and settings.beam > 1:
        choice = _ask_listed(view)
    elif settings.target == "typed":
        if kind_before != "typed":
            _prefill(view, choice_before)
        typed = st.text_input(LOOK.target, key=TARGET, bind="query-params", max_chars=inputs.MOST_CHARACTERS)
        choice = TargetChoice(typed=inputs.on_one_line(typed or ""))
    st.session_state[_TARGET_BEFORE] = (settings.target, choice)
    if settings.target == "typed" and not choice.typed:
        st.info(LOOK.target_wanted, icon=":material/edit:")
        return None
    return choice


def _ask_listed(view: ExplorerView) -> TargetChoice:
    (name, run), listed = next(iter(view.runs.items())), view.settings.beam
    translation = translated(view, run, listed)
    if translation is None:
        return TargetChoice()
    options = {
        str(rank): LOOK.listed.format(
            rank=rank, nats=nats(hypothesis.log_probability), text=hypothesis.text or LOOK.listed_nothing
        )
        for rank, hypothesis in enumerate(translation.hypotheses, 1)
    }
    rank = address.choose_one(st.selectbox, LOOK.list.format(name=escaped(name)), options, key=RANK)
    if len(view.runs) > 1:
        st.caption(LOOK.list_of_others)
    return TargetChoice(rank=int(rank), listed=listed)


def _prefill(view: ExplorerView, before: TargetChoice) -> None:
    """Fill the field of a typed target with the translation that was shown before."""
    if st.session_state.get(TARGET) or st.query_params.get(TARGET):
        return
    translation = translated(view, next(iter(view.runs.values())), before.listed)
    if translation is not None:
        address.fill(TARGET, translation.hypotheses[min(before.rank, len(translation.hypotheses)) - 1].text)
