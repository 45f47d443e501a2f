"""Validation of the evaluations in an imported run folder."""

from __future__ import annotations

from nmt.evaluation.error_rate_files import read_error_rates
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.translation_files import read_translations
from nmt.runs.folder import RunInfo


def check_run_evaluations(run: RunInfo) -> None:
    """Raise InputError unless evaluations, their saved translations, and alignment error rates can be read."""
    for evaluation in read_evaluated_system(run.path).evaluations.values():
        read_translations(run.path, evaluation)
    read_error_rates(run.path)
