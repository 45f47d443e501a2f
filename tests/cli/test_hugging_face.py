"""A folder of Hugging Face in the place of a run: what commands print is what Python says."""

import json
import re
import shutil
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest

from nmt.alignments.links import Extraction
from nmt.cli import main
from nmt.inference.hugging_face import HuggingFace
from nmt.inference.systems import open_system
from tests.oracles.hugging_face_folders import build
from tests.programs import Commands

pytestmark = pytest.mark.slow
SOURCE, TARGET = ["Two dogs play .", "The girl reads ."], ["Deux chiens jouent .", "La fille lit ."]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build("marian", tmp_path / "marian")
    build("m2m100", tmp_path / "many")
    for name, lines in (("source", SOURCE), ("target", TARGET), ("gold", ["0-0 1-1", "0-0 1-1 2p2"])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_commands_print_what_the_system_says(place: Path, cli: Commands, capsys: pytest.CaptureFixture[str]) -> None:
    system = open_system("marian")
    texts = ["--source", "source", "--target", "target"]
    scores = [float(line) for line in cli.printed("score", "marian", *texts).split("\n")[:-1]]
    assert scores == pytest.approx([each.log_probability for each in system.score(SOURCE, TARGET)], abs=1e-5)
    assert main(["align", "marian", *texts]) == 0
    links = [
        " ".join(f"{j}-{i}" for j, i in sorted(Extraction("argmax").links(each)))
        for each in system.align(SOURCE, TARGET)
    ]
    assert capsys.readouterr().out.split("\n")[:-1] == links
    assert cli.printed("aer", "marian", *texts, "--gold", "gold", "--map", "leave-one-out").startswith("AER ")
    assert "marian is of the kind transformer" in cli.refused("align", "marian", *texts, "--map", "posterior")
    first, *_ = cli.objects("score", "many", *texts, "--languages", "en", "fr")
    assert first["systems"][0]["kind"] == "transformer"
    assert "many knows several source languages: give --languages" in cli.refused("score", "many", *texts)


def test_it_is_evaluated_and_compared_like_a_run(place: Path, cli: Commands) -> None:
    asked = ["evaluate", "marian", "--source", "source", "--reference", "target", "--beam", "1", "--fresh"]
    found = json.loads(cli.printed(*asked, "--name", "mine", "--json"))
    assert "|run:marian|beam:1|" in found["all"]["signature"].replace("#", "|")
    assert (place / "marian" / "evaluation" / "mine.json").is_file()
    (compared,) = cli.objects("compare", "marian", "--set", "mine", "--on", "mine")
    assert compared["systems"] == ["marian"]


def test_heads_are_measured_as_their_links_are(place: Path, cli: Commands) -> None:
    from nmt.evaluation.alignment_error_rate import alignment_error_rate, read_gold

    asked = ["aer", "marian", "--source", "source", "--target", "target", "--gold", "gold", "--map", "heads"]
    found = {line["map"]: line for line in map(json.loads, cli.printed(*asked, "--json").split("\n")[:-1])}
    assert len(found) == 2 * 3 * (4 + 1) + 1
    # a head that the configuration names is the alpha of the system, whose links the command draws
    settings = place / "marian" / "generation_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"alignment_heads": [[2, 1]]}))
    links = [
        Extraction("argmax").links(each) for each in open_system("marian").align(SOURCE, TARGET, pretokenised=True)
    ]
    expected = alignment_error_rate(links, read_gold(place / "gold"))
    assert found["heads 2.1 before"]["aer"] == pytest.approx(expected.aer)
    assert found["heads 2.1 before"]["links"] == expected.links
    printed = cli.printed(*asked).split("\n")
    rates = [float(line.split("%")[0].removeprefix("AER")) for line in printed if line.startswith("AER")]
    assert rates[:-1] == sorted(rates[:-1])
    assert "chosen on the other half" in printed[-3]
    assert printed[-2].startswith('"alignment_heads": [[')
    assert ("(alpha has the row before" in printed[-2]) == (" after, chosen" in printed[-3])
    assert "give no --rule, --reverse or --name" in cli.refused(*asked, "--rule", "argmax")


@pytest.mark.parametrize("name", ["marian", "t5"])
def test_the_heads_of_a_layer_come_first_and_nothing_else_changes(
    name: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "t5":
        build("t5", place / "t5-en-fr")
    folder = "marian" if name == "marian" else "t5-en-fr"
    asked = ["--source", "source", "--target", "target", "--gold", "gold", "--map", "heads"]
    assert main(["aer", folder, "first", *asked]) == 0
    said = re.search(r"heads (\[.*\]) of layer (\d)", capsys.readouterr().err)
    assert said is not None
    chosen, layer = json.loads(said[1]), int(said[2])
    before, after = (open_system(each) for each in (folder, "first"))
    assert isinstance(before, HuggingFace)
    assert isinstance(after, HuggingFace)
    pair = next(before.encode_pairs([(SOURCE[0], TARGET[0])], pretokenised=False))
    old, new = before.every_head(*pair), after.every_head(*pair)
    order = [*chosen, *(head for head in range(4) if head not in chosen)]
    close = 1e-5 if name == "marian" else 2e-3
    np.testing.assert_allclose(new[layer], old[layer][order], atol=close)
    others = [k for k in range(len(old)) if k != layer]
    np.testing.assert_allclose(new[others], old[others], atol=close)
    scores = [each.score(*pair_of_texts()).token_log_probabilities for each in (before, after)]
    np.testing.assert_allclose(scores[1], scores[0], atol=close)
    np.testing.assert_allclose(after.align(*pair_of_texts()).weights, old[layer][chosen].mean(0), atol=close)
    assert main(["aer", folder, "first", *asked]) == 2
    assert "first exists already" in capsys.readouterr().err


def pair_of_texts() -> tuple[str, str]:
    return SOURCE[0], TARGET[0]


def test_heads_are_written_as_others_read_them(place: Path, cli: Commands) -> None:
    asked = ["--source", "source", "--target", "target", "--gold", "gold", "--map", "heads", "--json"]
    lines = [json.loads(line) for line in cli.printed("aer", "marian", "heads.json", *asked).split("\n")[:-1]]
    rates = {line["map"]: line["aer"] for line in lines}
    found = json.loads((place / "heads.json").read_text())
    assert (found["direction"], found["num_layers"], found["num_heads"], found["used_pairs"]) == ("en-fr", 3, 4, 2)
    listed = found["token_alignment_heads"]
    assert len({(each["layer"], each["head"]) for each in listed}) == 12
    assert [each["ts"] for each in listed] == sorted((each["ts"] for each in listed), reverse=True)
    for each in listed:
        assert each["ts"] == pytest.approx(1 - rates[f"heads {each['layer']}.{each['head']} before"], abs=1e-6)


def test_a_run_has_no_heads(random_runs: Path, place: Path, cli: Commands) -> None:
    asked = ["--source", "source", "--target", "target", "--gold", "gold", "--map", "heads"]
    assert "search-words has no heads: --map heads is for a folder of Hugging Face" in cli.refused(
        "aer", str(random_runs / "search-words"), *asked
    )


@pytest.fixture
def hub(place: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A made-up hub: folders by the names of their models. Runs are in a folder of their own."""
    models: dict[str, Path] = {}

    def snapshot(name: str, *, local_dir: Path, allow_patterns: list[str], token: bool) -> None:
        assert token is False
        for file in models[name].iterdir():
            if any(fnmatch(file.name, pattern) for pattern in allow_patterns):
                local_dir.mkdir(exist_ok=True)
                shutil.copy(file, local_dir)
        (local_dir / ".cache" / "huggingface").mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    monkeypatch.setenv("JOINTLY_RUNS", "runs")
    return models


@pytest.mark.parametrize("pickled", [False, True])
def test_a_model_of_the_hub_is_downloaded_among_the_runs(
    place: Path, hub: dict[str, Path], cli: Commands, pickled: bool
) -> None:
    import torch
    from safetensors.torch import load_file

    expected = open_system("marian").score(SOURCE[0], TARGET[0]).log_probability
    hub["owner/mine"] = place / "marian"
    (place / "marian" / "tf_model.h5").write_bytes(b"other weights")
    (place / "marian" / "code.py").write_text("raise SystemExit")
    torch.save(load_file(place / "marian" / "model.safetensors"), place / "marian" / "pytorch_model.bin")
    if pickled:
        (place / "marian" / "model.safetensors").unlink()
    assert cli.printed("get", "owner/mine", "--from", "hub") == "mine: runs/mine\n"
    assert open_system("runs/mine").score(SOURCE[0], TARGET[0]).log_probability == pytest.approx(expected, abs=1e-6)
    assert {path.name for path in Path("runs").iterdir()} == {"mine"}
    names = {path.name for path in Path("runs/mine").iterdir()}
    assert "config.json" in names
    assert not names & {"tf_model.h5", "code.py", "pytorch_model.bin", ".cache"}
    assert "runs/mine exists already" in cli.refused("get", "owner/mine", "--from", "hub")


def test_what_is_not_downloaded_is_one_sentence(place: Path, hub: dict[str, Path], cli: Commands) -> None:
    hub["owner/empty"] = place / "empty"
    hub["owner/empty"].mkdir()
    for arguments, sentence in (
        (["owner/empty"], "owner/empty has neither safetensors nor a pytorch_model.bin"),
        ([], "--from hub takes names of models"),
    ):
        assert sentence in cli.refused("get", *arguments, "--from", "hub")
    assert not [*Path("runs").glob("*")]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("owner/mine", "owner/mine was not downloaded: the Hugging Face hub cannot be reached"),
        ("a b/c/d", "a b/c/d was not"),
    ],
)
def test_without_a_network_no_model_is_downloaded(
    place: Path, name: str, sentence: str, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    """By huggingface_hub itself: nobody listens at the address."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("JOINTLY_RUNS", "runs")
    (line,) = cli.refused("get", name, "--from", "hub").splitlines()
    assert sentence in line
    assert not [*Path("runs").glob("*")]


def test_a_pickle_is_converted_once_and_as_weights_alone(place: Path, cli: Commands) -> None:
    import pickle

    import torch
    from safetensors.torch import load_file

    weights, pair = load_file(place / "marian" / "model.safetensors"), (SOURCE[0], TARGET[0])
    before = open_system("marian").score(*pair).log_probability
    (place / "marian" / "model.safetensors").unlink()
    pickled = place / "marian" / "pytorch_model.bin"
    torch.save(weights, pickled)
    assert "`jointly get marian` converts a pytorch_model.bin" in cli.refused(
        "score", "marian", "--source", "source", "--target", "target"
    )
    assert cli.printed("get", "marian") == "marian: in safetensors now\n"
    assert open_system("marian").score(*pair).log_probability == pytest.approx(before, abs=1e-6)

    class Harm:
        def __reduce__(self) -> tuple[object, tuple[Path]]:
            return Path.touch, (place / "ran",)

    pickled.write_bytes(pickle.dumps({"a": Harm()}))
    assert "does not have weights alone" in cli.refused("get", "marian")
    assert not (place / "ran").exists()
