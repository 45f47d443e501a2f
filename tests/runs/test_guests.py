"""Folders of Hugging Face are described without transformers, as transformers then loads them."""

import json
import shutil
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from nmt.errors import InputError
from nmt.inference.systems import load_hugging_face
from nmt.results import Languages
from nmt.runs.folder import BrokenRun, RunInfo, list_runs
from nmt.runs.guests import guest_fingerprint, list_guests, read_guest
from tests.made_once import made_once
from tests.oracles.hugging_face_folders import LANGUAGES, build


@pytest.fixture(scope="session")
def guests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(place: Path) -> None:
        for name in ("marian", "t5", "mbart"):
            build(name, place / name)

    return made_once(tmp_path_factory, "guests", make)


def copied(guests: Path, name: str, place: Path, **settings: object) -> Path:
    """A copy whose config.json has these settings; None takes one away."""
    shutil.copytree(guests / name, place)
    path = place / "config.json"
    changed = json.loads(path.read_text()) | settings
    path.write_text(json.dumps({key: value for key, value in changed.items() if value is not None}))
    return place


@pytest.mark.slow
@pytest.mark.parametrize(("name", "codes"), [("marian", None), ("t5", ("en", "fr")), ("mbart", LANGUAGES["mbart"])])
def test_the_description_is_what_transformers_loads(
    guests: Path, tmp_path: Path, name: str, codes: tuple[str, str] | None
) -> None:
    stated = {} if codes is None else {"source_language": codes[0], "target_language": codes[1]}
    folder = copied(guests, name, tmp_path / name, **stated)
    info, system = read_guest(folder), load_hugging_face(folder)
    assert info.guest is not None
    assert (info.kind, info.name, info.languages) == ("transformer", name, system.languages)
    saved = [load_file(path) for path in folder.glob("*.safetensors")]
    assert info.weights.parameters == sum(tensor.size for file in saved for tensor in file.values())
    assert info.weights.bytes == sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    ((x, y),) = system.encode_pairs([("Two dogs play.", "Deux chiens jouent.")], pretokenised=False)
    assert system.every_head(x, y).shape[:2] == (info.guest.layers, info.guest.heads)
    assert guest_fingerprint(folder, info.languages) == system.fingerprint
    other = copied(guests, name, tmp_path / "other", **stated, another="setting")
    assert (
        guest_fingerprint(other, info.languages).text_pipeline
        != guest_fingerprint(folder, info.languages).text_pipeline
    )


def test_what_cannot_be_used_says_why(guests: Path, tmp_path: Path) -> None:
    copied(guests, "t5", tmp_path / "t5-small")
    copied(guests, "t5", tmp_path / "t5-en-fr")
    copied(guests, "t5", tmp_path / "decoder-only", is_encoder_decoder=False)
    (copied(guests, "marian", tmp_path / "old") / "model.safetensors").rename(tmp_path / "old" / "pytorch_model.bin")
    found = {each.name: each for each in list_guests(tmp_path)}
    assert isinstance(found["t5-en-fr"], RunInfo)
    assert found["t5-en-fr"].languages == Languages("en", "fr")
    for name, reason in (
        ("t5-small", "does not say its languages"),
        ("decoder-only", "no encoder-decoder"),
        ("old", "jointly get"),
    ):
        broken = found[name]
        assert isinstance(broken, BrokenRun)
        assert reason in broken.problem
    assert list_runs(tmp_path) == []
    with pytest.raises(InputError, match="does not say its languages"):
        read_guest(tmp_path / "t5-small")
