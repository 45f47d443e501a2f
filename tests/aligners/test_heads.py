"""Alignment heads: a training that must find a known alignment, files there and back, and an aligner that has one."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.aligners.head_training import HeadSettings, HeadTrainer, TeachingPair
from nmt.aligners.heads import head_maps, read_head, write_head
from nmt.aligners.settings import read_aligner, write_aligner
from nmt.errors import InputError
from tests.aligners.conftest import SOURCE, TARGET
from tests.oracles.random_run import ENGLISH, FRENCH, random_run

LEXICON = dict(zip(ENGLISH[:14], FRENCH[:14], strict=True))


def drawn(number: int, seed: int) -> list[TeachingPair]:
    """Different words in a row and their translations in any order, the links of which are known."""
    random = np.random.default_rng(seed)
    pairs = []
    for _ in range(number):
        words = random.choice(list(LEXICON), size=5, replace=False).tolist()
        order = random.permutation(5).tolist()
        links = tuple((j, i) for i, j in enumerate(order))
        pairs.append(TeachingPair(" ".join(words), " ".join(LEXICON[words[j]] for j in order), links))
    return pairs


@pytest.mark.slow
def test_it_learns_a_known_alignment_and_the_run_stays_as_it_is(tmp_path: Path) -> None:
    model = nmt.load(random_run(tmp_path / "run", hidden=24))
    before = {name: value.clone() for name, value in model.model.state_dict().items()}
    trainer = HeadTrainer(model, HeadSettings(units=48, batch=32, learning_rate=1e-2))
    updates = list(trainer.run(drawn(16_000, seed=1)))
    assert updates[0].agreement < 0.5 < 0.9 < updates[-1].agreement
    assert (updates[-1].update, updates[-1].pairs) == (500, 16_000)
    assert all(value.equal(before[name]) for name, value in model.model.state_dict().items())
    fresh = drawn(100, seed=2)
    maps = head_maps(model, trainer.head, [(pair.source, pair.target) for pair in fresh], pretokenised=True)
    right = sum(len(set(found.links()) & set(pair.links or ())) for found, pair in zip(maps, fresh, strict=True))
    assert right > 0.9 * 500


@pytest.mark.slow
def test_pairs_without_links_ask_the_teacher_and_those_without_any_are_left_out(place: Path) -> None:
    model = nmt.load(place / "checkpoints" / "pieces")
    asked: list[tuple[str, str]] = []

    def teacher(pairs: object) -> list[list[tuple[int, int]]]:
        asked.extend(pairs)  # type: ignore[arg-type]
        return [[(0, 0)] if source == "she" else [] for source, _ in asked]

    pairs = [TeachingPair("the sea", "la mer", ((1, 1),)), *map(TeachingPair, SOURCE, TARGET)]
    update, again = HeadTrainer(model, HeadSettings(units=3, epochs=2)).run(pairs, teacher)
    assert (again.update, again.pairs) == (2, 10)
    assert sorted(asked) == sorted(zip(SOURCE, TARGET, strict=True))
    assert (update.update, update.pairs) == (1, 5)
    words = {"the sea": (1, 1), "she": (0, 0)}
    rows = read = 0.0
    for source, target in [("the sea", "la mer"), ("she", "elle dort")]:
        x, y = model.source.encode_line(source, True), model.target.encode_line(target, True)
        linked = sum(word == words[source][1] for word in y.words[:-1]) + 1
        rows += linked
        read += linked * np.log(max(len(x.ids) for x in [x]))
    assert update.loss == pytest.approx(read / rows, rel=1e-5), "a new head gives every source token the same"


def test_a_turned_pair_has_turned_links() -> None:
    assert TeachingPair("a b", "c", ((1, 0),)).turned() == TeachingPair("c", "a b", ((0, 1),))
    assert TeachingPair("a b", "c").turned().links is None


def test_there_and_back(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "aligners" / "both"
    settings = read_aligner(folder)
    models = {name: nmt.load(tmp_path / "checkpoints" / name) for name in ("words", "back")}
    trainers = {name: HeadTrainer(model, HeadSettings(units=3)) for name, model in models.items()}
    for name, (source, target) in {"words": (SOURCE, TARGET), "back": (TARGET, SOURCE)}.items():
        pairs = [TeachingPair(x, y, ((0, 1),)) for x, y in zip(source, target, strict=True)]
        assert len(list(trainers[name].run(pairs))) == 1
        settings = settings.with_head(write_head(folder / f"{name}.safetensors", trainers[name].head, name, {}))
        write_aligner(folder, settings)
    assert read_aligner(folder) == settings
    aligner = nmt.load_aligner(folder)
    for source, target in zip(SOURCE, TARGET, strict=True):
        found = aligner.align(source, target, pretokenised=True, weights="head")
        (forward,) = head_maps(models["words"], trainers["words"].head, [(source, target)], pretokenised=True)
        (reverse,) = head_maps(models["back"], trainers["back"].head, [(target, source)], pretokenised=True)
        mean = (forward.merged().weights + reverse.merged().weights.T) / 2
        np.testing.assert_allclose(found.alignment.weights, mean, atol=1e-3)  # fp16
        assert found.map == "alignment head of words and back"
        assert set(found.links) == aligner.extraction.links(found.alignment)


def test_faults(place: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^one"):
        nmt.load_aligner(place / "aligners" / "one").align("a", "b", weights="head")
    words, encdec = nmt.load(place / "checkpoints" / "words"), nmt.load(place / "checkpoints" / "encdec")
    with pytest.raises(InputError, match="encdec"):
        HeadTrainer(encdec, HeadSettings())
    larger = nmt.load(random_run(tmp_path / "larger", hidden=16))
    file = write_head(tmp_path / "head.safetensors", HeadTrainer(larger, HeadSettings(units=3)).head, "words", {})
    with pytest.raises(InputError, match="words"):
        read_head(tmp_path, file, words)
    with pytest.raises(InputError, match=r"head\.safetensors .*aligner\.json"):
        read_head(tmp_path, replace(file, sha256="0" * 64), words)
    with pytest.raises(InputError, match=r"missing\.safetensors"):
        read_head(tmp_path, replace(file, file="missing.safetensors"), words)
    with pytest.raises(InputError, match="larger"):
        read_aligner(place / "aligners" / "one").with_head(replace(file, run="larger"))
    counts, rates = r"\bunits, batch\b.*\bepochs\b.*\b1$", r"\blearning rate\b.*\bclipping\b.*\b0$"
    for wrong in ("units", "batch", "epochs", "learning_rate", "clip_norm"):
        with pytest.raises(InputError, match=rates if wrong in ("learning_rate", "clip_norm") else counts):
            HeadSettings(**{wrong: 0})  # type: ignore[arg-type]
