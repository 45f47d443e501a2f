"""Several readers of the app at once in one server, over the websocket, for minutes."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from websockets.exceptions import WebSocketException

import nmt
from tests.oracles.random_run import ENGLISH, random_run
from trials.app import ROOT, Server, served
from trials.app_session import AppError, AppSession, PageAnswer
from trials.trial import Cases, Trial, must

SECONDS, READERS = 600.0, 50
"""Default duration in seconds, and default number of readers."""
_CHECKPOINT = "scrubber-128"
_BEAM = 5
_SENTENCES = ROOT / "benchmarks" / "sentences.txt"
_SETTLED = 60.0
"""Seconds after which the memory has its level."""
_GROWTH_MB, _GROWTH = 60.0, 0.05
"""Growth after that which does not count: in 10^6 bytes, and as a share of the level."""
_GONE, _LONG_WORDS, _WIDEST, _HIDDEN = 40, 150, 20, 512
"""Readers who leave while their long sentences are translated, more than the 32 slots; words of each; the beam; units
of a model that never ends a sentence by itself."""
_FREE_SECONDS = 5.0
"""Time after which their slots are free."""
_LEAVING, _SHORT = "endless", "The doors close at nine."
_FIRST, _SAMPLE = "The doors open at nine.", 0.2
"""Sentence with which the models are loaded, and seconds between two looks at the server's memory."""


