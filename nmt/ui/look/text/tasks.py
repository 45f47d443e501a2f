"""Tasks of translating a text with each checkpoint: which are started, cancelled, or already finished."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.answers.jobs import Job
from nmt.results import FinishedTranslation
from nmt.runs.folder import RunInfo
from nmt.ui.compute import subscribe
from nmt.ui.look.text.form import TextView, forget_button
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TextTask, chosen_settings


@dataclass(frozen=True, eq=False, kw_only=True)
class TextState:
    """Translations of the text that a checkpoint has made so far.

    Attributes:
        name: name of the checkpoint.
        task: the translation of all sentences.
        job: its job; None if it was not started.
        translations: by source; not looked up while the job is under way.
        complete: whether they are all there.
    """

    name: str
    task: TextTask
    job: Job[list[FinishedTranslation]] | None
    translations: dict[str, FinishedTranslation]
    complete: bool

    @property
    def run(self) -> RunInfo:
        return self.task.checkpoint


def text_states(view: TextView) -> list[TextState]:
    """Look up, start and cancel the tasks of the view, in the order of the checkpoints.

    A typed text is started at once, a file when the button is pressed. Earlier tasks of this reader are cancelled
    unless another session watches them; their finished sentences stay on disk.
    """
    tasks = {
        name: TextTask(run, view.sentences, chosen_settings(run, view.beam, view.unknown))
        for name, run in view.runs.items()
    }
    subscribe("texts", tasks.values())
    states = [_state(view, name, task) for name, task in tasks.items()]
    forget_button()
    return states


def _state(view: TextView, name: str, task: TextTask) -> TextState:
    job = compute_service().job(task)  # first: what ends now is found by the next line
    answer = compute_service().find(task)
    translated: dict[str, FinishedTranslation] = {}
    if answer is not None:
        translated = {translation.source: translation for translation in answer.result}
    elif view.wanted or (job is None and not view.from_file):
        job = compute_service().start(task)
    elif job is None or job.state.over:
        translated = task.partial()
    return TextState(name=name, task=task, job=job, translations=translated, complete=answer is not None)
