"""A new training: its texts, its recipe or the run that it adapts, its estimated costs, and its start in the queue.
Texts are a known corpus, files by path, or uploads. They are checked by preparing them."""

import hashlib
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, permutations
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.answers.keys import task_key
from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.config import TrainingConfig
from nmt.data.batching import TrainingOrder
from nmt.data.corpora.get import BUILDERS, get
from nmt.data.corpora.registry import CORPORA
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.tokenised import Corpus
from nmt.data.uploads import SEED, Upload, pairs_of, write_pairs
from nmt.data.vocabulary import FEW_PAIRS, vocabulary_names
from nmt.errors import InputError
from nmt.files import ROOT, cache_folder, changed_at, clear_oldest, is_plain_name, own_folder, read_json, write_json
from nmt.jobs.job import Training, add, check_free, list_jobs, remove, shown
from nmt.jobs.probe import SECONDS, Estimate, probe
from nmt.jobs.runner import ensure_runner
from nmt.recipes import RECIPES, recipe
from nmt.results import Languages
from nmt.runs.folder import RunInfo, runs_folder
from nmt.runs.provenance import preparation
from nmt.texts import APP, TRAIN, current, for_reader, listed, of_data, say
from nmt.ui.address import choose_one, choose_text, set_choice, write_address
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import show_rows
from nmt.ui.compute import Result, answer_to, errors_shown, show_error, show_refused
from nmt.ui.formatting import escaped, is_open
from nmt.ui.inputs import named

