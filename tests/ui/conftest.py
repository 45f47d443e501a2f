"""Run folders without a model, and a translator that needs none: the pages are tested without torch."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
import streamlit.components.v2.manifest_scanner as manifests
from safetensors.numpy import save_file
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.element_tree import ElementTree, parse_tree_from_messages

from nmt.answers.searches import Translating
from nmt.answers.shared_queue import InGroups
from nmt.charts.view_files import ViewFiles
from nmt.config import Config, ModelConfig, SearchSettings
from nmt.results import END, UNKNOWN, Alignment, Encoded, Hypothesis, Translation, ValidationEvent, event_to_dict
from nmt.runs.folder import RunInfo, RunSettings, VocabularyInfo, read_run, write_settings
from nmt.ui import components
from nmt.ui.look import form
from nmt.ui.resources import compute_service

KNOWN = ["the", "a", "girl", "cat", "sea", "is", "she", "has", "never", "seen", "sleeps", "on", "mat", "reads"]


def _write_run(
    folder: Path, architecture: str = "rnnsearch", kind: str = "words", source: str = "en", target: str = "fr"
) -> RunInfo:
    """A run folder that can be listed: settings, vocabularies and the header of a weights file."""
    folder.mkdir(parents=True)
    sizes = ModelConfig(architecture=architecture, embedding=4, hidden=5, alignment=6, maxout=3)  # type: ignore[arg-type]
    vocabulary = VocabularyInfo(kind, len(KNOWN) + 2)
    write_settings(
        folder,
        RunSettings(
            config=Config(recipe="debug", model=sizes),
            source_language=source,
            target_language=target,
            source_vocabulary=vocabulary,
            target_vocabulary=vocabulary,
        ),
    )
    for side in ("source", "target"):
        entry = {"format": 1, "kind": kind, "words": KNOWN}
        (folder / f"{side}.vocabulary.json").write_text(json.dumps(entry), "utf-8")
    info = {"format": 1, "update": 1200, "epoch": 2.5, "dev_nll_per_word": 2.25, "dev_bleu": 31.5}
    save_file({"E": np.zeros((3, 4), np.float16)}, folder / "model.safetensors", {"nmt": json.dumps(info)})
    event = ValidationEvent(update=1200, nll_per_word=2.25, nll_per_sentence=20.0, bleu=31.5, best=True, seconds=60.0)
    (folder / "training.jsonl").write_text(json.dumps(event_to_dict(event)) + "\n", "utf-8")
    return read_run(folder)


class FakeTranslator:
    """Translates a sentence into its own words in reverse order, with an alignment to match.

    Attributes:
        calls: how often something was translated.
    """

    def __init__(self, run: RunInfo) -> None:
        self.run = run
        self.calls = 0

    @property
    def has_alignment(self) -> bool:
        return self.run.has_alignment

    def resolved(self, settings: SearchSettings) -> SearchSettings:
        return settings

    def read(self, text: str) -> str:
        return text

    def translate(self, text: str, settings: SearchSettings) -> Translation:
        self.calls += 1
        words = text.split()
        unknown = tuple(word for word in words if word.lower().strip(".,") not in KNOWN)
        found = []
        for rank in range(settings.n_best):
            target = words[::-1] + ["!"] * rank
            if unknown and not settings.no_unk:
                target[0] = UNKNOWN
            hypothesis = self._hypothesis(words, target, -1.5 * len(target) - rank)
            if settings.replace_unk:
                hypothesis = replace(hypothesis, text=hypothesis.text.replace(UNKNOWN, unknown[0] if unknown else ""))
            found.append(hypothesis)
        return Translation(text, tuple(found), unknown, encoded=_encoded([*words, END], unknown))

    def _hypothesis(self, source: list[str], target: list[str], log_probability: float) -> Hypothesis:
        pieces = self.run.target_vocabulary.kind != "words"
        tokens = [*(f"▁{word}" if pieces else word for word in target), END]
        each = log_probability / len(tokens)
        alignment = None
        if self.run.has_alignment:
            steps = np.arange(len(tokens))[:, None]
            there = np.minimum(np.abs(len(source) - 1 - steps), len(source))
            there[-1] = len(source)
            weights = np.exp(-1.2 * np.abs(np.arange(len(source) + 1)[None, :] - there))
            alignment = Alignment(
                source=(*source, END), target=tuple(tokens), weights=weights / weights.sum(axis=1, keepdims=True)
            )
        return Hypothesis(
            text=" ".join(target),
            tokens=tuple(tokens),
            log_probability=log_probability,
            score=log_probability,
            token_log_probabilities=(each,) * len(tokens),
            alignment=alignment,
            encoded=_encoded(tokens),
        )


def _encoded(tokens: list[str], unknown: tuple[str, ...] = ()) -> Encoded:
    return Encoded(
        ids=tuple(range(len(tokens))), tokens=tuple(tokens), words=tuple(range(len(tokens))), unknown=unknown
    )


@pytest.fixture(autouse=True, scope="session")
def one_scan() -> Iterator[None]:
    """AppTest looks through all installed packages for components each time; a server does so once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifests, "scan_component_manifests", cache(manifests.scan_component_manifests))
        yield


