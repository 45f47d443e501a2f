"""Values that JSON allows and a run does not: each gives one sentence that names the file and the key, and no damaged
run spoils the listing of the others."""

import json
import re
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from nmt.data.subwords import Pieces, load_vocabulary
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluation, write_evaluation
from nmt.evaluation.measurement_files import read_error_rates
from nmt.files import write_json
from nmt.inference.translator import load
from nmt.records import FORMAT_VERSION
from nmt.runs.folder import BrokenRun, RunInfo, list_runs, read_events, read_run, read_weights_info
from nmt.runs.provenance import CorpusUsed, InitialWeights, Machine, Provenance, Session, read_provenance
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.programs import Commands

DEEP = "[" * 100_000
LONE = "\ud800"


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    """A run with another one beside it."""
    shutil.copytree(random_runs / "search-words", tmp_path / "runs" / "mine")
    shutil.copytree(random_runs / "search-bpe", tmp_path / "runs" / "other")
    return tmp_path / "runs" / "mine"


def edit(path: Path, keys: str, value: Any) -> None:
    """Replace a value of a JSON file; ``keys`` leads to it, as in ``train.0.source``."""
    data = json.loads(path.read_text(encoding="utf-8"))
    place = data
    *parents, last = [int(key) if key.isdecimal() else key for key in keys.split(".")]
    for key in parents:
        place = place[key]
    place[last] = value
    path.write_text(json.dumps(data), encoding="utf-8")  # NaN, Infinity and \\ud800 as Python writes them


def with_header(run: Path, text: str) -> None:
    """Replace the ``nmt`` entry in the header of the weights."""
    path = run / "model.safetensors"
    save_file(load_file(path), path, metadata={"nmt": text})


def one_sentence(message: str, file: str, named: str = "") -> None:
    """Assert that a message is short, has one line that can be printed, and names the file and what is wrong in it."""
    assert len(message) < 500
    assert "\n" not in message
    message.encode()
    assert re.search(f"{re.escape(file)}.*{named}", message), message


def refused(cli: Commands, command: list[str], file: str) -> None:
    """Assert that a command ends as it does for every other fault of its input."""
    printed = cli.refused(*command).strip()
    assert "Traceback" not in printed
    one_sentence(printed, file)


HEADERS = {
    "nested": (DEEP, r"\bnested\b"),
    "a list": ("[]", r"\bJSON object$"),
    "no epoch": (json.dumps({"format": 1, "epoch": "x"}), r"\bepoch .*'x'"),
    "NaN": (json.dumps({"format": 1, "epoch": float("nan")}), "NaN"),
    "infinite": (json.dumps({"format": 1, "dev_bleu": float("inf")}), "Infinity"),
    "update": (json.dumps({"format": 1, "update": -1}), r"\bupdate .*\b0, .*-1$"),
    "million": ('{"format": 1, "update": 1' + "0" * 30 + "}", r"\b10{10}.* large\b"),
}


@pytest.mark.parametrize(("text", "named"), HEADERS.values(), ids=HEADERS)
def test_a_header_of_weights(run: Path, text: str, named: str, cli: Commands) -> None:
    with_header(run, text)
    with pytest.raises(InputError) as error:
        read_weights_info(run / "model.safetensors")
    one_sentence(str(error.value), str(run / "model.safetensors"), named)
    broken, other = list_runs(run.parent)
    assert isinstance(broken, BrokenRun)
    assert broken.problem == str(error.value)
    assert isinstance(other, RunInfo)
    for command in (["inspect"], ["release", "card"]):
        refused(cli, [*command, str(run)], "model.safetensors")


CONFIGS = {
    "units": ("model.hidden", 10**12, r"\bmodel\.hidden .*\b100000\b.*\b10{12}\b"),
    "embedding": ("model.embedding", 10**12, r"\bmodel\.embedding .*\b10{12}\b"),
    "maxout": ("model.maxout", 10**15, r"\bmodel\.maxout .*\b10{15}\b"),
    "alignment": ("model.alignment", 10**29, r"\b10{10}.* large\b"),
    "a vocabulary below 0": ("target_vocabulary.size", -1, r"\btarget_vocabulary\.size .*\b2, .*-1$"),
    "a vocabulary beyond all": ("source_vocabulary.size", 10**12, r"\bsource_vocabulary\.size .*\b10{12}\b"),
    "kind": ("source_vocabulary.kind", LONE, "surrogate"),
    "recipe": ("recipe", LONE, "surrogate"),
    "a number as text": ("training.seed", "1", r"\btraining\.seed .*'1'$"),
    "true": ("training.seed", True, r"\btraining\.seed .*\bTrue$"),
    "NaN": ("training.learning_rate", float("nan"), "NaN"),
    "a key": ("training.batchsize", 3, r"\btraining\.batchsize; .*\btraining\.batch_size\b"),
    "a language": ("source_language", None, r"\bsource_language .*\bNone$"),
    "another version": ("format", True, r"\bformat True\b"),
}