EXAMPLE = "grammar-ko"
"""The corpus that a class can learn from in minutes."""
_VOCABULARIES = tuple(name for side in ("source", "target") for name in vocabulary_names(side))
_CACHED = 2_000_000_000
"""Largest size of the cached texts, and of the prepared folders, in bytes."""
_SENTENCES, _WORDS = 4, VocabularySettings()
_SMALL = 200_000
"""Bytes of source sentences, some five thousand, below which a small model is offered first."""
_UNKNOWN = 0.1
"""Share of unknown words above which a warning is shown."""
_PASTED, _BOXES = "pasted", "boxes.json"
"""The parameter of the address that names the folder of the pasted pairs, and the file with the two texts in it."""


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Where the texts of a training are, and how they are to be read.

    Attributes:
        corpus: name of a known corpus, or "" for the files ``train`` and ``dev``, source first.
    """

    corpus: str = ""
    train: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    languages: Languages
    vocabulary: VocabularySettings = _WORDS
    vocabularies_from: Path | None = None
    max_length: int | None = None


@dataclass(frozen=True)
class PrepareTask(Task[Path]):
    """Preparation of texts in the cache. The result is the prepared folder, which may be deleted later."""

    texts: Texts

    @cached_property
    def key(self) -> str:
        texts = self.texts
        vocabularies = () if texts.vocabularies_from is None else map(texts.vocabularies_from.joinpath, _VOCABULARIES)
        return task_key("prepare", repr(texts), *map(changed_at, (*texts.train, *texts.dev, *vocabularies)))

    @property
    def folder(self) -> Path:
        return cache_folder() / "prepared" / hashlib.sha256(self.key.encode()).hexdigest()[:16]

    def stored(self) -> Path | None:
        if not self.folder.is_dir():
            return None
        with suppress(OSError):
            os.utime(self.folder)  # marks the folder as used
        return self.folder

    def run(self, progress: ProgressReporter) -> Path:
        texts, pair = self.texts, self.texts.languages
        _make_room(self.folder.parent)
        train, dev = texts.train, texts.dev
        if texts.corpus:
            roots = own_folder() / "data", cache_folder()
            places = [root / "corpora" / CORPORA[texts.corpus].folder for root in roots]
            home = next((place for place in places if place.is_dir()), places[-1])
            if not home.is_dir():
                with progress.stage("fetch", 0) as show:
                    get(texts.corpus, home.parent, on_progress=lambda _, done, all: show(_bytes(done, all)))
            train, dev = (
                tuple(_file(home, split, code) for code in (pair.source, pair.target)) for split in ("train", "dev")
            )
        settings = PrepareSettings(
            source_language=pair.source,
            target_language=pair.target,
            max_length=texts.max_length,
            source_vocabulary=texts.vocabulary,
            target_vocabulary=texts.vocabulary,
            vocabularies_from=texts.vocabularies_from,
        )
        corpora, validation = ([Corpus(source=files[0], target=files[1])] for files in (train, dev))
        with progress.stage("prepare", 0) as show:
            prepare(corpora, validation, settings, self.folder, workers=1, on_progress=lambda _, *n: show(Progress(*n)))
        return self.folder


def _make_room(place: Path) -> None:
    """Delete the least recently used entries of a folder of the cache. Raises InputError if the disk is still full."""
    place.mkdir(parents=True, exist_ok=True)
    clear_oldest(place, _CACHED)
    check_free(place, 0)


def _bytes(done: int, all: int | None) -> Progress:
    return Progress(done // 1_000_000, (all or 0) // 1_000_000, unit="MB")


def _file(home: Path, split: str, code: str) -> Path:
    return next((path for path in sorted(home.glob(f"{split}.{code}*"))), home / f"{split}.{code}")


def ask_texts(where: str) -> Texts | None:
    """Ask for texts of the kind ``where``, a key of ``train.where``. If any are missing, ask for them and return None.
    Raises InputError for an upload that cannot be used."""
    if where == "example":
        st.caption(TRAIN.example_caption)
        return Texts(corpus=EXAMPLE, languages=Languages("ko", "en"))
    if where == "corpus":
        titles = {n: f"{n}: {c.title}" for n, c in CORPORA.items() if c.builder in BUILDERS}
        name = choose_one(st.selectbox, TRAIN.corpus, titles, key="corpus")
        ways = {f"{a}-{b}": named(Languages(a, b)) for a, b in permutations(CORPORA[name].languages, 2)}
        source, _, target = choose_one(st.segmented_control, TRAIN.direction, ways, key="way").partition("-")
        return Texts(corpus=name, languages=Languages(source, target))
    first = ("en", "fr") if current() == "en" else (current(), "en")
    with st.container(horizontal=True):
        source, target = (
            choose_one(st.selectbox, title, APP.by_key.languages, key=key, default=code)
            for title, key, code in zip((TRAIN.source, TRAIN.target), ("from", "into"), first, strict=True)
        )
    pair = Languages(source, target)
    if where == "path":
        paths = [
            Path(typed.strip()) for title in TRAIN.forms.paths if (typed := st.text_input(title, key=title)).strip()
        ]
        if len(paths) == len(TRAIN.forms.paths):
            return Texts(train=tuple(paths[:2]), dev=tuple(paths[2:]), languages=pair)
        st.info(TRAIN.by_key.give[where], icon=":material/description:")
        return None
    place = cache_folder() / "texts"
    if where == "paste":
        name, before = choose_text(_PASTED, ""), ["", ""]
        with suppress(InputError):
            before = read_json(place / name / _BOXES)["boxes"] if is_plain_name(name) else before
        boxes = zip(st.columns(2), TRAIN.forms.boxes, before, (source, target), strict=True)
        examples, pasted = TRAIN.by_key.pasted, []
        for box, title, saved, code in boxes:
            st.session_state.setdefault(title, saved)
            text = box.text_area(title, key=title, height=130, placeholder=examples.get(code))
            pasted.append((title.partition(":")[0], text))
        st.button(TRAIN.take_pairs, icon=":material/check:")  # leaving a box takes its text
        uploads = [Upload(name, text.rstrip("\r\n ").encode()) for name, text in pasted if text.strip()]
    else:
        files = [st.file_uploader(title, key=title, max_upload_size=64) for title in TRAIN.forms.files]
        uploads = [Upload(file.name, file.getvalue()) for file in files if file is not None]
    if not uploads or (where == "paste" and len(uploads) == 1 and b"\t" not in uploads[0].data):
        st.info(TRAIN.by_key.give[where].format(seed=SEED), icon=":material/description:")
        return None
    pairs = pairs_of(uploads, languages=(pair.source, pair.target))
    _make_room(place)
    written = write_pairs(pairs, place, "pasted" if where == "paste" else "uploaded")
    if where == "paste":
        folder = written["train"][0].parent
        write_json(folder / _BOXES, {"boxes": [text for _, text in pasted]})
        write_address(**{_PASTED: folder.name})
    return Texts(train=written["train"], dev=written["dev"], languages=pair)


def _show_checked(prepared: Prepared) -> None:
    """Show the results of the preparation."""
    rows, manifest = [], prepared.manifest
    for title, record in ((TRAIN.for_training, manifest.train), (TRAIN.for_validation, manifest.dev)):
        read, left = (sum(getattr(corpus, what) for corpus in record.corpora) for what in ("read", "kept"))
        counts = [pair for corpus in record.corpora for pair in corpus.dropped.items()]
        dropped = [for_reader(say(f"errors.dropped.{why}", count=n)) for why, n in counts if n]
        lengths = [side.words / record.pairs for side in (record.source, record.target)]
        unknown = [side.unknown_share for side in (record.source, record.target)]
        shares = [*(f"{n:.1f}" for n in lengths), *(TRAIN.percent.format(percent=100 * u) for u in unknown)]
        values = title, TRAIN.kept.format(kept=left, read=read), ", ".join(dropped).replace("_", " "), *shares
        rows.append(dict(zip(TRAIN.forms.checked, values, strict=True)))
    show_rows(rows, {}, key="checked")
    if manifest.train.pairs < FEW_PAIRS:
        st.warning(TRAIN.few_pairs.format(pairs=manifest.train.pairs, least=FEW_PAIRS), icon=":material/warning:")
    if count := manifest.dev_in_train:
        st.warning(TRAIN.dev_in_train.format(count=count, pairs=manifest.dev.pairs), icon=":material/warning:")
    shares = []
    for k, name in enumerate(TRAIN.forms.sides):
        sides = [(record.source, record.target)[k] for record in (manifest.train, manifest.dev)]
        if (share := max(side.unknown_share for side in sides)) > _UNKNOWN:
            shares.append(TRAIN.unknown_share.format(side=name, percent=100 * share))
    if shares:
        advice = TRAIN.many_unknown_adapted if manifest.vocabularies_from else TRAIN.many_unknown
        st.warning(advice.format(shares=listed(shares)), icon=":material/warning:")


def _show_batch(prepared: Prepared, settings: TrainingConfig) -> None:
    """Offer the beginning of the first minibatch."""
    split, sides = prepared.train, (prepared.source_vocabulary, prepared.target_vocabulary)
    first = next(TrainingOrder(split, settings).batches()).batch
    with st.expander(TRAIN.first_batch.format(count=len(first.examples))):
        for number in first.pairs[:_SENTENCES].tolist():
            for vocabulary, side in zip(sides, (split.source, split.target), strict=True):
                ids = side[number].tolist()
                st.text(f"{' '.join(vocabulary.tokens(ids))}\n{' '.join(map(str, ids))}")


root = runs_folder
WATCHED = "jobs"
"""The parameter of the address that names the jobs that are watched."""
STARTED = "train-started"
"""Key of the session's state: the name of the training that the session started last."""
_ERROR, _CHECKED, _PROBED = "train-error", "train-checked", "train-probed"
_VALIDATIONS = 10
_COSTS = ("{:,.1f}", "{:,}", "{:,.0f}", "{:,.0f} MB", "{:,.0f} MB")
"""Number formats of the values beside the titles ``train.costs``."""
_ADAPTED = ("training.learning_rate=0.0003", "training.warmup=20")
_WITHOUT_ATTENTION, _BOTH = "rnnencdec", "both"


