"""What the page Learning asks for: all steps at once, so that moving between them computes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from nmt.ui.requests import OnStep, Request

if TYPE_CHECKING:
    from nmt.inference.translator import Translator
    from nmt.inspection.learning import Learning

_LOADED = 32


@dataclass(frozen=True)
class LearningRequest(Request["Learning"]):
    """A sentence over the steps of a run.

    Attributes:
        updates: the steps, in order.
        sentence, target, beam: as in ``watch_learning``.
    """

    updates: tuple[int, ...]
    sentence: str
    target: str
    beam: int

    def compute(self, model: Translator, on_step: OnStep) -> Learning:
        from nmt.inspection.learning import SavedStep, watch_learning

        steps = [SavedStep(update, load_step(self.run, update, self.stamp)) for update in self.updates]
        return watch_learning(steps, self.sentence, self.target, self.beam, on_step)


@st.cache_resource(max_entries=_LOADED, show_spinner=False)
def load_step(run: Path, update: int, stamp: int) -> Translator:
    """Load the weights of a step, once for all sessions, anew when they change."""
    return read_step(run, update)


def read_step(run: Path, update: int) -> Translator:
    from nmt.inference.loading import load

    return load(run, weights=update)
