"""Fields of several pages: for a sentence, languages, checkpoints, a beam. The address holds their values, so that a
link reproduces the view and pages share the values. Notices say above a result what is strange about the sentence."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from itertools import combinations, islice
from types import MappingProxyType
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.data.identification import foreign
from nmt.data.line_words import count_words
from nmt.errors import InputError
from nmt.released import LANGUAGES
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.texts import APP, counted, current, listed, say
from nmt.ui.address import ask_number, choose_many, choose_one, current_choice, set_choice, write_address
from nmt.ui.checkpoints import Checkpoints, find_checkpoints
from nmt.ui.components import offer
from nmt.ui.formatting import as_sentence, escaped, explained, language
from nmt.ui.resources import LANGUAGE, fit_of
from nmt.ui.tasks import Unknown

MOST_WORDS, MOST_CHARACTERS = 200, 4000
MOST_BEAM, MOST_TOGETHER = 20, 12
"""Limits of a choice: the beam, and the number of sentences translated as one."""
ENOUGH = 50
"""Number of sentences that suffice to recognise the language of a text."""
SENTENCE = "s"
ANYWAY, OFFERED = "notice-anyway", "notice-offered"
"""Keys of the session's state. The first has the sentences to translate although no checkpoint reads their language.
The second has the choice that a notice offers, as a parameter and its value, or None."""
_INVITED = 4
"""Examples that an empty page offers."""


def first_row() -> DeltaGenerator:
    """The first row of a page. It begins with the languages, and it ends with the button Settings."""
    return st.container(horizontal=True, vertical_alignment="bottom", key="first-row")


def ask_settings(row: DeltaGenerator) -> DeltaGenerator:
    """Show the button Settings at the end of a row. Returns the place of the settings, which lies over the page while
    it is open. Escape and a click beside it close it. Closed settings keep the values of the address."""
    return row.popover(APP.settings, icon=":material/tune:", key="open-settings").container(key="settings")


def any_checkpoint(checkpoints: Checkpoints) -> bool:
    """Return whether there is a usable checkpoint. If not, show how to get one."""
    if checkpoints.usable:
        return True
    st.info(APP.no_checkpoint, icon=":material/folder_open:")
    name_broken(checkpoints)
    return False


def some_chosen(runs: dict[str, RunInfo]) -> bool:
    """Return whether any checkpoint was chosen. If not, ask for one."""
    if not runs:
        st.info(APP.choose_checkpoint, icon=":material/checklist:")
    return bool(runs)


def ask_beam(key: str = "beam", first: int = 12) -> int:
    """Ask for the beam, from 1 to ``MOST_BEAM``. ``key``: the parameter of the address. ``first``: the default."""
    return ask_number(st.slider, APP.beam, 1, MOST_BEAM, first, key=key, width=180, help=explained("beam"))


def ask_checkpoints(
    names: Iterable[str], titles: Mapping[str, str] = MappingProxyType({}), *, key: str, **settings: Any
) -> list[str]:
    """Ask for checkpoints or other systems, as ``choose_many`` does. ``titles``: titles that differ from the names."""
    return choose_many(
        st.multiselect,
        APP.checkpoints,
        {name: titles.get(name, name) for name in names},
        key=key,
        what=APP.a_checkpoint,
        placeholder=APP.checkpoints,
        label_visibility="collapsed",
        **settings,
    )


def say_left_out(parameter: str, known: Iterable[str], readable: Iterable[str], pair: Languages) -> list[str]:
    """Say which of the ``known`` names in the address are not ``readable``, because they do not translate ``pair``."""
    others = [name for name in st.query_params.get_all(parameter) if name in {*known} - {*readable}]
    if others:
        notice = APP.left_out.format(languages=named(pair), names=escaped(", ".join(others)))
        st.caption(f":material/warning: {notice}")
    return others


def ask_checkpoint(title: str, names: Iterable[str], *, key: str, default: str | None = None, **settings: Any) -> str:
    """Ask for one checkpoint or other system, as ``choose_one`` does."""
    options = {name: name for name in names}
    return choose_one(st.selectbox, title, options, key=key, default=default, what=APP.a_checkpoint, **settings)


def ask_unknown() -> Unknown:
    """Ask for the treatment of [UNK]."""
    choices, about = APP.by_key.unknown_choices, APP.unknown_help
    return cast(Unknown, choose_one(st.segmented_control, APP.unknown, choices, key="unk", help=about))


def name_broken(checkpoints: Checkpoints) -> None:
    """Say which checkpoints cannot be used, and why."""
    for run in checkpoints.broken:
        st.warning(as_sentence(say("app.broken", name=run.name, problem=run.problem)), icon=":material/warning:")


def on_one_line(text: str) -> str:
    """A sentence as it was typed, with single spaces.

    >>> on_one_line(" a\\n b ")
    'a b'
    """
    return " ".join(text.split())


def too_long(sentence: str) -> bool:
    """Return whether a sentence is too long to be translated on the pages."""
    return count_words(sentence) > MOST_WORDS or len(sentence) > MOST_CHARACTERS


def ready(typed: str, examples: Iterable[str], take: Callable[[str], None]) -> str | None:
    """The sentence on one line. If it is too long, say so. If it is empty, offer examples. In both cases, return None.

    Args:
        examples: titles of the examples.
        take: called with the title of the example that is clicked.
    """
    sentence = on_one_line(typed)
    if not sentence:
        with st.container(border=True, gap="xsmall"):
            st.markdown(APP.invitation)
            for k, title in enumerate(islice(examples, _INVITED)):
                offer(escaped(title), "arrow_forward", take, title, key=f"example-{k}", type="tertiary", wrap=True)
        return None
    if too_long(sentence):
        counts = {"words": f"{count_words(sentence):,}", "characters": f"{len(sentence):,}"}
        most = {"most_words": MOST_WORDS, "most_characters": f"{MOST_CHARACTERS:,}"}
        st.warning(APP.too_long.format(**counts, **most), icon=":material/short_text:")
        return None
    if "\n" in typed.strip():
        st.caption(APP.one_sentence)
    return sentence


PAIR = "pair"
"""The parameter of the address that names language pairs."""
_PAIR_BEFORE = "pair-before"
_OPENED = "pair-opened"
_MENU: dict[str, Any] = {"label_visibility": "collapsed", "width": 240}


def pairs_of(checkpoints: Checkpoints) -> list[Languages]:
    """Language pairs of all checkpoints, in order of first occurrence. Without checkpoints: English and French."""
    return list(dict.fromkeys(run.languages for run in checkpoints.usable.values())) or [Languages(*LANGUAGES)]


def name_pair(name: str) -> None:
    """Name the languages of a view in a menu and a button that are disabled, where the view has no choice of them."""
    if len(pairs_of(find_checkpoints())) > 1:
        st.selectbox(APP.language_field, [name], disabled=True, **_MENU)
        st.button(APP.swap, icon=":material/swap_horiz:", disabled=True, key="no-swap")


def ask_pairs(checkpoints: Checkpoints, *parameters: str, together: bool = False) -> list[Languages]:
    """Ask for a language pair if there are several, with a button that swaps it. The default is the first checkpoint's.

    Args:
        parameters: the parameters of the address that name checkpoints. If the address names no pair, and no named
            checkpoint has the pair chosen before, the pair of the first named checkpoint is chosen.
        together: whether several target languages of a source language can be chosen at once. The default is a pair
            from the reader's language if a checkpoint reads it.
    """
    all_pairs = pairs_of(checkpoints)
    if together:  # if typed text is translated, pairs with weights come first
        usable = {run.languages for run in checkpoints.usable.values() if run.has_weights}
        all_pairs.sort(key=lambda pair: pair not in usable)
    pairs = {_key([pair]): [pair] for pair in all_pairs}
    first = next(iter(pairs))
    if len(pairs) == 1:
        return pairs[first]
    of_reader = [key for key, (pair,) in pairs.items() if together and pair.source == current() != "en"]
    if together and _OPENED not in st.session_state:
        if of_reader and st.query_params.keys() <= {LANGUAGE}:  # else the address is of what another reader saw
            write_address(**{PAIR: of_reader[0]})  # a reader of Korean first sees a Korean sentence
        st.session_state[_OPENED] = True
    for source in dict.fromkeys(pair.source for pair in all_pairs) if together else ():
        several = [pair for pair in all_pairs if pair.source == source]
        pairs |= {_key(group): [*group] for group in (*combinations(several, 2), several)}
    if PAIR not in st.query_params:
        runs = [checkpoints.usable.get(name) for key in parameters for name in st.query_params.get_all(key)]
        requested = [_key([run.languages]) for run in runs if run is not None]
        if requested and current_choice(PAIR, pairs) not in requested:
            write_address(**{PAIR: requested[0]})
    titles = {name: named(*group) for name, group in pairs.items()}
    always = current() != "en"  # an address without it would open with the reader's own language
    chosen = choose_one(st.selectbox, APP.language_field, titles, key=PAIR, always=always, **_MENU)
    back = _key([Languages(pairs[chosen][0].target, pairs[chosen][0].source)])
    offer(APP.swap, "swap_horiz", set_choice, PAIR, back, key="swap", disabled=back not in pairs)
    return pairs[chosen]


def follow_pair(pairs: Sequence[Languages], checkpoints: Checkpoints, parameter: str) -> None:
    """If the reader has chosen other languages, choose the checkpoints of ``first_of``. The chosen checkpoints stay if
    they cover all new pairs and only one pair was chosen before. ``parameter`` of the address has their names."""
    before = st.session_state.get(_PAIR_BEFORE, pairs)
    st.session_state[_PAIR_BEFORE] = pairs
    usable = checkpoints.usable
    written = {usable[name].languages for name in st.query_params.get_all(parameter) if name in usable}
    if pairs != before and (len(before) > 1 or not all(pair in written for pair in pairs)):
        set_choice(parameter, *first_of(pairs, checkpoints))


def first_of(pairs: Sequence[Languages], checkpoints: Checkpoints) -> list[str]:
    """Names of the checkpoints to open with: one per architecture for one pair, and one per pair for several pairs."""
    if len(pairs) == 1:
        return checkpoints.first_choice(pairs[0])
    return [name for pair in pairs for name in checkpoints.first_choice(pair)[:1]]


def _key(pairs: Sequence[Languages]) -> str:
    return f"{pairs[0].source}-{'+'.join(pair.target for pair in pairs)}"


def named(*pairs: Languages) -> str:
    """Name a pair, as in "English to French", or several pairs of one source language."""
    targets = ", ".join(language(pair.target) for pair in pairs)
    return APP.pair.format(source=language(pairs[0].source), target=targets)


def trust_link() -> None:
    """Translate the first sentence of the session in any language, because a link may have brought it."""
    st.session_state.setdefault(ANYWAY, {on_one_line(st.query_params.get(SENTENCE, ""))})


def insist(sentence: str) -> None:
    """Translate a sentence although no checkpoint reads its language, as the callback of a button."""
    st.session_state[ANYWAY].add(sentence)


def take_offer(before: str, asked: Mapping[str, Any]) -> bool:
    """Make the choice that a notice offers, if the reader enters the sentence ``before`` again. Returns whether it was
    made. ``asked``: what the field sent."""
    offered: tuple[str, str] | None = st.session_state.get(OFFERED)
    if offered is None or asked.get("typed") != before.strip() or asked.get("again") is not False:
        return False
    set_choice(*offered)
    return True


def show_notices(
    text: str,
    runs: Mapping[str, RunInfo],
    *,
    unknown_words: bool = True,
    hold: str | None = None,
    insisted: Callable[[str], None] = insist,
    choices: Mapping[Languages, tuple[str, str]] | None = None,
) -> bool:
    """Warn of what is strange about a text. Checkpoints with the same reason share a notice. If checkpoints on this
    machine read the language of the text, buttons change to their pairs. Returns whether the reader must decide first.

    Args:
        unknown_words: whether unknown words are counted. False if ``text`` is only a part of the translated text.
        hold: the entered sentence, if the reader must decide about a text in a language that none of ``runs`` reads.
        insisted: called with ``hold`` by a button that translates it all the same.
        choices: by pair, the parameter and the value of the choice that a button makes. None: the choice of the pair.
    """
    others = {run.source_language: foreign(text, run.source_language) for run in runs.values()}
    names: dict[tuple[str, str], list[str]] = {}
    for name, run in runs.items():
        reason = misfit(text, run, unknown_words=unknown_words)
        if reason:
            names.setdefault((reason, run.source_language), []).append(name)
    for (reason, source), which in names.items():
        said = {"reason": reason, "names": escaped(listed(which)), "language": language(source)}
        notice = counted(len(which), APP.forms.means_little, **said)
        st.warning(notice, icon=":material/translate:")
    read = {other.language: source for source, other in others.items() if other is not None}
    held = hold is not None and hold not in st.session_state[ANYWAY] and None not in others.values()
    choices = choices or {pair: (PAIR, _key([pair])) for pair in pairs_of(find_checkpoints())}
    best = sorted(choices, key=lambda pair: pair.target != read.get(pair.source))
    readers = [*{pair.source: pair for pair in reversed(best) if pair.source in read}.values()]
    st.session_state[OFFERED] = choices[readers[0]] if held and readers else None
    with st.container(horizontal=True) if readers or held else nullcontext():
        for number, pair in enumerate(readers):
            keys = {"type": "primary", "shortcut": None if number else "Enter"} if held else {}
            label = APP.translate_as.format(pair=named(pair))
            offer(label, "swap_horiz", set_choice, *choices[pair], key=f"translate-as-{_key([pair])}", **keys)
        if held:
            st.button(APP.anyway, key="anyway", on_click=insisted, args=(hold,))
    return held


def misfit(text: str, run: RunInfo, *, unknown_words: bool = True) -> str:
    """A sentence on what is strange about a text for a checkpoint. "" if nothing is strange."""
    other = foreign(text, run.source_language)
    if other is not None:
        read = {checkpoint.source_language for checkpoint in find_checkpoints().usable.values()}
        if other.language in read or (other.script and other.language in APP.by_key.languages):
            return APP.in_other_language.format(language=language(other.language))
        if other.script:
            return APP.in_other_writing.format(writing=APP.by_key.writings.get(other.script, other.script))
        return APP.nobody_reads
    if not unknown_words:
        return ""
    try:
        fit = fit_of(text, run)
    except InputError:
        return ""
    if not fit.mostly_unknown:
        return ""
    if len(fit.unknown) == fit.words:
        return counted(fit.words, APP.forms.all_unknown)
    return APP.mostly_unknown.format(unknown=len(fit.unknown), words=fit.words)
