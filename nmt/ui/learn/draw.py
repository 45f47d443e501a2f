"""The view "Draw it first": the reader links the words of a sentence pair, then sees alpha and gold links."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.alignments.links import Extraction
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import alignment_error_rate, read_gold
from nmt.files import ROOT
from nmt.instrument import About
from nmt.results import Alignment, Languages
from nmt.results.links import Gold, LinkSet, format_links, numbered_words, parse_links
from nmt.results.record import LINKS, SentenceRecord, Text, record_of_map
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LEARN
from nmt.ui.address import write_address
from nmt.ui.checkpoints import Checkpoints, find_aligner
from nmt.ui.components import show_rows
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, language
from nmt.ui.inputs import ask_checkpoints
from nmt.ui.instrument import Chosen, Pin, chosen, show_instrument
from nmt.ui.resources import travelled
from nmt.ui.tasks import AlignerTask, AlignTask

_FOLDER = ROOT / "testsets"
_SETS = {
    pair: folder
    for other, folder in (("fr", "jointly-150"), ("de", "jointly-100-de"), ("ko", "jointly-100-ko"))
    for pair in (Languages("en", other), Languages(other, "en"))
}
"""By language pair, the test set with gold links. The links in its file are from English words."""
_LONGEST, _MOST_NAMED = 14, 3
"""Words of either side of an exercise, so that it can be done in a minute. Links that a verdict names."""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A sentence pair with links made by hand.

    Attributes:
        number: line of the pair in the test set, from 1.
        gold: the links made by hand, each from a source word to a target word, from 0.
    """

    languages: Languages
    number: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    gold: Gold


@cache
def exercises(languages: Languages) -> tuple[Exercise, ...]:
    """The pairs of the test set with at most ``_LONGEST`` words on each side. () if the test set is missing."""
    folder = _FOLDER / _SETS[languages]
    try:
        gold = read_gold(folder / "gold")
        codes = languages.source, languages.target
        sides = [(folder / f"tokens.{code}").read_text("utf-8").split("\n")[: len(gold)] for code in codes]
    except (InputError, OSError):
        return ()
    if languages.source != "en":
        gold = [Gold(*(frozenset((i, j) for j, i in kind) for kind in (links.sure, links.possible))) for links in gold]
    pairs = zip(*([tuple(numbered_words(line)) for line in side] for side in sides), gold, strict=True)
    return tuple(
        Exercise(languages=languages, number=number, source=source, target=target, gold=links)
        for number, (source, target, links) in enumerate(pairs, 1)
        if max(len(source), len(target)) <= _LONGEST
    )


def links_from(text: str, exercise: Exercise) -> LinkSet:
    """Parse the reader's links in the address. Other text, and links to words outside of the pair, are left out.

    >>> gold = Gold(sure=frozenset(), possible=frozenset())
    >>> one = Exercise(languages=Languages("en", "fr"), number=1, source=("a", "b"), target=("x",), gold=gold)
    >>> sorted(links_from("0-0 1-0 2-0 0-1", one)), links_from("x", one)
    ([(0, 0), (1, 0)], frozenset())
    """
    try:
        parsed = parse_links(text)
    except InputError:
        return frozenset()
    inside = ((link.source, link.target) for link in parsed)
    return frozenset((j, i) for j, i in inside if j < len(exercise.source) and i < len(exercise.target))


_MINE, EXERCISE, _UNCOVERED = "mine", "exercise", "uncovered"
"""Parameters of the address: the reader's links, the number of the sentence pair, and whether alpha is shown."""
_BEGUN, _BEFORE = "draw-begun", "draw-before"
"""Keys of the session's state: how often the reader began again, and the languages of the last run."""


def with_gold(checkpoints: Checkpoints) -> Checkpoints:
    """The checkpoints with alpha whose languages have a test set with gold links."""
    runs = {name: run for name, run in checkpoints.usable.items() if run.has_alignment and run.languages in _SETS}
    return replace(checkpoints, usable=runs)


