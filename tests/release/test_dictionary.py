"""``dictionary``, and what translate, evaluate and release make of it."""

import json
import shutil
from pathlib import Path

import pytest
import sacrebleu
from safetensors import safe_open
from safetensors.torch import save_file

import nmt
from nmt.data.links import read_dictionary
from nmt.data.vocabulary import UNK_ID
from nmt.results import UNKNOWN
from release.checksums import write_checksums
from tests.cli.test_commands import stdin
from tests.programs import Commands, main

SOURCE = ["The zebra sleeps.", "a zebra reads , she sleeps", "", "the cat is on a boat", "the boat"]
TARGET = ["Le zèbre dort.", "un zèbre lit , elle dort", "", "le chat est sur un bateau", "la barque"]
LINKS = ["0-0 1-1 2-2 3-3", "0-0 1-1 2-2 3-3 4-4 5-5", "", "0-0 1-1 2-2 3-3 4-4 5-5 0-5", "0-0 1-1"]


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    """A run of its own with a word shortlist, which has neither zèbre nor bateau, barque or un; it likes [UNK]."""
    run = tmp_path / "run"
    shutil.copytree(random_runs / "search-words", run)
    with safe_open(run / "model.safetensors", "pt") as file:
        tensors, header = {name: file.get_tensor(name) for name in file.keys()}, file.metadata()  # noqa: SIM118
    tensors["readout.b_o"][UNK_ID] += 8
    save_file(tensors, run / "model.safetensors", header)
    return run


@pytest.fixture
def corpus(tmp_path: Path) -> list[str]:
    """Options that name the files, --links last."""
    for name, lines in (("s", SOURCE), ("t", TARGET), ("l", LINKS)):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return [f"--{name}={tmp_path / name[0]}" for name in ("source", "target", "links")]


