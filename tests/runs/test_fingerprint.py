"""The fingerprint of a run: what is stored for a run is found by it, also for runs of earlier versions."""

import hashlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest

from nmt.config import ModelConfig
from nmt.errors import MissingWeightsError
from nmt.runs.checksums import check_all_files
from nmt.runs.fingerprint import checked_fingerprint, owner, read_fingerprint
from nmt.runs.folder import read_run
from release.checksums import write_checksums

VOCABULARIES = [f"{side}.{end}" for side in ("source", "target") for end in ("sentencepiece.model", "vocabulary.json")]


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    """A run with subwords, and more beside them: what is no vocabulary does not count as one."""
    shutil.copytree(random_runs / "search-bpe", tmp_path / "mine")
    (tmp_path / "mine" / "source.word-counts").write_text("sea\t3\n", encoding="utf-8")
    write_checksums(tmp_path / "mine")
    return tmp_path / "mine"


@pytest.mark.parametrize("dictionary", [False, True])
def test_a_fingerprint_is_of_weights_vocabularies_shape_and_dictionary(run: Path, dictionary: bool) -> None:
    """Of nothing else, and in the order that answers are stored under since there are any: a setting that
    came later counts only where it is not the usual one."""
    if dictionary:
        (run / "dictionary.tsv").write_text("Kyoto\tKioto\n", encoding="utf-8")
        write_checksums(run)
    assert read_run(run).has_dictionary is dictionary
    model = asdict(read_run(run).config.model)
    added = {"encoder": "bidirectional", "readout": "maxout", "start": "backward"}
    assert {name: model.pop(name) for name in added} == added
    sums = {path.name: hashlib.sha256(path.read_bytes()) for path in run.iterdir() if path.is_file()}
    pipeline = json.dumps([model, "en", "fr"], sort_keys=True).encode()
    pipeline += b"".join(b"\n" + name.encode() + b"\n" + sums[name].digest() for name in VOCABULARIES)
    expected = (
        sums["model.safetensors"].hexdigest(),
        hashlib.sha256(pipeline).hexdigest(),
        sums["dictionary.tsv"].hexdigest() if dictionary else "",
    )
    for found in (read_fingerprint(read_run(run)), checked_fingerprint(read_run(run))):
        assert (found.weights, found.text_pipeline, found.dictionary) == expected


def test_of_files_that_stayed_behind_the_list_is_believed(run: Path) -> None:
    """A package has of a released run its settings, its list of checksums and what its weights say of themselves."""
    (run / "dictionary.tsv").write_text("Kyoto\tKioto\n", encoding="utf-8")
    write_checksums(run)
    whole = read_run(run)
    before = read_fingerprint(whole)
    weights = (run / "model.safetensors").read_bytes()
    header = json.loads(weights[8 : 8 + int.from_bytes(weights[:8], "little")])
    told = {"format": 1, "bytes": len(weights), "header": header}
    (run / "weights.json").write_text(json.dumps(told), encoding="utf-8")
    assert checked_fingerprint(whole) == before
    assert whole.behind == {}
    for name in ("model.safetensors", "dictionary.tsv", *VOCABULARIES):
        (run / name).unlink()
    package = read_run(run)
    assert package.weights == whole.weights
    assert (package.has_weights, package.has_dictionary) == (False, True)
    assert read_fingerprint(package) == before
    with pytest.raises(MissingWeightsError, match="jointly get mine"):
        checked_fingerprint(package)


def test_a_sum_of_settings_is_of_those_that_are_not_usual(run: Path) -> None:
    """By name, as weights have it in their header; vocabularies by the checksums of their files."""
    info = read_run(run)
    usual = asdict(ModelConfig())
    others = {name: value for name, value in asdict(info.config.model).items() if value != usual[name]}
    assert len(others) > 2
    lines = "".join(f"{name} {hashlib.sha256((run / name).read_bytes()).hexdigest()}\n" for name in VOCABULARIES)
    settings = json.dumps([others, "en", "fr"], sort_keys=True)
    assert owner(run, info) == {
        "vocabularies": hashlib.sha256(lines.encode()).hexdigest(),
        "settings": hashlib.sha256(settings.encode()).hexdigest(),
    }


def test_the_order_of_settings_in_their_file_makes_no_difference(run: Path) -> None:
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    (run / "config.json").write_text(json.dumps(dict(reversed(config.items()))), encoding="utf-8")
    check_all_files(run)
