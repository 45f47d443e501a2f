"""Computation of one sentence at all saved steps of a training run at once, so that moving between them is instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nmt.answers.request import LOADING, Progress, ProgressReporter, Task, task_key
from nmt.ui.learn import strings
from nmt.ui.learn.training.form import LearningView
from nmt.ui.resources import load_snapshot

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning


@dataclass(frozen=True)
class LearningTask(Task["Learning"]):
    """Task that runs ``watch_learning`` on the view's sentence over the view's updates."""

    view: LearningView

    @property
    def key(self) -> str:
        view = self.view
        weights = [str(view.run.path.resolve()), view.updates, view.stamp]
        return task_key("learning", weights, view.sentence, view.target, view.beam)

    def run(self, progress: ProgressReporter) -> Learning:
        view = self.view
        with progress.stage(LOADING, len(view.updates)) as show:
            models = []
            for done, update in enumerate(view.updates):
                show(Progress(done, len(view.updates), unit=strings.STEPS_UNIT))
                models.append(load_snapshot(view.run.path, update, view.stamp))

        from nmt.inspection.learning import SavedStep, watch_learning

        steps = [SavedStep(update, model) for update, model in zip(view.updates, models, strict=True)]
        with progress.stage(strings.TRANSLATE_STAGE, len(steps)) as show:
            return watch_learning(
                steps,
                view.sentence,
                view.target,
                view.beam,
                lambda done, limit: show(Progress(done, limit, unit=strings.STEPS_UNIT)),
            )
