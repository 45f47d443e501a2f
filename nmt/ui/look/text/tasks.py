"""A text as questions to checkpoints: what is started in the background, what is ended, what is there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nmt.results import FinishedTranslation
from nmt.runs.folder import RunInfo
from nmt.tasks.jobs import Job
from nmt.ui.background import TextTranslation, finished
from nmt.ui.job_subscriptions import subscribe
from nmt.ui.look.text.form import TextView, forget_button
from nmt.ui.requests import Unknown, chosen_settings

TextJob = Job[list[FinishedTranslation]]


@dataclass(frozen=True, eq=False)
class TextTask:
    """A checkpoint that is to translate the text.

    Attributes:
        name: of the checkpoint.
        question: what it is asked.
        job: None if it was not started.
    """

    name: str
    question: TextTranslation
    job: TextJob | None

    @property
    def run(self) -> RunInfo:
        return self.question.run

    @property
    def over(self) -> bool:
        """Whether nothing is going on."""
        return self.job is None or self.job.state.over

    @property
    def complete(self) -> bool:
        return self.job is not None and self.job.result is not None

    def translations(self) -> dict[str, FinishedTranslation]:
        """Those that there are, by source."""
        if self.job is not None and self.job.result is not None:
            return {translation.source: translation for translation in self.job.result}
        return finished(self.run, self.question.settings, self.question.sentences)


def text_tasks(view: TextView) -> list[TextTask]:
    """The questions with their jobs, in the order of the checkpoints. A text that was typed is begun at once, a file
    when the button is pressed. What this reader asked for before is ended if nobody wants it any more; what was done of
    it is kept."""
    questions = {
        name: text_translation(run, view.sentences, view.beam, view.unknown) for name, run in view.runs.items()
    }
    subscribe("texts", questions.values())
    asked = []
    for name, each in questions.items():
        job = each.find()
        if view.wanted or (job is None and not view.from_file):
            job = each.start()
        asked.append(TextTask(name, each, job))
    forget_button()
    return asked


def text_translation(run: RunInfo, sentences: Sequence[str], beam: int, unknown: Unknown) -> TextTranslation:
    """What a checkpoint is asked; [UNK] is replaced as on the cards of one sentence."""
    stamp = run.weights.path.stat().st_mtime_ns
    return TextTranslation(run, stamp, tuple(sentences), chosen_settings(run, beam, unknown))
