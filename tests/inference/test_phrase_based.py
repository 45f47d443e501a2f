"""A packed phrase-based system: its search against brute force, and files that are not its own."""

import dataclasses
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from experiments.phrase_based.pack import pruned_ngrams, write
from experiments.selection import LanguageModel, WordIds
from nmt.errors import InputError
from nmt.files import ROOT
from nmt.inference import phrase_based
from nmt.inference.phrase_based import PHRASES, PhraseBased, _Reading, load_phrase_based, read_about
from nmt.runs.checksums import CHECKSUMS
from tests.oracles.phrases import TABLE, TEXTS, WEIGHTS, derivations, made, write_tiny

SYSTEM = made().weighted(WEIGHTS)
WORDS = WordIds(sorted({word for text in TEXTS for word in text.split()} | {"roux", "félin"}))
MODEL = LanguageModel(WORDS.encode(text.split() for text in TEXTS), WORDS, 3)


def log_p(words: list[str]) -> float:
    """Of a whole sentence, by the model itself and not by the file."""
    return float(np.log(MODEL.probabilities(WORDS.encode([words]))).sum())


SENTENCES = st.lists(st.sampled_from(["a", "red", "cat", "sees", ".", "dog", "rouge"]), min_size=1, max_size=5)


@given(SENTENCES)
def test_the_search_finds_the_best_of_all_derivations(words: list[str]) -> None:
    by_text: dict[str, float] = {}
    for score, target in derivations(words, TABLE):
        text = " ".join(target)
        by_text[text] = max(by_text.get(text, -math.inf), score + log_p(target))
    found = SYSTEM.search(words, 1000, math.inf)[0]
    text = " ".join(word for phrase in found.phrases() for word in phrase.words)
    assert found.score == pytest.approx(max(by_text.values()), abs=0.03 * (len(words) + 2))  # codes of a byte
    assert by_text[text] == pytest.approx(max(by_text.values()), abs=0.06 * (len(words) + 2))
    quick = SYSTEM.search(words, 1)[0]
    assert quick.score <= found.score + 1e-4
    assert SYSTEM.search(words)[0].score == pytest.approx(found.score, abs=1e-4)


@given(st.lists(st.sampled_from([*WORDS.ids, "dog"]), min_size=1, max_size=6))
def test_n_grams_have_the_probabilities_of_the_model(words: list[str]) -> None:
    reading, ids = _Reading(SYSTEM), [WORDS.ids.get(word, phrase_based.UNKNOWN) for word in words]
    state: tuple[int, ...] = (WORDS.start,)
    total = 0.0
    for id in (*ids, phrase_based.END):
        total += reading.log_p(state, id)
        state = (*state, id)[-2:]
    assert total == pytest.approx(log_p(words), abs=0.03 * (len(words) + 1))


@pytest.mark.parametrize("most", [(0, 0), (3, 2), (8, 5), (100, 100)])
def test_probabilities_sum_to_one_whatever_was_pruned(most: tuple[int, int]) -> None:
    kept = pruned_ngrams(MODEL, WORDS.predicted, most)
    tree = phrase_based.Tree(WORDS.predicted + 1, kept.words, kept.children)

    def p(state: tuple[int, ...], id: int) -> float:
        node = tree.find(state)
        child = None if node is None else tree.child(node, id)
        if child is not None:
            return math.exp(kept.log_p[child])
        return p(state[1:], id) * (1.0 if node is None else math.exp(kept.back_off[node]))

    states = [(), *((v,) for v in range(WORDS.predicted + 1)), (WORDS.ids["un"], WORDS.ids["chat"]), (WORDS.start, 2)]
    for state in states:
        if state and state[-1] == phrase_based.END:
            continue
        assert sum(p(state, id) for id in range(WORDS.predicted)) == pytest.approx(1, abs=1e-6), state


