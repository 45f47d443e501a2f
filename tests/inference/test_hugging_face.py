"""Folders of nine architectures, with random weights, obey the protocol of a system as a run does."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import nmt
from nmt.alignments.links import Extraction
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference.hugging_face import HEADS, HuggingFace
from nmt.inference.system import System
from nmt.inference.systems import load_hugging_face, open_system
from nmt.inspection.maps import maps_by_name, posterior
from nmt.results import Languages
from nmt.results.links import LEAVE_ONE_OUT
from nmt.results.record import read_sentence_record
from nmt.runs.folder import is_hugging_face
from tests.made_once import made_once
from tests.oracles.hugging_face_folders import LANGUAGES, NAMES, build

pytestmark = pytest.mark.slow
SENTENCES = ["The girl reads a book.", "Two dogs play!", "", "She isn't here, is she?"]
EXACT = {name: 2e-3 if "t5" in name else 2e-5 for name in (*NAMES, "search-words")}
"""How far a search and one forced pass may differ; T5's family shifts its logits by large numbers."""


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(place: Path) -> None:
        for name in NAMES:
            build(name, place / name)

    return made_once(tmp_path_factory, "hugging-face", make)


_loaded: dict[str, System] = {}


@pytest.fixture(params=[*NAMES, "search-words"])
def system(request: pytest.FixtureRequest, folders: Path, random_runs: Path) -> System:
    name = request.param
    if name not in _loaded:
        place = random_runs / name if name == "search-words" else folders / name
        known = Languages(*LANGUAGES[name]) if name in LANGUAGES else None
        if known is None and name not in ("marian", "search-words"):
            known = Languages("en", "fr")
        _loaded[name] = open_system(str(place), precision="fp32", languages=known)
    return _loaded[name]


def test_a_search_has_the_values_and_the_map_of_one_forced_pass(system: System) -> None:
    close = EXACT[system.name]
    for translation in system.translate(SENTENCES, beam=3, n_best=2):
        for each in translation.hypotheses if translation.source else ():
            assert translation.encoded is not None
            assert each.encoded is not None
            assert each.alignment is not None
            (forced,) = system.score_stream([(translation.encoded, each.encoded)])
            assert forced.alignment is not None
            np.testing.assert_allclose(each.token_log_probabilities, forced.token_log_probabilities, atol=close)
            map_close = close if "t5" in system.name else 1e-5
            np.testing.assert_allclose(each.alignment.weights, forced.alignment.weights, atol=map_close)
            assert each.log_probability == pytest.approx(sum(each.token_log_probabilities), abs=1e-4)
            np.testing.assert_allclose(each.alignment.weights.sum(1), 1, atol=1e-5)


def test_no_result_depends_on_the_rest_of_the_batch(system: System) -> None:
    together = system.translate(SENTENCES, beam=2)
    for text, one in zip(SENTENCES, together, strict=True):
        alone = system.translate(text, beam=2)
        assert alone.text == one.text
        assert alone.log_probability == pytest.approx(one.log_probability, abs=EXACT[system.name])


def test_words_of_an_alignment_are_those_between_spaces(system: System) -> None:
    source, target = "Two dogs play, aren't they?", "Deux chiens jouent, non ?"
    for pretokenised in (False, True):
        found = system.align(source, target, pretokenised=pretokenised)
        merged = found.merged()
        assert merged.source_words == tuple(range(6))
        assert merged.target_words == tuple(range(6))
        np.testing.assert_allclose(merged.weights.sum(1), 1, atol=1e-5)
        assert all(i < 5 and j < 5 for i, j in Extraction("argmax").links(found))


def test_its_record_can_be_read(system: System) -> None:
    record = system.translate(SENTENCES[0], beam=2).to_dict()
    read = read_sentence_record(json.loads(json.dumps(record)), "it")
    assert read.systems[0].kind == system.kind
    assert len(read.systems[0].maps) == 1