@st.fragment
def show_draw(checkpoints: Checkpoints, pair: Languages) -> None:
    """Show a sentence pair for the reader to link. Then show alpha, the links made by hand, and error rates against
    these. The address has the number of the sentence pair. ``checkpoints``: those of ``with_gold``."""
    pairs, runs = exercises(pair), checkpoints.of_pair(pair)
    if not pairs:
        st.info(LEARN.no_pairs.format(folder=f"testsets/{_SETS[pair]}"), icon=":material/folder_off:")
        return
    if pair != st.session_state.get(_BEFORE, pair) and not travelled():
        _begin(**{EXERCISE: "", _UNCOVERED: ""})
    st.session_state[_BEFORE] = pair
    numbers = [str(exercise.number) for exercise in pairs]
    requested = st.query_params.get(EXERCISE, "")
    k = numbers.index(requested) if requested in numbers else 0
    exercise, another = pairs[k], {EXERCISE: numbers[(k + 1) % len(numbers)], _UNCOVERED: ""}
    uncovered = st.query_params.get(_UNCOVERED) == "1"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            LEARN.cover if uncovered else LEARN.uncover,
            type="secondary" if uncovered else "primary",
            on_click=write_address,
            kwargs={_UNCOVERED: "" if uncovered else "1"},
        )
        st.button(LEARN.another_pair, icon=":material/skip_next:", on_click=_begin, kwargs=another)
        st.button(LEARN.begin_again, on_click=_begin)
        told = st.empty()
        told.caption(LEARN.task.format(number=k + 1, count=len(numbers)))
    place = st.container()
    maps: dict[str, Alignment] = {}
    if uncovered:
        for name in ask_checkpoints(runs, key="models", default=checkpoints.first_choice(pair)[:1]):
            alpha = answer_to(AlignTask(runs[name], exercise.source, exercise.target), st.empty())
            if alpha is not None:
                maps[name] = alpha
    with place:
        reader_links = _ask_links(exercise, maps, runs)
    if uncovered:
        links_of = Extraction("argmax").links
        others = {name: links_of(alpha) for name, alpha in maps.items()} | _of_aligner(exercise)
        said = "".join(verdict(exercise, name, others[name]) for name in maps)
        _show_errors(exercise, {LEARN.you: reader_links} | others, told, said)


def _ask_links(exercise: Exercise, maps: Mapping[str, Alignment], runs: Mapping[str, RunInfo]) -> LinkSet:
    """Show the matrix of the reader's links, and return these links. Beside it, show alpha of each of ``maps`` with the
    links made by hand. ``maps`` is empty until the reader uncovers alpha."""
    reader_links = links_from(st.query_params.get(_MINE, ""), exercise)
    pair = f"{exercise.languages.source}-{exercise.languages.target}"
    key = f"draw-{pair}-{exercise.number}.{st.session_state.get(_BEGUN, 0)}"  # a new key has no pin in the browser
    last = f"{key}-last-click"
    record, about = _record(exercise, reader_links, maps, runs)
    before: Pin | None = st.session_state.get(last)

    def take() -> None:
        """Draw the link of the cell that was clicked, or remove it. A second click on a cell removes its pin."""
        pin = st.session_state[last] = chosen(key, record.source.text, Chosen()).pin
        clicked = pin or before
        i, j = (clicked.target, clicked.source) if clicked is not None and clicked.name == LEARN.you else ((), ())
        if len(i) == len(j) == 1 and i[0] < len(exercise.target) and j[0] < len(exercise.source):
            write_address(**{_MINE: format_links(sorted(reader_links ^ {(j[0], i[0])}))})

    state = Chosen(pin=before)
    more = {"parts": "matrices", "heading": True, "height": "window", "about": about}
    show_instrument(record, key=key, chosen=state, needs=["pin"], on_told=take, more=more)
    return reader_links


