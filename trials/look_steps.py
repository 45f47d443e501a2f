"""Random steps on Look in Chromium and Firefox: typing, pinning, dragging, adding sentences, changing checkpoints."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from nmt.instrument import texts
from nmt.texts import APP, MODELS
from tests.oracles.random_run import random_run
from trials.app import chromium_window, served
from trials.at_rest import SETTLED
from trials.firefox import firefox_window
from trials.look_model import KINDS, OWN, SENTENCES, TRAVELS, LookModel, Step
from trials.trial import Cases, Trial, must
from trials.window import Window, WindowError

_STEPS, _SECONDS = 50, 60
_KNOWN = ("one", "two")
_KEYS = {"horizontal": ("ArrowRight", "ArrowLeft"), "vertical": ("ArrowDown", "ArrowUp")}
"""What moves a ribbon's end: a translation much longer than its source stands beside it."""
_LOOK = f"deep('.system').length > 0 && ({SETTLED})()"
_FIELD = 'deep("textarea#sentence").find(one => one.checkVisibility())'
_SETTINGS = f'named("button", {APP.settings!r})'
_ASKED = "new URL(location).searchParams"
_ADDRESS = f"""[{_ASKED}.getAll("pin"), {_ASKED}.getAll("change").map(change => change.split(":")[0]),
  {_ASKED}.getAll("k")]"""
_LEFT = "[document.activeElement, ...deep(':focus')].forEach(one => one.blur())"
_PINNED = """deep(".system").flatMap((one, k) => deep(".target .word", one)
  .map((word, i) => word.classList.contains("lit") ? [k, i] : null)).filter(Boolean)"""


def _run(opened: Callable[[Path], AbstractContextManager[Window]], random: Random, cases: Cases, folder: Path) -> None:
    for hidden, name in enumerate(_KNOWN, 12):
        random_run(folder / "runs" / name, hidden=hidden)
    with served(folder) as server, opened(folder / "browser") as window:
        model = LookModel(SENTENCES[0], ("one",), known=_KNOWN, beam=2)
        _open(window, server.address, model)
        states = {_address(window): deepcopy(model)}
        for number in range(_STEPS):
            step = model.draw(random, (*KINDS, *TRAVELS))
            if not model.offers(step) or (step.kind == "pin" and model.changes):
                continue  # a translation that was changed may have any number of words
            lost = cases.lost
            with cases.case(f"step {number} of {model!r}: {step!r}"):
                if step.kind in TRAVELS:
                    model = _travelled(window, step.kind, states)
                else:
                    model.take(_taken(window, model, step))
                _check(window, model)
                states[_address(window)] = deepcopy(model)
            if cases.lost > lost:  # the next steps begin from what there must be
                window.faults.clear()
                model = LookModel(model.sentence, model.models, known=_KNOWN, beam=model.beam)
                _open(window, server.address, model)
                states[_address(window)] = deepcopy(model)


def _open(window: Window, address: str, model: LookModel) -> None:
    asked = {"s": model.sentence, "models": model.models, "beam": model.beam, "own": OWN}
    window.open(f"{address}/?{urlencode(asked, doseq=True)}")
    window.wait_for(_LOOK)


def _address(window: Window) -> str:
    return str(window.evaluate("location.href"))


def _travelled(window: Window, kind: str, states: Mapping[str, LookModel]) -> LookModel:
    """Go back or forward, or load the page anew. Returns what the page had when it had this address. From an address at
    which no step ended, as between two pages, the reader comes back."""
    by = {"back": -1, "forward": 1, "reload": 0}[kind]
    window.travel(by)
    if _address(window) not in states:
        window.travel(-by)
    window.wait_for(_LOOK)
    return deepcopy(states[_address(window)])