def test_a_committee_of_itself_writes_the_same(system: System) -> None:
    together = system.with_committee([system]).translate(SENTENCES[0], beam=2)
    alone = system.translate(SENTENCES[0], beam=2)
    assert together.text == alone.text
    assert together.log_probability == pytest.approx(alone.log_probability, abs=1e-4)


def test_a_map_of_omitted_words_is_computed_by_forced_passes(system: System) -> None:
    (found,) = maps_by_name(system, [("Two dogs play", "Deux chiens jouent")], LEAVE_ONE_OUT, pretokenised=False)
    np.testing.assert_allclose(found.weights.sum(1), 1, atol=1e-5)
    assert found.weights.shape == (4, 4)


def test_an_output_ends_where_the_model_has_no_more_positions(system: System) -> None:
    most = getattr(getattr(system, "steps", None), "_most", None)
    if most is None:
        assert system.name in ("t5", "mt5", "umt5", "search-words")
        return
    text = "a " * (most - 8)
    assert 1 <= len(system.translate(text, beam=1).best.tokens) <= most
    with pytest.raises(InputError, match=rf"reads at most {most} tokens, but this sentence has \d+$"):
        system.translate(text * 2, beam=1)
    with pytest.raises(InputError, match=rf"writes at most {most} tokens, but this sentence has \d+$"):
        system.score("a", text * 2)


def of(name: str, folders: Path) -> HuggingFace:
    languages = LANGUAGES.get(name, ("en", "fr"))
    return load_hugging_face(folders / name, languages=Languages(*languages))


