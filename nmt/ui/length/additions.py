"""Test sets, outputs and scores that a reader added to Length. The address names them, and the server keeps them."""

import math
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import streamlit as st

from nmt.answers.translations import from_json, to_json
from nmt.evaluation.score_files import AddedScores
from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation
from nmt.results.statistics import ImportedScores
from nmt.texts import LENGTH
from nmt.ui.address import Choice, notify, write_address
from nmt.ui.compute import start
from nmt.ui.length.choose import SETS, SYSTEMS
from nmt.ui.length.tasks import CountTask
from nmt.ui.resources import compute_service, find_upload, give_up_upload, keep_upload

_SESSION, ADDED = "length-uploads", "added"


@dataclass(frozen=True, kw_only=True)
class Addition:
    """An addition by the reader: a test set, a system's output on a test set, or scores of such an output.

    Attributes:
        system: name of the system, or "" for a test set.
        hypotheses: output of the system. Empty unless the addition is an output.
        metric: name of the metric of the scores. "" unless the addition is scores.
        scores: score of each sentence, None for a missing score. Empty unless the addition is scores.
        sha256: checksum of the file of the scores.
    """

    test: TestSet
    system: str = ""
    hypotheses: tuple[str, ...] = ()
    metric: str = ""
    scores: tuple[float | None, ...] = ()
    lower_is_better: bool = False
    sha256: str = ""

    @property
    def name(self) -> tuple[str, str, str]:
        """The names of system, test set and metric. An addition replaces an earlier one with the same names."""
        return self.system, str(self.test.name), self.metric

    @cached_property
    def imported(self) -> ImportedScores:
        """The scores of all sentences, NaN for a missing score."""
        values = np.array([math.nan if score is None else score for score in self.scores])
        return ImportedScores(
            metric=self.metric, values=values, lower_is_better=self.lower_is_better, sha256=self.sha256
        )

    @cached_property
    def task(self) -> CountTask:
        """The task that measures the output."""
        return CountTask(self.system, self.test, self.hypotheses)


