"""Cache of evaluations in the cache folder rather than the run folder, which may be a released one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import sacrebleu

from nmt.answers.store import cache_folder
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluation, write_evaluation_file
from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation


class EvaluationCache:
    """Evaluations by test set and request. If the folder is not writable, nothing is stored.

    Args:
        folder: folder of the files; None: ``evaluations`` in the cache folder.
        most: maximum number of files; the least recently used are deleted first.
    """

    def __init__(self, folder: Path | None = None, most: int = 200) -> None:
        self.folder, self._most = folder or cache_folder() / "evaluations", most

    def read(self, test: TestSet, request: Sequence[str]) -> Evaluation | None:
        """Return the evaluation on this test set, or None if there is none or its file is broken.

        ``request``: everything else that determines the result, such as the run's name and the text of a search's key.
        """
        path = self._path(test, request)
        try:
            evaluation = read_evaluation(path)
            path.touch()
        except (InputError, OSError):
            return None
        return evaluation

    def write(self, test: TestSet, request: Sequence[str], evaluation: Evaluation) -> None:
        """Store an evaluation, and delete the least recently used ones if there are too many."""
        try:
            write_evaluation_file(self._path(test, request), evaluation)
            files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
            for path in files[: max(0, len(files) - self._most)]:
                path.unlink(missing_ok=True)
        except OSError:  # the result is there all the same
            return

    def _path(self, test: TestSet, request: Sequence[str]) -> Path:
        text = json.dumps([sacrebleu.__version__, test.name, test.source_sha256, test.reference_sha256, *request])
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"