def is_on() -> bool:
    """Whether readers of this server may train on it."""
    return not is_open() or os.environ.get("JOINTLY_TRAIN") == "yes"


@dataclass(frozen=True)
class EstimateTask(Task[Estimate]):
    """An estimate of the costs of a training. The task runs the training for some seconds."""

    training: Training

    @cached_property
    def key(self) -> str:
        return task_key("estimate", repr(self.training))

    def run(self, progress: ProgressReporter) -> Estimate:
        with progress.stage("probe", SECONDS) as show:
            return probe(self.training, lambda s: show(Progress(min(s, SECONDS), SECONDS, unit="seconds")))


@errors_shown("error")
def ask_training(checkpoints: Checkpoints) -> None:
    """Ask for a training, check its texts, and offer to start it."""
    where = {name: title for name, title in TRAIN.by_key.where.items() if name != "path" or not is_open()}
    place = choose_one(st.segmented_control, TRAIN.texts, where, key="texts", wrap=True)
    texts = ask_texts(place)
    if texts is not None:
        _plan(texts, checkpoints, at_once=place in ("example", "upload", "paste"))


def _plan(texts: Texts, checkpoints: Checkpoints, *, at_once: bool) -> None:
    asked = _ask(texts, checkpoints)
    task = PrepareTask(asked.texts)
    answer = answer_to(task, st.empty()) if at_once else _asked(_CHECKED, task)
    if answer is not None:
        _offer(asked, answer)
    elif not at_once:
        check = {_CHECKED: (task.key, None)}
        st.button(TRAIN.check, on_click=st.session_state.update, args=(check,), type="primary")


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Requested trainings. ``trainings``: settings by run name. ``adapted``: the run to adapt, or None. ``row``: place
    of the buttons that estimate and start them, and of the estimate."""

    texts: Texts
    recipe: str
    adapted: RunInfo | None
    trainings: dict[str, list[str]]
    row: DeltaGenerator


def _ask(texts: Texts, checkpoints: Checkpoints) -> _Asked:
    ways = _beginnings(checkpoints, texts)
    with st.container(horizontal=True, key="train-row"):
        begin = choose_one(st.selectbox, TRAIN.begin, ways, key=f"begin-{texts.corpus or 'own'}", width=240)
        adapted = checkpoints.usable.get(begin.removeprefix("run:")) if begin.startswith("run:") else None
        chosen = adapted.config.recipe if adapted is not None else begin
        updates = recipe(chosen).training.max_updates or 1000
        most = st.number_input(
            TRAIN.updates, 1, 10_000_000, 300 if adapted is not None else updates, key=f"updates-{begin}", width=140
        )
        kind = ""
        if begin == next(iter(ways)):
            kind = choose_one(st.segmented_control, TRAIN.model, TRAIN.by_key.architectures, key="architecture")
        free = _free_name(chosen, texts, kind)
        name = st.text_input(TRAIN.name, free, key=f"name-{free}", width=240)
    row = st.container(horizontal=True)
    with st.expander(TRAIN.more, icon=":material/tune:"):
        texts = _ask_vocabulary(texts, adapted, recipe(chosen).training.max_length)
        typed = st.text_area(TRAIN.settings, placeholder=TRAIN.settings_placeholder, key="settings", max_chars=1000)
    adapts = "" if adapted is None else TRAIN.its_vocabularies.format(name=adapted.name)
    about = adapts or of_data(f"recipes.{chosen}", RECIPES[chosen].about.strip())
    st.caption(escaped(TRAIN.by_key.about_architectures.get(kind, "{about}").format(about=about, recipe=chosen)))
    others = [line.strip() for line in typed.split("\n") if line.strip()]
    trainings = {name.strip(): [*_assignments(int(most), chosen, adapted), *others]}
    if kind in (_WITHOUT_ATTENTION, _BOTH):
        last = without_attention(name.strip()) if kind == _BOTH else name.strip()
        trainings[last] = [f"model.architecture={_WITHOUT_ATTENTION}", *next(iter(trainings.values()))]
    for assignments in trainings.values():  # raises InputError for a wrong setting before anything is prepared
        recipe(chosen).override(assignments)
    return _Asked(texts=texts, recipe=chosen, adapted=adapted, trainings=trainings, row=row)


def _offer(asked: _Asked, data: Path) -> None:
    """Show the prepared texts and the estimated costs, and offer to start the trainings."""
    prepared = open_prepared(data)
    _show_checked(prepared)
    initial = None if asked.adapted is None else asked.adapted.path
    few = ["training.weights=last"] if prepared.manifest.train.pairs < FEW_PAIRS else []
    trainings = {
        name: Training(recipe=asked.recipe, data=data, assignments=(*few, *assignments), initial=initial)
        for name, assignments in asked.trainings.items()
    }
    first = next(iter(trainings.values()))
    show_refused(_ERROR)
    estimate = _show_estimate(first, asked.row)
    if len(trainings) > 1 and estimate is not None:
        st.caption(TRAIN.estimate_of_first)
    st.markdown(TRAIN.command)
    st.code("\n".join(_commands(prepared, asked.texts, trainings)), language=None, wrap_lines=True)
    _show_batch(prepared, recipe(asked.recipe).override([*first.assignments]).training)
    start = trainings, 0.0 if estimate is None else estimate.disk
    asked.row.button(TRAIN.start, on_click=_start, args=start, type="primary", icon=":material/play_arrow:")


def _commands(prepared: Prepared, texts: Texts, trainings: Mapping[str, Training]) -> Iterator[str]:
    """The commands that prepare the texts and run the trainings, as a user types them."""
    manifest = replace(prepared.manifest, vocabularies_from=_typed(texts.vocabularies_from or ""))
    for name, training in trainings.items():
        folder = _typed(root() / name)
        later = replace(training, data=Path(folder, "data"))
        yield preparation(manifest, _typed).removesuffix("PREPARED") + shlex.quote(str(later.data))
        yield shown(later.words(folder))


def _asked(kind: str, task: Task[Result]) -> Result | None:
    """The answer to a task if the reader has pressed its button, else None. An error stays until the next press."""
    key, failed = st.session_state.get(kind, ("", None))
    place = st.empty()

    def refuse(error: InputError, place: DeltaGenerator) -> None:
        st.session_state[kind] = task.key, error
        show_error(error, place)

    if key == task.key and failed is not None:
        show_error(failed, place)
    return answer_to(task, place, refuse) if key == task.key and failed is None else None


def _typed(path: Path | str) -> str:
    """A path as it is typed in the program's folder, or its last two parts if others can reach this server."""
    place = Path(path)
    inside = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
    return str(Path(*place.parts[-2:]) if is_open() else inside)