def _taken(window: Window, model: LookModel, step: Step) -> Step:
    """Do the step as a reader does; returns what was done, which may be nothing, or at another word."""
    system = model.models.index(step.name)
    if step.kind == "type":
        window.write(_FIELD, step.text)
    elif step.kind == "pin":
        step = replace(step, i=step.i % window.evaluate(f"{_words(system)}.length"))
        if model.pin != f"{step.name}.{step.i}.":
            window.click(f"{_words(system)}[{step.i}]")
    elif step.kind == "unpin":
        if model.pinned is None:  # of a checkpoint that is not shown
            return replace(step, kind="nothing")
        window.click(f"{_words(model.pinned[0])}[{model.pinned[1]}]")
    elif step.kind == "drag":
        grip = f'deep(".grip", deep(".system")[{system}])[0]'
        if not window.evaluate(f"Boolean({grip})"):
            return replace(step, kind="nothing")
        now, most, way = window.evaluate(
            f"({grip}.focus(), ['valuenow', 'valuemax', 'orientation'].map(one => {grip}.getAttribute('aria-' + one)))"
        )
        on, back = _KEYS[way]
        window.press(on if int(now) < int(most) else back, "Enter")
    elif step.kind == "begin":
        window.click(f'named("button", {texts()["sections"]["options"]["what-if"]!r})')
        window.write('deep("#typed-begin")[0]', "a")
    elif step.kind == "undo" and window.evaluate('deep("[data-control=undo]").some(one => one.checkVisibility())'):
        window.evaluate(f"{_LEFT} ?? null")  # else the browser takes back what was typed
        window.press("Control+z")
    elif step.kind == "reset":
        window.click('named("button", "Reset")')
    elif step.kind == "models":
        gone = {*model.models} - _choose(window, model.models, step.models)
        if model.pin.partition(".")[0] in gone and not model.changes:
            model.pin = ""  # a checkpoint that goes and comes again has lost its pin
    elif step.kind == "beam":
        window.click(_SETTINGS)
        window.wait_for(f"deep('.st-key-beam input').length && ({SETTLED})()")  # keys go nowhere before that
        window.evaluate('deep(".st-key-beam input")[0].focus() ?? null')
        window.press("Home", *["ArrowRight"] * (step.number - 1))
        window.click(_SETTINGS)
    elif step.kind == "add":
        if "own=" not in (address := _address(window)):  # forgotten with the sentence that they came with
            window.open(f"{address}&{urlencode({'own': OWN}, doseq=True)}")
            window.wait_for(_LOOK)
        for _ in range(abs(step.number - model.number)):
            window.evaluate('deep(".handle")[0].focus() ?? null')
            window.press("ArrowRight" if step.number > model.number else "ArrowLeft")
    elif step.kind == "leave":
        window.click(f'named("a", {APP.models!r})')
        window.wait_for(f"named('h1, h2, h3', {MODELS.by_key.questions['use']!r}) && ({SETTLED})()")
        window.click(f'named("a", {APP.look!r})')
    return step


def _words(system: int) -> str:
    """JavaScript expression of a system's target words."""
    return f'deep(".target .word", deep(".system")[{system}])'


def _choose(window: Window, now: tuple[str, ...], models: tuple[str, ...]) -> set[str]:
    """Choose checkpoints in this order: what is not among the first ones goes, the others come. Returns those that
    stayed."""
    kept = now[: next((k for k, pair in enumerate(zip(now, models, strict=False)) if len({*pair}) > 1), len(models))]
    for name in (*(None for _ in now[len(kept) :]), *models[len(kept) :]):
        before = _address(window)
        window.click('deep(".st-key-choice-models input")[0]')
        if name is None:
            window.press("Backspace")
        else:
            window.press(*name)
            window.click(f'named("[role=option]", {name!r})')
            window.press("Escape")
        window.wait_for(f"location.href !== {before!r} && ({SETTLED})()")  # while it is made again, the list changes
    return {*kept}


def _check(window: Window, model: LookModel) -> None:
    wanted = model.address()
    window.wait_for(f"({SETTLED})()")  # which it may be before it has begun
    text = ".map(one => one.textContent.trim())"
    _becomes(window, f'deep(".system-title strong"){text}', [*model.models], "systems")
    _becomes(window, f'deep(".source .word", deep(".system")[0]){text}', model.words, "source")
    _becomes(window, _ADDRESS, [wanted["pin"], wanted["change"], wanted["k"]], "address")
    window.wait_for(f"({SETTLED})()")
    must(not window.evaluate('deep("[data-testid=stException]").length'), "an exception")
    must(not window.faults, f"faults of scripts: {window.faults}")
    must(window.evaluate(f"{_FIELD}.value") == model.sentence, "another sentence in the field")
    beam = window.evaluate(f'{_ASKED}.get("beam") ?? "12"')
    must(beam == str(model.beam), f"beam {beam}")
    window.hover(5, 2)
    pinned = window.evaluate(_PINNED)
    if not model.changes:
        expected = [] if model.pinned is None else [[*model.pinned]]
        must(pinned == expected, f"pinned {pinned}")
    former = window.evaluate('deep(".former").length')
    must(former > 0 if "begin" in model.changes else former <= len(model.changes), f"{former} former lines")


def _becomes(window: Window, expression: str, expected: list[Any], what: str) -> None:
    """Wait until a JavaScript expression has this value."""
    try:
        window.wait(what, lambda: bool(window.evaluate(expression) == expected), _SECONDS)
    except WindowError:
        must(False, f"{what} {window.evaluate(expression)}, not {expected}")


TRIAL = Trial(
    name="look-steps",
    tried="random steps on Look in Chromium: typing, pinning, dragging, undoing, adding sentences, changing "
    "checkpoints, settings and pages, going back and forward, loading anew",
    holds="page and address are those of a model of ten lines; no script fails",
    run=partial(_run, chromium_window),
    pieces=44,
    ci=0,
    seconds=3000,
    case_seconds=120,
)
IN_FIREFOX = replace(
    TRIAL,
    name="look-steps-firefox",
    tried="the same in Firefox",
    holds="the same",
    run=partial(_run, firefox_window),
    pieces=7,
)