@dataclass
class SessionUploads:
    """The additions that the address of this session names: test sets, outputs and scores.

    Attributes:
        additions: the additions by their keys in the store, in the order of the address.
        counted: evaluations of outputs, by the keys of their tasks. They stay when the server forgets old answers.
    """

    additions: dict[str, Addition] = field(default_factory=dict)
    counted: dict[str, Evaluation] = field(default_factory=dict)

    @property
    def sets(self) -> dict[str, TestSet]:
        """The added test sets, by name."""
        return {entry.name[1]: entry.test for entry in self.additions.values() if not entry.system}

    @property
    def outputs(self) -> list[CountTask]:
        """The tasks that measure the added outputs."""
        return [entry.task for entry in self.additions.values() if entry.hypotheses]

    def scores(self, test_set: str) -> dict[str, dict[str, Addition]]:
        """The added scores for a test set, by metric and system."""
        by_metric: dict[str, dict[str, Addition]] = {}
        for entry in self.additions.values():
            if entry.metric and entry.test.name == test_set:
                by_metric.setdefault(entry.metric, {})[entry.system] = entry
        return by_metric

    def all_scores(self) -> list[AddedScores]:
        """The added scores for all test sets."""
        scored = [entry for entry in self.additions.values() if entry.metric]
        return [AddedScores(test=entry.test, system=entry.system, scores=entry.imported) for entry in scored]

    def add(self, *additions: Addition) -> None:
        """Keep additions, as the callback of a button. Each replaces an earlier one with the same names. An output also
        removes the scores of an earlier output. ``follow_link`` writes the additions into the address. Raises
        InputError if the store has no room for an addition."""
        new = {keep_upload(to_json(entry)): entry for entry in additions}
        names = {entry.name for entry in additions}
        other = {entry.name[:2] for key, entry in new.items() if entry.hypotheses and key not in self.additions}
        before = {
            key: entry
            for key, entry in self.additions.items()
            if entry.name not in names and not (entry.metric and entry.name[:2] in other)
        }
        self._choose(before | new)
        start([entry.task for entry in additions if entry.hypotheses])

    def remove(self, key: str) -> None:
        """Remove an addition. Outputs and scores of a removed test set, and scores of a removed output, go with it."""
        gone = self.additions[key]
        left = {
            other: entry
            for other, entry in self.additions.items()
            if other != key
            and (entry.test.name != gone.test.name or gone.metric or gone.system not in ("", entry.system))
        }
        for other in self.additions.keys() - left.keys():
            give_up_upload(other)
        names = {name for entry in left.values() for name in entry.name}
        for parameter, name in zip((SYSTEMS, SETS), gone.name[:2], strict=True):
            shown = st.query_params.get_all(parameter)
            if name not in names and name in shown and not gone.metric and not (parameter == SETS and gone.system):
                write_address(**{parameter: [other for other in shown if other != name]})
        self._choose(left)

    def follow_link(self, taken: Collection[str]) -> None:
        """Take the additions that the address names, and start to measure new outputs. Write the additions into the
        address. Notify the reader if the address names one that is not available.

        Args:
            taken: names of checkpoints and stored systems, which no upload may have.
        """
        choice = Choice.of(ADDED, [])
        asked = {key: self.additions.get(key) for key in (*st.query_params.get_all(ADDED), *choice.chosen)}
        additions = {key: entry or _read(key) for key, entry in asked.items()}
        refused = {e.name[:2] for e in additions.values() if e is not None and e.hypotheses and e.system in taken}
        usable = {
            key: e for key, e in additions.items() if e is not None and (not e.system or e.name[:2] not in refused)
        }
        if choice.read(usable):
            notify(LENGTH.addition_gone)
        by_name = {usable[key].name: key for key in choice.chosen}  # the last one of a name counts
        came = [entry for key in by_name.values() if (entry := usable[key]).hypotheses and key not in self.additions]
        self.additions = {key: usable[key] for key in by_name.values()}
        start([entry.task for entry in came if self._counted(entry.task) is None])
        choice.write([*self.additions])

    def _choose(self, additions: dict[str, Addition]) -> None:
        self.additions = additions
        Choice.of(ADDED, []).choose([*additions])

    def evaluations(self) -> dict[str, dict[str, Evaluation]]:
        """Return the evaluations of the outputs by system and test set. An output not yet measured has none."""
        by_system: dict[str, dict[str, Evaluation]] = {}
        for output in self.outputs:
            evaluations, evaluation = by_system.setdefault(output.system, {}), self._counted(output)
            if evaluation is not None and output.test.name is not None:
                evaluations[output.test.name] = evaluation
        return by_system

    def uncounted(self) -> list[CountTask]:
        """The tasks of outputs without an evaluation, because measuring is under way, was cancelled, or failed."""
        return [output for output in self.outputs if self._counted(output) is None]

    def _counted(self, output: CountTask) -> Evaluation | None:
        """The evaluation of an output. None if it is not computed yet."""
        if output.key not in self.counted and (answer := compute_service().find(output)) is not None:
            self.counted[output.key] = answer
        return self.counted.get(output.key)

    def written(self, system: str, test_set: str) -> tuple[str, ...] | None:
        """The uploaded translations of a test set by a system. None if the reader uploaded none."""
        named = (entry.hypotheses for entry in self.additions.values() if entry.name == (system, test_set, ""))
        return next(named, None)


def documents_of(scores: Iterable[Addition]) -> Sequence[str]:
    """The document of each sentence, from the first of these scores that name documents. Empty if none does."""
    return next((entry.test.documents for entry in scores if entry.test.documents), ())


def _read(key: str) -> Addition | None:
    """An addition that this server keeps. None if it keeps no addition under this key."""
    data = find_upload(key)
    with suppress(ValueError, TypeError, KeyError):
        return None if data is None else from_json(Addition, data)
    return None


def session_uploads() -> SessionUploads:
    """Return the uploads of the session, which are kept while the reader visits other pages."""
    uploads: SessionUploads = st.session_state.setdefault(_SESSION, SessionUploads())
    return uploads
