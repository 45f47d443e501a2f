"""Evaluations of each system on each test set: from its folder, measured here before, or uploaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation
from nmt.ui.length.curve.systems import System
from nmt.ui.length.curve.tasks import CountTask, EvaluateTask
from nmt.ui.resources import compute_service

_SESSION = "lengths-brought-along"


@dataclass
class SessionUploads:
    """Test sets and outputs that the reader of this session uploaded.

    Attributes:
        sets: test sets by name.
        outputs: outputs of other systems.
        counted: the evaluation of each output, by system and test set.
    """

    sets: dict[str, TestSet]
    outputs: list[CountTask]
    counted: dict[tuple[str, str | None], tuple[CountTask, Evaluation]] = field(default_factory=dict)

    def evaluations(self) -> dict[str, dict[str, Evaluation]]:
        """Return the evaluations of the outputs that are counted, by system and test set."""
        by_system: dict[str, dict[str, Evaluation]] = {}
        for output in self.outputs:
            evaluations, evaluation = by_system.setdefault(output.system, {}), self._counted(output)
            if evaluation is not None and output.test.name is not None:
                evaluations[output.test.name] = evaluation
        return by_system

    def uncounted(self) -> list[CountTask]:
        """Outputs whose count is not under way: it was cancelled, or it failed."""
        uncounted_outputs = [output for output in self.outputs if self._counted(output) is None]
        return [
            output for output in uncounted_outputs if (job := compute_service().job(output)) is None or job.state.over
        ]

    def _counted(self, output: CountTask) -> Evaluation | None:
        """The evaluation of an output, if it is computed; kept in the session, since the server forgets old answers."""
        place = output.system, output.test.name
        if place in self.counted and self.counted[place][0] is output:
            return self.counted[place][1]
        answer = compute_service().find(output)
        if answer is None:
            return None
        self.counted[place] = output, answer.result
        return answer.result

    def written(self, system: str, test_set: str) -> tuple[str, ...] | None:
        """The uploaded translations of a test set by a system; None if there are none."""
        for output in reversed(self.outputs):
            if (output.system, output.test.name) == (system, test_set):
                return output.hypotheses
        return None


def session_uploads() -> SessionUploads:
    """Return the uploads of the session, which are kept while the reader visits other pages."""
    uploads: SessionUploads = st.session_state.setdefault(_SESSION, SessionUploads({}, []))
    return uploads


def run_evaluation(system: System, test: TestSet, no_unk: bool) -> EvaluateTask:
    """Return the task that evaluates a checkpoint on a test set."""
    assert system.run is not None
    return EvaluateTask(checkpoint=system.run, test=test, settings=system.settings, no_unk=no_unk)


def with_measured(system: System, tests: Mapping[str, TestSet | None], no_unk: bool) -> System:
    """Add to a system the evaluations that this server has measured and that its folder lacks in this column."""
    if system.run is None:
        return system
    measured = {}
    for name, test in tests.items():
        if test is None:
            continue
        stored = system.evaluated.evaluation_on(test)
        if stored is None or stored.statistics(no_unk=no_unk) is None:
            stored = _measured_by_server(system, test, no_unk) or stored
        if stored is not None:
            measured[name] = stored
    return system.beside(measured)


def mismatched_systems(systems: Mapping[str, System], names: Sequence[str]) -> dict[str, str]:
    """Find the systems that were measured on other sentences of a test set than the first system; by name, that set."""
    mismatched: dict[str, str] = {}
    for name in names:
        sums = ""
        for system in systems.values():
            evaluation = system.evaluated.evaluations.get(name)
            if evaluation is None:
                continue
            checksums = evaluation.source_sha256 + evaluation.reference_sha256
            sums = sums or checksums
            if checksums != sums:
                mismatched[system.name] = name
    return mismatched


def _measured_by_server(system: System, test: TestSet, no_unk: bool) -> Evaluation | None:
    for both in (True,) if no_unk else (False, True):
        answer = compute_service().find(run_evaluation(system, test, both))
        if answer is not None:
            return answer.result
    return None