def _told_pixels(messages: list[ForwardMsg]) -> ElementTree:
    """The tree of a page, of whose elements ``pixels`` tells the sizes that the program gives them."""
    tree = parse_tree_from_messages(messages)
    for message in messages:
        if message.delta.WhichOneof("type") == "new_element":
            node: Any = tree
            for place in message.metadata.delta_path:
                node = node.children[place]
            element = message.delta.new_element
            sizes = {"width": element.width_config.pixel_width, "height": element.height_config.pixel_height}
            vars(node)["pixels"] = {side: size for side, size in sizes.items() if size}
    return tree


@pytest.fixture(autouse=True, scope="session")
def pixels() -> Iterator[None]:
    """AppTest drops the sizes of elements, which Streamlit sends beside them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "parse_tree_from_messages", _told_pixels)
        yield


@pytest.fixture
def write_run() -> Callable[..., RunInfo]:
    """``write_run(folder, architecture="rnnsearch", kind="words", source="en", target="fr")`` makes a run that can be
    listed."""
    return _write_run


@pytest.fixture
def look_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``look_in(folder, ...)``: from now on the pages look for checkpoints in these folders, and nowhere else."""
    return lambda *places: monkeypatch.setattr("nmt.ui.checkpoints.folders", lambda: places)


@pytest.fixture
def runs(tmp_path: Path, look_in: Callable[..., None]) -> Iterator[Path]:
    """An empty folder where the pages look for checkpoints, and nowhere else."""
    folder = tmp_path / "runs"
    folder.mkdir()
    look_in(folder)
    st.cache_resource.clear()
    yield folder
    st.cache_resource.clear()


@pytest.fixture
def random_checkpoints(
    random_runs: Path, look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The pages find the runs with random weights, and nothing else."""
    look_in(random_runs)
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(random_runs / "no-systems"))
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.fixture
def fresh_server() -> Iterator[None]:
    """A server that has just started, whose work ends with the test."""
    st.cache_resource.clear()
    st.cache_data.clear()
    yield
    for job in compute_service().jobs.all():
        job.cancel()
        assert job.wait(60)
    st.cache_resource.clear()


@pytest.fixture
def translators(monkeypatch: pytest.MonkeyPatch) -> dict[str, FakeTranslator]:
    """The fake translators loaded so far, by name; pages load these instead of real ones."""
    loaded: dict[str, FakeTranslator] = {}

    def read(run: Path) -> FakeTranslator:
        return loaded.setdefault(run.name, FakeTranslator(read_run(run)))

    def begin(work: Translating) -> InGroups[str, Translation]:
        run: Any = work.run
        return InGroups(lambda texts: [run.translate(text, work.settings) for text in texts], lambda text: 0, 0)

    monkeypatch.setattr("nmt.ui.resources.read_translator", read)
    monkeypatch.setattr(Translating, "begin", begin)
    return loaded


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch) -> Callable[[AppTest, str, str, object], None]:
    """Events of the instrument, without a browser. ``send(at, key, event, value)``: the one with this key tells its
    state or asks for something, as the browser does, and the page runs again. See tests/ui/drawn.py."""
    waiting: dict[str, tuple[str, object]] = {}
    handled: list[str] = []
    real = components.registered

    def component(name: str, files: ViewFiles) -> Callable[..., Any]:
        def show(*, key: str, **settings: Any) -> Any:
            if key in waiting:
                event, value = waiting.pop(key)
                told = {"told": (st.session_state.get(key) or {}).get("told")}
                st.session_state[key] = told | {event: value}
                settings[f"on_{event}_change"]()
                st.session_state[key] = told | {event: value} if event == "told" else told
                handled.append(key)
                st.rerun()
            return real(name, files)(key=key, **settings)

        return show

    monkeypatch.setattr(components, "registered", component)
    settle = form.settle_draft  # of all of the page; a browser's event runs the part of it that shows the sentence
    monkeypatch.setattr(form, "settle_draft", lambda: None if waiting or (handled and handled.pop()) else settle())

    def send(at: AppTest, key: str, event: str, value: object) -> None:
        waiting[key] = (event, value)
        at.run()
        assert not at.exception, at.exception
        assert key not in waiting, "there is no such instrument"

    return send