def _record(
    exercise: Exercise, reader_links: LinkSet, maps: Mapping[str, Alignment], runs: Mapping[str, RunInfo]
) -> tuple[SentenceRecord, dict[str, About]]:
    """First result: a record of the reader's links and of ``maps``. If there are maps, it also has the links made by
    hand. Second result: settings of the display, by name of the links or the map."""
    weights = np.zeros((len(exercise.target), len(exercise.source)), np.float32)
    for j, i in reader_links:
        weights[i, j] = 1
    of_reader = Alignment(source=exercise.source, target=exercise.target, weights=weights)
    records = [record_of_map(of_reader, LEARN.you, kind=LINKS)]
    records += [record_of_map(alignment, name, runs[name].languages) for name, alignment in maps.items()]
    about: dict[str, About] = {name: {"kind": ""} for name in maps}
    links = exercise.gold.over(exercise.source, exercise.target)
    about[LEARN.you] = {
        "kind": "",
        "panel": {
            "values": LEARN.own_links,
            "grid": True,
            "hint": LEARN.hint,
            "sure": [],
            "possible": [],
            "signs": {"words": [], "matrix": [], "links": []},
            "source_title": APP.source_in.format(language=language(exercise.languages.source)),
            "target_title": APP.target_in.format(language=language(exercise.languages.target)),
        },
    }
    systems = tuple(system for record in records for system in record.systems)
    text = Text(text=" ".join(exercise.source), language=exercise.languages.source)
    return SentenceRecord(source=text, systems=systems, gold=links if maps else None), about


def _of_aligner(exercise: Exercise) -> dict[str, LinkSet]:
    """Links that the program's own aligner draws, under the aligner's name. {} without aligner, or after an error."""
    folder = find_aligner(exercise.languages)
    if folder is None:
        return {}
    links = answer_to(AlignerTask(folder, exercise.source, exercise.target), st.empty())
    return {} if links is None else {APP.aligner.format(name=folder.name): links}


def verdict(exercise: Exercise, name: str, links: LinkSet) -> str:
    """Say where the links of a checkpoint differ from those made by hand: links that these lack, and sure ones that are
    missing, as "target word → source word". Only the first ones are named."""
    gold = exercise.gold
    other = sorted((links - gold.sure - gold.possible) | (gold.sure - links), key=lambda link: link[::-1])
    if not other:
        return LEARN.verdict_same.format(name=escaped(name))
    pairs = ", ".join(f"{exercise.target[i]} → {exercise.source[j]}" for j, i in other[:_MOST_NAMED])
    return LEARN.verdict.format(name=escaped(name), links=escaped(pairs) + ", …" * (len(other) > _MOST_NAMED))


def _show_errors(exercise: Exercise, links: Mapping[str, LinkSet], told: DeltaGenerator, more: str) -> None:
    """Show in ``told`` the error rates against the links made by hand, and below a table of what they are made of.
    ``more``: what ``told`` says after them."""
    errors = {name: alignment_error_rate([links_of_one], [exercise.gold]) for name, links_of_one in links.items()}
    said = (LEARN.rate.format(name=escaped(name), percent=100 * error.aer) for name, error in errors.items())
    told.markdown(LEARN.score.format(rates=", ".join(said)) + "." + more, help=LEARN.aer_help)
    rows = [
        {
            LEARN.who: name,
            APP.links: error.links,
            APP.precision: 100 * error.precision,
            APP.recall: 100 * error.recall,
            APP.aer: 100 * error.aer,
        }
        for name, error in errors.items()
    ]
    number = st.column_config.NumberColumn
    columns = dict.fromkeys((APP.precision, APP.recall), number(format="%.0f %%"))
    columns[APP.aer] = number(format="%.0f %%", help=LEARN.aer_help)
    show_rows(rows, columns, key="draw-errors")
    of_aligner = LEARN.about_aligner if find_aligner(exercise.languages) else ""
    st.caption(LEARN.against_gold.format(folder=f"testsets/{_SETS[exercise.languages]}") + of_aligner)


def _begin(**values: str) -> None:
    """Remove the reader's links, and write ``values`` into the address, as the callback of a button."""
    write_address(**{_MINE: ""}, **values)
    st.session_state[_BEGUN] = st.session_state.get(_BEGUN, 0) + 1
