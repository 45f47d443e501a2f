"""Two runs' settings: all of them, in the names that --set takes, and those that differ marked."""

from dataclasses import replace

from nmt.config import Config
from nmt.recipes import recipe
from nmt.runs.folder import RunSettings, VocabularyInfo
from nmt.runs.provenance import compare_settings

WORDS = VocabularyInfo("words", 10_000)
FIRST = RunSettings(
    config=recipe("rnnsearch_50_modern"),
    source_language="en",
    target_language="fr",
    source_vocabulary=WORDS,
    target_vocabulary=WORDS,
    data="abc",
)


def test_only_what_was_changed_differs() -> None:
    assert not [pair for pair in compare_settings(FIRST, FIRST) if pair.differs]
    config = FIRST.config.override(["model.hidden=128", "training.keep=1,2", "training.max_length=30"])
    second = replace(FIRST, config=config, target_vocabulary=VocabularyInfo("bpe", 8_000))
    found = {p.name: (p.first, p.second) for p in compare_settings(FIRST, second) if p.differs}
    assert found == {
        "model.hidden": (320, 128),
        "training.max_length": (50, 30),
        "training.keep": ((), (1, 2)),
        "target_vocabulary.kind": ("words", "bpe"),
        "target_vocabulary.size": (10_000, 8_000),
    }


def test_names_are_those_of_set_and_none_is_missing() -> None:
    config = Config().to_dict()
    known = {f"{section}.{key}" for section in ("model", "training") for key in config[section]}
    pairs = compare_settings(FIRST, FIRST)
    assert known <= {pair.name for pair in pairs}
    assert len({pair.name for pair in pairs}) == len(pairs)