def theirs(name: str, folders: Path) -> tuple[Any, Any]:
    """The tokeniser and the model, as transformers itself loads them."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folders / name)
    if name in LANGUAGES:
        tokenizer.src_lang, tokenizer.tgt_lang = LANGUAGES[name]
    return tokenizer, transformers.AutoModelForSeq2SeqLM.from_pretrained(folders / name).eval()


@pytest.mark.parametrize("name", NAMES)
def test_a_score_is_transformers_own_loss(name: str, folders: Path) -> None:
    """The tokeniser's own ids, its labels and the model's own shift of them, not ours."""
    mine, tokenizer, model = of(name, folders), *theirs(name, folders)
    source, target = "Two dogs play in the garden.", "Deux chiens jouent dans le jardin."
    prefix = "translate English to French: " if name == "t5" else ""
    ids = tokenizer(prefix + source, return_tensors="pt").input_ids
    labels = tokenizer(text_target=target, return_tensors="pt").input_ids
    with torch.no_grad():
        output = model(input_ids=ids, labels=labels)
    values = output.logits[0].log_softmax(-1).gather(1, labels[0, :, None])[:, 0]
    own = [k for k in range(len(labels[0])) if int(labels[0, k]) not in _added(tokenizer)]
    found = mine.score(source, target)
    np.testing.assert_allclose(found.token_log_probabilities, values[own].numpy(), atol=EXACT[name])


def _added(tokenizer: Any) -> set[int]:
    """Languages and the beginning that the tokeniser adds to a target."""
    return set(tokenizer(text_target="").input_ids) - {tokenizer.eos_token_id}


@pytest.mark.parametrize("name", NAMES)
def test_a_greedy_search_takes_the_most_probable_token_of_each_full_pass(name: str, folders: Path) -> None:
    mine, tokenizer, model = of(name, folders), *theirs(name, folders)
    text = "Two dogs play in the garden."
    ids = tokenizer(("translate English to French: " if name == "t5" else "") + text, return_tensors="pt").input_ids
    written = mine.target.vocabulary
    barred = [written.theirs[our] for our in written.ids_there().barred]  # type: ignore[attr-defined]
    found = mine.translate(text, beam=1).best
    assert found.encoded is not None
    generated = list(mine.steps._start)
    mine_ids = [written.theirs[our] for our in found.encoded.ids]  # type: ignore[attr-defined]
    with torch.no_grad():
        for _ in mine_ids[:-1]:  # no cache, and nothing of ours
            logits = model(input_ids=ids, decoder_input_ids=torch.tensor([generated])).logits[0, -1]
            logits[barred] = -torch.inf
            generated.append(int(logits.argmax()))
    assert generated[len(mine.steps._start) :] == mine_ids[:-1]
    assert found.text == " ".join(tokenizer.decode(mine_ids[:-1], skip_special_tokens=True).split())


def test_heads_of_the_configuration_make_alpha(folders: Path, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "marian"
    shutil.copytree(folders / "marian", folder)
    settings = folder / "generation_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {HEADS: [[2, 1], [0, 3]]}))
    chosen, usual = load_hugging_face(folder), load_hugging_face(folders / "marian")
    pair = ("Two dogs play.", "Deux chiens jouent.")
    ((x, y),) = usual.encode_pairs([pair], pretokenised=False)
    from nmt.inference.text_codec import PaddedTokens

    sides = [PaddedTokens([side], usual.device) for side in (x, y)]
    every = usual.steps.every_head(*sides)[0].numpy()
    assert every.shape == (3, 4, len(y.ids), len(x.ids))
    np.testing.assert_allclose(chosen.align(*pair).weights, (every[2, 1] + every[0, 3]) / 2, atol=1e-6)
    np.testing.assert_allclose(usual.align(*pair).weights, every[1].mean(0), atol=1e-6)
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {HEADS: [[3, 0]]}))
    with pytest.raises(InputError, match=r"^marian: alignment_heads names a head that is not among"):
        load_hugging_face(folder)


def test_two_scripts_of_a_language_share_no_answer(folders: Path) -> None:
    codes = ("zho_Hans", "zho_Hant")
    one, other = (load_hugging_face(folders / "nllb-moe", languages=Languages("eng_Latn", code)) for code in codes)
    assert (one.languages, one.identity == other.identity) == (other.languages, False)


def test_what_cannot_be_read_or_done_is_said(folders: Path, random_runs: Path, tmp_path: Path) -> None:
    import shutil

    assert is_hugging_face(folders / "marian")
    assert not is_hugging_face(random_runs / "search-words")
    with pytest.raises(InputError, match=r"^--languages is for a folder of Hugging Face: .* is a run, which knows"):
        open_system(str(random_runs / "search-words"), languages=Languages("en", "fr"))
    with pytest.raises(InputError, match=r"which is searched in fp32, not in int8$"):
        open_system(str(folders / "marian"), precision="int8")
    with pytest.raises(InputError, match=r"t5 does not say its source language: give --languages, such as en fr$"):
        load_hugging_face(folders / "t5")
    with pytest.raises(InputError, match=r"m2m100 knows several source languages: give --languages, such as af, am"):
        load_hugging_face(folders / "m2m100", languages=Languages("xx", "fr"))
    mine = load_hugging_face(folders / "marian")
    with pytest.raises(InputError, match=r"^marian is a Transformer: hard attention is for RNNsearch alone$"):
        mine.translate("a", SearchSettings(beam=1, hard_attention=True))
    with pytest.raises(InputError, match=r"^marian is of the kind transformer, from whose alpha no posterior can be"):
        list(posterior(mine, [("a", "b")], pretokenised=False))
    with pytest.raises(InputError, match=r"does not have the languages and vocabularies of marian$"):
        mine.with_committee([nmt.load(random_runs / "search-words")])
    bare = tmp_path / "bare"
    shutil.copytree(folders / "marian", bare, ignore=shutil.ignore_patterns("*.safetensors"))
    (bare / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(InputError, match=r"bare has no weights in safetensors; `jointly get .*bare` converts"):
        load_hugging_face(bare)


def test_no_code_of_a_folder_is_run(folders: Path, tmp_path: Path) -> None:
    import shutil

    folder, flag = tmp_path / "own", tmp_path / "ran"
    shutil.copytree(folders / "marian", folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModelForSeq2SeqLM": "own.Own"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(flag)!r}, 'w')\n")
    with pytest.raises(InputError, match=r"own is not an encoder-decoder that transformers can read: "):
        load_hugging_face(folder)
    assert not flag.exists()