def test_a_record_has_the_phrases_as_links_and_copied_words(tmp_path: Path) -> None:
    write_tiny(tmp_path / "tiny")
    system = load_phrase_based(tmp_path / "tiny")
    written = system.translate("a red cat sees Rex .")
    assert written is not None
    assert (written.name, written.kind, written.language) == ("tiny", "phrase-based", "fr")
    assert written.source.unknown == ("Rex",)
    assert written.target.tokens[-2:] == ("Rex", ".")
    (links,) = written.maps
    weights = np.array(links.weights)
    assert weights.sum(axis=1) == pytest.approx(np.ones(len(written.target.tokens)), abs=1e-5)
    assert {tuple(np.flatnonzero(row)) for row in weights} <= {(0,), (1,), (2,), (1, 2), (0, 1, 2), (3,), (4,), (5,)}
    assert system.translate("  ") is None


def test_the_file_gives_what_was_written(tmp_path: Path) -> None:
    write_tiny(tmp_path)
    system = load_phrase_based(tmp_path)
    for sentence in ("a red cat sees a cat .", "red red sees ."):
        words = sentence.split()
        assert system.search(words)[0].score == pytest.approx(SYSTEM.search(words)[0].score, abs=0.2)
    assert read_about(tmp_path).source_language == "en"


def without(arrays: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in arrays.items() if key != name}


FAULTS: Mapping[str, Any] = {
    "an array is missing": lambda arrays: without(arrays, "choices"),
    "words that are not UTF-8": lambda arrays: arrays | {"source_words": np.array([255, 254], np.uint8)},
    "a phrase too few": lambda arrays: arrays | {"phrase_scores": arrays["phrase_scores"][:-1]},
    "an id beyond the words": lambda arrays: arrays | {"target_ids": arrays["target_ids"] + np.uint16(60000)},
    "children of nobody": lambda arrays: arrays | {"phrase_children": arrays["phrase_children"] * 2},
    "n-grams in another order": lambda arrays: arrays | {"ngram_words": arrays["ngram_words"][::-1].copy()},
    "a probability too many": lambda arrays: arrays | {"log_p": np.append(arrays["log_p"], np.uint8(1))},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_does_not_fit_together_is_refused(fault: str, tmp_path: Path) -> None:
    write_tiny(tmp_path)
    (tmp_path / CHECKSUMS).unlink()
    header = json.dumps(dataclasses.asdict(read_about(tmp_path)))
    save_file(FAULTS[fault](load_file(tmp_path / PHRASES)), tmp_path / PHRASES, {"about": header})
    with pytest.raises(InputError, match=r"^.*phrases\.safetensors is not the file of a phrase-based system: "):
        load_phrase_based(tmp_path)


def test_damaged_foreign_and_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tiny(tmp_path)
    path = tmp_path / PHRASES
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(InputError, match="checksum"):
        load_phrase_based(tmp_path)
    path.write_bytes(whole[:100])
    with pytest.raises(InputError, match="safetensors"):
        read_about(tmp_path)
    save_file({"x": np.zeros(2)}, path)
    with pytest.raises(InputError, match="header"):
        read_about(tmp_path)
    path.write_bytes(whole)
    monkeypatch.setattr(phrase_based, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="too large"):
        load_phrase_based(tmp_path)


def test_a_system_can_be_packed_again_and_its_scores_are_codes(tmp_path: Path) -> None:
    draft = made()
    size = write(draft, draft.weighted(WEIGHTS), tmp_path)
    assert size == (tmp_path / PHRASES).stat().st_size
    loaded: PhraseBased = load_phrase_based(tmp_path)
    step = loaded.about.phrase_scores[1]
    assert np.abs(loaded.scores - draft.weighted(WEIGHTS).scores).max() <= step / 2 + 1e-6


def test_the_system_of_this_repository_is_whole_and_small() -> None:
    folder = ROOT / "systems" / "phrase-based"
    assert (folder / PHRASES).stat().st_size <= 10_000_000
    written = load_phrase_based(folder).translate("A man in a red shirt is sleeping.")
    assert written is not None
    assert "shirt rouge" in written.text, "the adjective comes after its noun within a phrase"
    assert not written.source.unknown
