"""Events of a training."""

from nmt.results import UpdateEvent


def reported(update: int, seconds: float = 3.0, **others: float) -> UpdateEvent:
    """An update; what ``others`` do not say is the same of all."""
    usual = {"epoch": 1.0, "nll_per_word": 5.0, "nll_per_sentence": 9.0, "words_per_second": 1000.0}
    usual |= {"gradient_norm": 1.0, "learning_rate": 1.0}
    return UpdateEvent(update=update, seconds=seconds, **usual | others)