def _beginnings(checkpoints: Checkpoints, texts: Texts) -> dict[str, str]:
    """The possible beginnings of a training: the recipe for these texts, runs to adapt, then the other recipes."""
    few = bool(texts.train) and texts.train[0].is_file() and texts.train[0].stat().st_size < _SMALL
    first = "grammar_ko" if texts.corpus == EXAMPLE else "rnnsearch_96" if few else "rnnsearch_256"
    runs = {f"run:{name}": TRAIN.adapt.format(name=name) for name in checkpoints.of_pair(texts.languages)}
    return {first: first, **runs, **{name: name for name in RECIPES if name != first}}


def _free_name(chosen: str, texts: Texts, kind: str) -> str:
    """A name that no run has. If both models are trained, no run has the name of the second one either."""
    source, target = texts.languages.source, texts.languages.target
    stem = f"{chosen.removesuffix(f'_{source}').replace('_', '-')}-{source}-{target}"
    stem = without_attention(stem) if kind == _WITHOUT_ATTENTION else stem
    names = chain([stem], (f"{stem}-{number}" for number in count(2)))
    also = without_attention if kind == _BOTH else str
    return next(name for name in names if not any((root() / run).exists() for run in (name, also(name))))


def without_attention(name: str) -> str:
    """The name of the RNNencdec that is trained like the run ``name``.

    >>> without_attention("rnnsearch-256-en-fr"), without_attention("mine")
    ('rnnencdec-256-en-fr', 'rnnencdec-mine')
    """
    return f"{_WITHOUT_ATTENTION}-{name.removeprefix('rnnsearch-')}"


