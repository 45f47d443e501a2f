"""One who watches work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nmt.answers.request import Progress, ProgressReporter


class Onlooker(ProgressReporter):
    """Notes the stages and what is shown of them, and calls back at each step, in each wait and at each checkpoint."""

    def __init__(
        self,
        on_step: Callable[[int], None] = lambda done: None,
        on_wait: Callable[[], None] = lambda: None,
        on_checkpoint: Callable[[], None] = lambda: None,
    ) -> None:
        self.on_step, self.wait, self.checkpoint = on_step, on_wait, on_checkpoint  # type: ignore[method-assign]
        self.stages: list[tuple[str, int]] = []
        self.shown: list[Progress] = []

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        self.stages.append((name, total))

        def show(progress: Progress) -> None:
            self.shown.append(progress)
            self.on_step(progress.done)

        yield show
