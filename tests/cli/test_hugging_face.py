"""A folder of Hugging Face in the place of a run: what commands print is what Python says."""

import json
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.inference.systems import open_system
from tests.oracles.hugging_face_folders import build

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


def test_commands_print_what_the_system_says(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = open_system("marian")
    texts = ["--source", "source", "--target", "target"]
    assert main(["score", "marian", *texts]) == 0
    scores = [float(line) for line in capsys.readouterr().out.split("\n")[:-1]]
    assert scores == pytest.approx([each.log_probability for each in system.score(SOURCE, TARGET)], abs=1e-5)
    assert main(["align", "marian", *texts]) == 0
    links = [" ".join(f"{j}-{i}" for j, i in sorted(each.links())) for each in system.align(SOURCE, TARGET)]
    assert capsys.readouterr().out.split("\n")[:-1] == links
    assert main(["aer", "marian", *texts, "--gold", "gold", "--map", "leave-one-out"]) == 0
    assert capsys.readouterr().out.startswith("AER ")
    assert main(["align", "marian", *texts, "--map", "posterior"]) == 2
    assert "marian is of the kind transformer" in capsys.readouterr().err
    assert main(["score", "many", *texts, "--languages", "en", "fr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.split("\n")[0])["systems"][0]["kind"] == "transformer"
    assert main(["score", "many", *texts]) == 2
    assert "many knows several source languages: give --languages" in capsys.readouterr().err


def test_it_is_evaluated_and_compared_like_a_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["evaluate", "marian", "--source", "source", "--reference", "target", "--beam", "1", "--fresh"]
    assert main([*asked, "--name", "mine", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "|run:marian|beam:1|" in found["all"]["signature"].replace("#", "|")
    assert (place / "marian" / "evaluation" / "mine.json").is_file()
    assert main(["compare", "marian", "--set", "mine", "--on", "mine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"] == ["marian"]


def test_heads_are_measured_as_their_links_are(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from nmt.evaluation.alignment_error_rate import alignment_error_rate, read_gold

    asked = ["aer", "marian", "--source", "source", "--target", "target", "--gold", "gold", "--map", "heads"]
    assert main([*asked, "--json"]) == 0
    found = {line["map"]: line for line in map(json.loads, capsys.readouterr().out.split("\n")[:-1])}
    assert len(found) == 2 * 3 * (4 + 1) + 1
    # a head that the configuration names is the alpha of the system, whose links the command draws
    settings = place / "marian" / "generation_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"alignment_heads": [[2, 1]]}))
    links = [frozenset(each.links()) for each in open_system("marian").align(SOURCE, TARGET, pretokenised=True)]
    expected = alignment_error_rate(links, read_gold(place / "gold"))
    assert found["heads 2.1 before"]["aer"] == pytest.approx(expected.aer)
    assert found["heads 2.1 before"]["links"] == expected.links
    assert main(asked) == 0
    printed = capsys.readouterr().out.split("\n")
    rates = [float(line.split("%")[0].removeprefix("AER")) for line in printed if line.startswith("AER")]
    assert rates[:-1] == sorted(rates[:-1])
    assert "chosen on the other half" in printed[-3]
    assert printed[-2].startswith('"alignment_heads": [[')
    assert ("(alpha has the row before" in printed[-2]) == (" after, chosen" in printed[-3])
    assert main([*asked, "--rule", "argmax"]) == 2
    assert "give no --rule, --reverse or --name" in capsys.readouterr().err


def test_a_run_has_no_heads(random_runs: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--source", "source", "--target", "target", "--gold", "gold", "--map", "heads"]
    assert main(["aer", str(random_runs / "search-words"), *asked]) == 2
    assert "search-words has no heads: --map heads is for a folder of Hugging Face" in capsys.readouterr().err


def test_a_pickle_is_converted_once_and_as_weights_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pickle

    import torch
    from safetensors.torch import load_file

    weights, pair = load_file(place / "marian" / "model.safetensors"), (SOURCE[0], TARGET[0])
    before = open_system("marian").score(*pair).log_probability
    (place / "marian" / "model.safetensors").unlink()
    pickled = place / "marian" / "pytorch_model.bin"
    torch.save(weights, pickled)
    assert main(["score", "marian", "--source", "source", "--target", "target"]) == 2
    assert "`jointly get marian` converts a pytorch_model.bin" in capsys.readouterr().err
    assert main(["get", "marian"]) == 0
    assert capsys.readouterr().out == "marian: in safetensors now\n"
    assert open_system("marian").score(*pair).log_probability == pytest.approx(before, abs=1e-6)

    class Harm:
        def __reduce__(self) -> tuple[object, tuple[Path]]:
            return Path.touch, (place / "ran",)

    pickled.write_bytes(pickle.dumps({"a": Harm()}))
    assert main(["get", "marian"]) == 2
    assert "does not have weights alone" in capsys.readouterr().err
    assert not (place / "ran").exists()