@pytest.mark.parametrize(("key", "value", "named"), CONFIGS.values(), ids=CONFIGS)
def test_settings(run: Path, key: str, value: Any, named: str, cli: Commands) -> None:
    edit(run / "config.json", key, value)
    with pytest.raises(InputError) as error:
        read_run(run)
    one_sentence(str(error.value), str(run / "config.json"), named)
    assert [type(found) for found in list_runs(run.parent)] == [BrokenRun, RunInfo]
    for command in (
        ["inspect", str(run)],
        ["release", "publish", str(run), str(run.parent / "new")],
        ["release", "overview", str(run.parent)],
    ):
        refused(cli, command, "config.json")


def event(**fields: Any) -> str:
    known = {"update": 1, "epoch": 0.5, "nll_per_word": 2.0, "nll_per_sentence": 9.0, "words_per_second": 5.0}
    known |= {"gradient_norm": 1.0, "learning_rate": 1.0, "seconds": 3.0}
    return json.dumps({"event": "update"} | known | fields)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (DEEP, r"\bnested\b"),
        (event(update=""), r"\bupdate .*''$"),
        (event(words_per_second=[[]]), r"\bwords_per_second .*\[\[\]\]$"),
        (event(seconds=float("nan")), "NaN"),
        (event(second=1), r"\bsecond; .*\bseconds\b"),
        (json.dumps({"event": ["update"]}), r"\bevent\b"),
        (json.dumps({"event": "stop", "update": 1, "reason": LONE, "seconds": 1}), "surrogate"),
        ("3", r"\bJSON object$"),
    ],
)
def test_events(run: Path, line: str, named: str, cli: Commands) -> None:
    path = run / "training.jsonl"
    path.write_text(f"{event()}\n{line}\n{event()}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_events(run)
    one_sentence(str(error.value), f"{path}, line 2", named)
    refused(cli, ["inspect", str(run)], "training.jsonl, line 2")
    path.write_text(f"{event()}\n{line[: len(line) // 2]}", encoding="utf-8")  # cut off by a kill
    assert len(read_events(run)) == 1


def provenance() -> Provenance:
    machine = Machine(processor="p", cores=1, memory_gb=1, system="s", python="3", torch="2")
    session = Session(command="c", commit="", device="cpu", processes=1, threads=1, from_update=0, machine=machine)
    corpus = CorpusUsed(
        source="a/b", target="a/c", source_sha256="1", target_sha256="2", repeat=1, read=5, kept=4, links_sha256=None
    )
    mine = Provenance(train=(corpus,), dev=(corpus,), pairs_per_epoch=4, tokens=9, sessions=(session,))
    initial = InitialWeights(run="r", sha256="3", update=7, provenance=mine)
    return Provenance(
        train=(corpus,), dev=(), pairs_per_epoch=4, tokens=9, sessions=(session, session), initial=initial
    )


def test_a_provenance_is_what_was_written(run: Path) -> None:
    write_json(run / "provenance.json", {"format": FORMAT_VERSION} | asdict(provenance()))
    assert read_provenance(run) == provenance()


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("train.0.source", None, r"\btrain\[0\]\.source .*\bNone$"),
        ("train.0.source", 3, r"\btrain\[0\]\.source .*\b3$"),
        ("train.0.source", LONE, "surrogate"),
        ("train.0.target", True, r"\btrain\[0\]\.target .*\bTrue$"),
        ("train.0.target", 1e15, r"\btrain\[0\]\.target .*\b10{15}\.0$"),
        ("train.0.target", float("inf"), "Infinity"),
        ("initial.provenance.train.0.kept", "4", r"\binitial\.provenance\.train\[0\]\.kept .*'4'$"),
        ("sessions.1.machine", [], r"\bsessions\[1\]\.machine .*\[\]$"),
        ("sessions.1.machine.core", 2, r"\bsessions\[1\]\.machine\.core; .*\bsessions\[1\]\.machine\.cores\b"),
    ],
)
def test_provenances(run: Path, key: str, value: Any, named: str, cli: Commands) -> None:
    path = run / "provenance.json"
    write_json(path, {"format": FORMAT_VERSION} | asdict(provenance()))
    edit(path, key, value)
    with pytest.raises(InputError) as error:
        read_provenance(run)
    one_sentence(str(error.value), str(path), named)
    refused(cli, ["release", "card", str(run)], "provenance.json")


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("results.0.map", float("nan"), "NaN"),
        ("results.0.map", 1.5, r"\bresults\[0\]\.map .*\b1\.5$"),
        ("results.0.sure", float("inf"), "Infinity"),
        ("results.0.sure", 0, r"\bresults\[0\]\.sure .*\b1, .*\b0$"),
        ("results.0.links", -3, r"\bresults\[0\]\.links .*\b0, .*-3$"),
        ("results", {}, r"\bresults .*\{\}$"),
    ],
)
def test_error_rates(run: Path, key: str, value: Any, named: str) -> None:
    path = run / "alignment" / "gold.json"
    path.parent.mkdir()
    counts = {"links": 4, "sure": 3, "possible": 5, "sure_found": 2, "possible_found": 3, "n": 2}
    rates = {"aer": 0.25, "precision": 0.75, "recall": 2 / 3, "interval": {"low": 0.1, "high": 0.4}}
    result = {"run": "mine", "update": 7, "map": "attention", "rule": "argmax"} | rates | counts
    write_json(path, {"format": 1, "gold": "gold", "results": [result]})
    (found,) = read_error_rates(run)["gold"]
    assert found.to_dict() == result | {"aer": 1 - 5 / 7}
    edit(path, key, value)
    with pytest.raises(InputError) as error:
        read_error_rates(run)
    one_sentence(str(error.value), str(path), named)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("all.signature", LONE, "surrogate"),
        ("all.bleu", "30", r"\ball\.bleu .*'30'$"),
        ("sentences_given", 2.5, r"\bsentences_given .*\b2\.5$"),
        ("pairs", [], r"\bpairs: .*\bobject"),
        ("all.hypotheses", None, r"\ball\.hypotheses: .*\bobject"),
        ("pairs.source_words", ["a"] * 5, r"\bsource_words .*\binteger\b"),
        ("statistics", {}, r"\bstatistics; .*\brun, test_set\b"),
        ("no_unk", 3, r"\bno_unk .*\b3$"),
        ("all.search", {"beam": 10**9}, r"\bbeam .*\b1000, .*\b10{9}$"),
        ("all.by_length", [], r"\bby_length\b"),
    ],
)
def test_evaluations(run: Path, key: str, value: Any, named: str) -> None:
    write_evaluation(run, evaluated("mine", "set", texts([3, 4, 5, 6, 7])))
    path = run / "evaluation" / "set.json"
    assert read_evaluation(path).system == "mine"
    edit(path, key, value)
    with pytest.raises(InputError) as error:
        read_evaluation(path)
    one_sentence(str(error.value), str(path), named)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (DEEP, r"\bnested\b"),
        ('{"format": 1, "kind": "words"}', r"\bwords .*missing$"),
        ('{"format": 1, "kind": "words", "words": ["a", 3]}', r"\bwords\[1\] .*\b3$"),
        ('{"format": 1, "kind": "words", "words": ["\\ud800"]}', "surrogate"),
        ('{"format": 1, "kind": "morphs"}', r"\bkind .*\bwords, unigram, bpe, .*'morphs'$"),
        ('{"format": 2, "kind": "bpe"}', r"\bformat 2\b"),
        ('{"format": 1, "kind": "words", "words": ["a"], "word": []}', r"\bword; .*\bwords\b"),
    ],
)
def test_vocabularies(run: Path, text: str, named: str, cli: Commands) -> None:
    path = run / "target.vocabulary.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_vocabulary(run, "target")
    one_sentence(str(error.value), str(path), named)
    with pytest.raises(InputError):
        load(run)
    refused(cli, ["translate", str(run)], "target.vocabulary.json")


def test_a_subword_that_is_no_utf_8_is_found_when_it_is_read(run: Path) -> None:
    """Every byte of the list of subwords is spoilt in turn. No model that is accepted may fail later."""
    vocabulary = load_vocabulary(run.parent / "other", "target")
    assert isinstance(vocabulary, Pieces)
    refusals = 0
    for position in range(min(len(vocabulary.model), 400)):
        damaged = bytearray(vocabulary.model)
        damaged[position] ^= 0x80
        try:
            accepted = Pieces(bytes(damaged), "bpe", "my file")
        except InputError as error:
            one_sentence(str(error), "my file")
            refusals += "not UTF-8" in str(error)
        else:
            accepted.tokens(range(len(accepted)))
            accepted.words(range(len(accepted)))
            accepted.encode(["a", "word"])
    assert refusals


def test_weights_are_not_needed_to_refuse_sizes(run: Path) -> None:
    """The largest sizes that are allowed describe a model that can be compared with the file."""
    for name in ("embedding", "hidden", "alignment", "maxout"):
        edit(run / "config.json", f"model.{name}", 100_000)
    edit(run / "config.json", "target_vocabulary.size", 10_000_000)
    with pytest.raises(InputError, match="10000000"):
        load(run)