def new_sentences(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, then the lines with a number before them: no sentence comes twice, so none is remembered.

    >>> from itertools import islice
    >>> list(islice(new_sentences(["a b .", "c ."]), 5))
    ['a b .', 'c .', '1: a b .', '1: c .', '2: a b .']
    """
    for round_number in count():
        for line in lines:
            yield f"{round_number}: {line}" if round_number else line


@dataclass(frozen=True)
class Asked:
    """Answers and errors of readers on a server that keeps running.

    Attributes:
        answers: by sentence.
        errors: messages of the app, or of the connection, in place of an answer.
        memory: (seconds since the beginning, 10^6 bytes) of the server, from just before the first sentence on.
    """

    answers: dict[str, PageAnswer]
    errors: list[str]
    memory: list[tuple[float, float]]


def ask(
    server: Server, checkpoint: str, lines: Sequence[str], *, users: int, seconds: float, beam: int = _BEAM
) -> Asked:
    """Open the sessions of all readers, load the model, let the readers ask for some seconds, and close them. A reader
    whose connection breaks ends."""
    sentences, lock = new_sentences(lines), threading.Lock()
    asked = Asked({}, [], [])

    def read(session: AppSession) -> None:
        while time.monotonic() < began + seconds:
            with lock:
                sentence = next(sentences)
            try:
                asked.answers[sentence] = session.translate(sentence)
            except AppError as error:
                asked.errors.append(str(error))
            except (OSError, WebSocketException) as error:
                asked.errors.append(f"{type(error).__name__}: {error}")
                return

    with ExitStack() as stack:
        sessions = [stack.enter_context(AppSession(server.address, [checkpoint], beam)) for _ in range(users)]
        sessions[0].translate(_FIRST)  # loads the model, which a reader meets with only once
        began = time.monotonic()
        readers = [threading.Thread(target=read, args=(session,)) for session in sessions]
        asked.memory.append((0.0, server.megabytes()))
        for reader in readers:
            reader.start()
        while any(reader.is_alive() for reader in readers):
            asked.memory.append((time.monotonic() - began, server.megabytes()))
            time.sleep(_SAMPLE)
    return asked


def differences(answers: Mapping[str, PageAnswer], run: Path, beam: int = _BEAM) -> dict[str, str]:
    """The translations by the Python API, one sentence at a time, of the sentences that the page translates
    otherwise."""
    model = nmt.load(run)
    settings = model.search_settings.changed(beam=beam, n_best=1)
    expected = {sentence: model.translate(sentence, settings=settings).text for sentence in answers}
    return {sentence: text for sentence, text in expected.items() if [*answers[sentence].texts.values()] != [text]}


def memory_levels(memory: Sequence[tuple[float, float]], settled: float) -> tuple[float, float]:
    """Return the largest memory in the first quarter of what follows the first ``settled`` seconds, and that in the
    last quarter.

    >>> memory_levels([(0, 9.0), (1, 5.0), (2, 6.0), (3, 5.5), (4, 5.0), (5, 7.0)], 1)
    (6.0, 7.0)
    """
    last = memory[-1][0]
    begin = min(settled, last / 2)
    quarter = (last - begin) / 4
    first = [megabytes for at, megabytes in memory if begin <= at <= begin + quarter]
    end = [megabytes for at, megabytes in memory if at >= last - quarter]
    return max(first), max(end)


def _run(seconds: float, readers: int, random: Random, cases: Cases, folder: Path) -> None:
    lines = [line for line in _SENTENCES.read_text(encoding="utf-8").splitlines() if line.strip()]
    random.shuffle(lines)
    random_run(folder / "runs" / _LEAVING, hidden=_HIDDEN, endless=True)
    with served(folder) as server:
        asked = ask(server, _CHECKPOINT, lines, users=readers, seconds=seconds)
        _answers(asked, cases)
        first, last = memory_levels(asked.memory, _SETTLED)
        with cases.case(f"memory, with {readers} readers for {seconds:g} s"):
            bound = max(_GROWTH_MB, _GROWTH * first)
            must(last <= first + bound, f"{first:,.0f} MB after the first minute, {last:,.0f} MB at the end")
        free = None
        with cases.case(f"{_GONE} readers who leave"):
            free = _seconds_until_free(server)
            must(free <= _FREE_SECONDS, f"the slots of those who left were free after {free:.1f} s")
    times = sorted(answer.seconds for answer in asked.answers.values())
    cases.figures = (
        f"{readers} readers for {seconds:g} s: {len(times):,} answers, the median after {times[len(times) // 2]:.1f} s "
        f"and the last after {times[-1]:.1f} s; memory {first:,.0f} MB after the first minute, {last:,.0f} MB at the "
        f"end; the slots of {_GONE} closed sessions free after "
        f"{'more than the time there was' if free is None else f'{free:.1f} s'}"
    )


def _answers(asked: Asked, cases: Cases) -> None:
    """Count every answer as a case, and every error as one that was lost."""
    different = differences(asked.answers, ROOT / "checkpoints" / _CHECKPOINT)
    for sentence in asked.answers:
        with cases.case(sentence):
            must(sentence not in different, f"{asked.answers[sentence].texts}, alone {different.get(sentence)!r}")
    for error in asked.errors:
        with cases.case("an error in place of an answer"):
            must(False, error)
    with cases.case("any answer"):
        must(bool(asked.answers), "nobody was answered")


def _seconds_until_free(server: Server) -> float:
    """Let readers who occupy all slots leave; return by how many seconds longer than alone another reader then
    waits."""
    with ExitStack() as staying, ExitStack() as stack:
        reader, other = (staying.enter_context(AppSession(server.address, [_CHECKPOINT], _BEAM)) for _ in range(2))
        alone = reader.translate(_SHORT).seconds
        leaving = [stack.enter_context(AppSession(server.address, [_LEAVING], _WIDEST)) for _ in range(_GONE)]
        for number, session in enumerate(leaving):
            session.begin(_long_sentence(number))
        _must_be_busy(other)
        must(not any(session.is_over() for session in leaving), "a long sentence was translated too early to tell")
        stack.close()
        return reader.translate(f"{_SHORT} Again.").seconds - alone


def _must_be_busy(other: AppSession) -> None:
    """Check that all slots are taken: one more reader is not answered within the time in which they have to be free."""
    try:
        seconds = other.translate(f"{_SHORT} Or do they?", _FREE_SECONDS).seconds
    except AppError:
        other.close()
        return
    must(False, f"one more was answered after {seconds:.1f} s: the slots were not taken")


def _long_sentence(number: int) -> str:
    return " ".join(ENGLISH[(number + 7 * place) % len(ENGLISH)] for place in range(_LONG_WORDS + number))


def load_trial(seconds: float = SECONDS, readers: int = READERS) -> Trial:
    """The trial with so many readers, who ask for so long."""
    return Trial(
        name="load",
        tried=f"{READERS} readers of the app in one server over the websocket for {SECONDS / 60:g} minutes, each "
        f"with a new sentence as soon as the last is answered; then {_GONE} who leave while long ones are translated",
        holds=f"no error; every translation that of the sentence alone; memory grows by at most {_GROWTH_MB:g} MB or "
        f"{100 * _GROWTH:g} % after the first minute; slots free within {_FREE_SECONDS:g} s",
        run=partial(_run, seconds, readers),
        pieces=1,
        ci=0,
        seconds=3 * seconds + 1800,
        case_seconds=2 * seconds + 900,
    )


TRIAL = load_trial()