def _ask_vocabulary(texts: Texts, adapted: RunInfo | None, longest: int | None) -> Texts:
    if adapted is not None:
        return replace(texts, vocabularies_from=adapted.path, max_length=longest)
    kind = choose_one(st.segmented_control, TRAIN.vocabulary, TRAIN.by_key.kinds, key="vocabulary")
    first = 30_000 if kind == "words" else 8_000
    size = st.number_input(TRAIN.size, 3, 1_000_000, first, key=f"size-{kind}", width=160)
    vocabulary = VocabularySettings("words" if kind == "words" else "bpe", int(size))
    return replace(texts, vocabulary=vocabulary, max_length=longest)


def _assignments(updates: int, chosen: str, adapted: RunInfo | None) -> Sequence[str]:
    """The settings that differ from the recipe's: number of updates, ten validations, weights kept for the film."""
    every = max(1, updates // _VALIDATIONS)
    keep = "training.keep=" + ",".join(map(str, sorted({*range(0, updates + 1, every), updates})))
    tuned = () if adapted is None else _ADAPTED
    limits = f"training.max_updates={updates}", f"training.validate_every={every}", f"training.save_every={every}"
    log = max(1, min(recipe(chosen).training.log_every, every // 2))
    return *limits, f"training.log_every={log}", "training.validate_bleu=true", keep, *tuned


def _show_estimate(training: Training, row: DeltaGenerator) -> Estimate | None:
    """Show a button in ``row`` that estimates the training. Then show the estimate. None without an estimate."""
    task = EstimateTask(training)
    ask, asked = TRAIN.estimate.format(seconds=SECONDS), {_PROBED: (task.key, None)}
    row.button(ask, on_click=st.session_state.update, args=(asked,), icon=":material/timer:")
    with row:
        estimate = _asked(_PROBED, task)
    if estimate is None:
        return None
    values = estimate.minutes, estimate.updates, estimate.words, estimate.disk / 1e6, estimate.memory / 1e6
    with row:
        for label, form, value in zip(TRAIN.forms.costs, _COSTS, values, strict=True):
            st.metric(label, form.format(value), width="content")
    if any(job.state in ("running", "stopping") for job in list_jobs(root())):
        st.caption(TRAIN.another_runs)
    return estimate


def _start(trainings: Mapping[str, Training], needs: float) -> None:
    """Put all trainings into the queue, or none if one is refused, and watch them, as the callback of the button."""
    added: list[str] = []
    try:
        for name, training in trainings.items():
            added.append(add(root(), name, training, by=TRAIN.the_page, own_data=True, needs=needs).name)
        ensure_runner(root())
    except (InputError, OSError) as error:
        st.session_state[_ERROR] = str(error)
        if len(added) < len(trainings):
            with suppress(InputError, OSError):
                for name in added:
                    remove(root(), name)
        return
    st.session_state.pop(_PROBED, None)
    st.session_state[STARTED] = added[0]
    write_address(**{WATCHED: added})
    set_choice(WATCHED, *added)