def test_only_words_that_the_run_cannot_write_are_in(
    run: Path, corpus: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_checksums(run)
    assert main(["release", "dictionary", str(run), *corpus, "--json"]) == 0
    words = read_dictionary(run / "dictionary.tsv")
    vocabulary = nmt.load(run).target.vocabulary
    assert words["zebra"] == "zèbre"
    assert "sleeps" not in words
    assert "." not in words
    assert all(vocabulary.encode([word]).unknown for word in words.values())
    (result,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (result["entries"], result["pairs"]) == (len(words), 4)
    assert words["a"] == "un"


def test_the_file_may_be_another_than_the_one_that_the_run_uses(run: Path, corpus: list[str], tmp_path: Path) -> None:
    out = tmp_path / "d.tsv"
    assert main(["release", "dictionary", str(run), *corpus, f"--out={out}"]) == 0
    assert read_dictionary(out)["zebra"] == "zèbre"
    assert not (run / "dictionary.tsv").exists()


def test_translate_writes_the_entry_of_the_most_attended_word(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In all of the n-best, by each hypothesis' own alpha; bare, the flag uses the dictionary where there is one."""
    texts = ["zebra", "the mat", "she reads Kyoto zebra"]
    entries = {"zebra": "zèbre", "the": "cette", "reads": "l'", "mat": "natte"}

    def texts_of(*options: str) -> list[str]:
        stdin(monkeypatch, "\n".join(texts).encode())
        assert main(["translate", str(run), "--beam=3", "--n-best=3", *options]) == 0
        return [line.split(" ||| ")[1] for line in capsys.readouterr().out.splitlines()]

    def expected(words: dict[str, str]) -> list[str]:
        found = []
        for translation in model.translate(texts, beam=3, n_best=3):
            for h in translation.hypotheses:
                assert h.alignment is not None
                attended = h.alignment.weights[:, :-1].argmax(axis=1)  # never the end mark
                sources = [h.alignment.source[int(j)] for j in attended]
                written = [words.get(s, s) if t == UNKNOWN else t for t, s in zip(h.tokens, sources, strict=True)]
                found.append(model.target.tokenizer.detokenize(written[:-1]))
        return found

    model = nmt.load(run)
    plain, copied = texts_of(), texts_of("--replace-unk=copy")
    assert any(UNKNOWN in text for text in plain)
    assert copied == expected({}) == texts_of("--replace-unk")
    (run / "dictionary.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in entries.items()), encoding="utf-8")
    translated = texts_of("--replace-unk", "dictionary")
    assert translated == expected(entries) == texts_of("--replace-unk")
    assert texts_of("--replace-unk", "copy") == copied
    assert len({tuple(plain), tuple(copied), tuple(translated)}) == 3


def test_evaluate_says_so_in_its_signature_and_keeps_nothing(run: Path, tmp_path: Path, cli: Commands) -> None:
    entries = dict.fromkeys("the cat sleeps a zebra mat".split(), "mer")
    (run / "dictionary.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in entries.items()), encoding="utf-8")
    sources = ["the cat sleeps", "a zebra", "the mat"]
    references = ["la chat dort", "une zebra", "la mer"]
    for name, lines in (("s", sources), ("t", references)):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    arguments = ["evaluate", str(run), f"--source={tmp_path / 's'}", f"--reference={tmp_path / 't'}", "--json"]
    found = {}
    for unk, options in {
        "yes": [],
        "copy": ["--replace-unk", "copy", "--name=kept"],
        "dictionary": ["--replace-unk", "--name=kept"],
        "no": ["--no-unk", "--replace-unk", "--name=kept"],
    }.items():
        found[unk] = json.loads(cli.printed(*arguments, "--beam=2", *options))["no_unk" if unk == "no" else "all"]
        assert f"unk:{unk}" in found[unk]["signature"].split("|")
    assert not (run / "evaluation" / "kept.json").exists()
    model = nmt.load(run)
    for unk, replace_unk in {"yes": False, "copy": "copy", "dictionary": "dictionary"}.items():
        written = [t.text for t in model.translate(sources, beam=2, replace_unk=replace_unk)]  # type: ignore[arg-type]
        assert found[unk]["chrf"] == pytest.approx(sacrebleu.corpus_chrf(written, [references]).score)
    assert len({found[unk]["chrf"] for unk in ("yes", "copy", "dictionary")}) == 3


def test_a_release_takes_it_along(run: Path, tmp_path: Path) -> None:
    (run / "dictionary.tsv").write_text("sea\tmer\n", encoding="utf-8")
    assert main(["release", "publish", str(run), str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "dictionary.tsv").read_bytes() == (run / "dictionary.tsv").read_bytes()


FAULTS = {
    "no links": (["RUN", "S", "T"], "--links"),
    "no run": (["absent", "S", "T", "L"], "there is no run folder absent"),
    "fewer links": (["RUN", "S", "T", "--links", "a", "b"], "1 source files, but 2 files of links"),
    "nothing left": (["RUN", "ONE", "KNOWN", "DIAGONAL"], "no word that the run cannot write is linked"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong_is_one_sentence(
    fault: str, run: Path, corpus: list[str], tmp_path: Path, cli: Commands
) -> None:
    (tmp_path / "known").write_text("le chat\n", encoding="utf-8")
    (tmp_path / "one").write_text("the cat\n", encoding="utf-8")
    (tmp_path / "diagonal").write_text("0-0 1-1\n", encoding="utf-8")
    places = dict(zip("STL", corpus, strict=True)) | {"RUN": str(run)}
    places |= {"ONE": f"--source={tmp_path / 'one'}", "KNOWN": f"--target={tmp_path / 'known'}"}
    places["DIAGONAL"] = f"--links={tmp_path / 'diagonal'}"
    arguments, message = FAULTS[fault]
    error = cli.refused("release", "dictionary", *(places.get(part, part) for part in arguments))
    assert message in error
    assert not (run / "dictionary.tsv").exists()


def test_what_cannot_be_replaced_is_said(
    run: Path, random_runs: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    for place, message in ((run, "run has no dictionary.tsv"), (random_runs / "encdec-words", "without alpha")):
        stdin(monkeypatch, b"she\n")
        assert message in cli.refused("translate", str(place), "--replace-unk", "dictionary")
    (run / "dictionary.tsv").write_text("sea\n", encoding="utf-8")
    stdin(monkeypatch, b"she\n")
    assert "dictionary.tsv, line 1" in cli.refused("translate", str(run))
