"""``evaluate`` and ``compare``: what they print equals what sacreBLEU says of the model's own translations."""

import json
import lzma
import re
import shutil
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import nmt
from nmt.answers.searches import CachedSearch
from nmt.cli import main
from nmt.cli.lines import Bar
from nmt.evaluation.evaluation_files import read_evaluated_system, read_evaluation
from nmt.evaluation.measurement_files import NO_TRANSLATIONS, SavedTranslations, read_translations
from nmt.evaluation.metrics import corpus_scores
from nmt.inference.text_search import EncodedSentence, TextSearch
from nmt.inference.translator import Translator
from nmt.records import as_record
from nmt.results import SentenceStatistics
from nmt.results.evaluation import Evaluation
from nmt.runs import folder as run_folder
from nmt.runs.folder import RunSettings, read_run
from tests.programs import Commands

SOURCE = ["The girl reads, the cat sleeps.", "", "she has never seen the sea", "a cat is on a mat ."]
TARGET = ["La fille lit, le chat dort.", "elle", "elle a jamais vu la mer", "une chat est sur une ."]
OTHER = ["the cat reads .", "a girl is on the sea ."], ["le chat lit .", "une fille est sur la mer ."]


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> str:
    return str(shutil.copytree(random_runs / "search-words", tmp_path / "run"))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Source and reference of one set, then of another, compressed."""
    paths = []
    for name, lines in (("source", SOURCE), ("target", TARGET), ("other.en.xz", OTHER[0]), ("other.fr.xz", OTHER[1])):
        data = "".join(line + "\n" for line in lines).encode()
        (tmp_path / name).write_bytes(lzma.compress(data) if name.endswith(".xz") else data)
        paths.append(str(tmp_path / name))
    return paths


def single(files: list[str]) -> list[str]:
    return ["--source", files[0], "--reference", files[1], "--beam", "3"]


@pytest.mark.parametrize("option", ["--hard-attention", "--replace-unk=copy"])
def test_only_the_models_own_output_is_saved_as_the_runs_result(run: str, files: list[str], option: str) -> None:
    before = sorted(Path(run).rglob("*"))
    assert main(["evaluate", run, *single(files), "--name", "mine", option]) == 0
    assert sorted(Path(run).rglob("*")) == before
    assert main(["evaluate", run, *single(files), "--name", "mine"]) == 0
    assert (Path(run) / "evaluation" / "mine.json").is_file()


def two_sets(files: list[str]) -> list[str]:
    return ["--set", "one", *files[:2], "--set", "two", *files[2:], "--beam", "3"]


def translations(model: Translator, no_unk: bool = False) -> list[str]:
    return [t.text for t in model.translate(SOURCE, beam=3, no_unk=no_unk)]


def known(model: Translator) -> list[int]:
    """Indices of the pairs without an unknown word."""
    sides = zip(SOURCE, TARGET, strict=True)
    return [i for i, (s, t) in enumerate(sides) if not model.source.encode(s).unknown + model.target.encode(t).unknown]


def test_the_folder_of_a_run_is_read_once(run: str, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read_settings = run_folder.read_settings

    def counted(path: Path) -> RunSettings:
        reads.append(path.name)
        return read_settings(path)

    monkeypatch.setattr(run_folder, "read_settings", counted)
    assert main(["evaluate", run, *single(files)]) == 0
    assert reads == ["run"]


def test_evaluate(run: str, files: list[str], cli: Commands) -> None:
    arguments = ["evaluate", run, *single(files)]
    (result,) = cli.objects(*arguments, "--name", "own.1")
    texts = translations(nmt.load(run))
    bleu = sacrebleu.BLEU()
    assert result["all"]["bleu"] == pytest.approx(bleu.corpus_score(texts, [TARGET]).score)
    assert result["all"]["signature"].startswith(str(bleu.get_signature()))
    for part in ("run:run", "update:7", "beam:3", "unk:yes", "test:own.1", "n:4"):
        assert part in result["all"]["signature"].split("|")
    assert result["all"]["chrf"] == pytest.approx(sacrebleu.CHRF().corpus_score(texts, [TARGET]).score)
    assert result["all"]["ter"] == pytest.approx(sacrebleu.TER().corpus_score(texts, [TARGET]).score)
    kept = json.loads(Path(run, "evaluation", "own.1.json").read_text("utf-8"))
    kept.pop("format")
    assert as_record(Evaluation, kept).to_dict(statistics=False) == result
    assert kept["weights_sha256"] == read_run(run).weights.sha256()
    plain = cli.printed(*arguments)
    assert re.search(rf"BLEU +{result['all']['bleu']:.2f} ", plain)
    assert len(list(Path(run, "evaluation").iterdir())) == 1


def test_statistics_of_a_model(run: str, files: list[str]) -> None:
    assert main(["evaluate", run, *single(files), "--name", "own"]) == 0
    statistics = read_evaluation(Path(run, "evaluation", "own.json")).statistics()
    assert statistics is not None
    pairs, hypotheses = statistics.pairs, statistics.hypotheses
    model = nmt.load(run)
    best = [t.best for t in model.translate(SOURCE, beam=3)]
    forced = model.score(SOURCE, TARGET)
    assert hypotheses.tokens is not None
    assert hypotheses.tokens.tolist() == [len(h.tokens) for h in best]
    assert hypotheses.log_probability == pytest.approx([h.log_probability for h in best], abs=1e-3)
    assert pairs.reference_log_probability == pytest.approx([f.log_probability for f in forced], abs=1e-3)
    assert pairs.reference_tokens is not None
    assert pairs.reference_tokens.tolist() == [len(f.tokens) for f in forced]
    for column, side, lines in (
        (pairs.source_unknown, model.source, SOURCE),
        (pairs.reference_unknown, model.target, TARGET),
    ):
        assert column is not None
        assert column.tolist() == [len(side.encode(line).unknown) for line in lines]


def test_evaluate_without_unknown_words(run: str, files: list[str], cli: Commands) -> None:
    (result,) = cli.objects("evaluate", run, *single(files), "--no-unk")
    model = nmt.load(run)
    kept = known(model)
    assert 0 < len(kept) < len(SOURCE)
    assert (result["no_unk"]["sentences"], result["sentences_given"]) == (len(kept), len(SOURCE))
    texts = translations(model, no_unk=True)
    expected = sacrebleu.corpus_bleu([texts[i] for i in kept], [[TARGET[i] for i in kept]]).score
    assert result["all"] is None
    assert result["no_unk"]["bleu"] == pytest.approx(expected)
    assert "unk:no" in result["no_unk"]["signature"].split("|")


def test_both_columns_at_once_or_one_by_one(run: str, files: list[str], cli: Commands) -> None:
    arguments = ["evaluate", run, *single(files), "--name", "own"]
    kept = Path(run, "evaluation", "own.json")
    (both,) = cli.objects(*arguments, "--table-1")
    at_once = kept.read_text("utf-8")
    kept.unlink()
    (everything,) = cli.objects(*arguments)
    (no_unk,) = cli.objects(*arguments, "--no-unk")
    assert kept.read_text("utf-8") == at_once
    assert both["all"] == everything["all"]
    assert both["no_unk"] == no_unk["no_unk"]
    assert both["no_unk"]["sentences"] < both["all"]["sentences"]


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, bool]]:
    """How often each sentence was searched from here on, with and without [UNK] forbidden."""
    found = Counter[tuple[str, bool]]()
    translate = TextSearch.translate

    def counted(self: TextSearch, sentences: list[EncodedSentence], *others: Any) -> Any:
        found.update((sentence.text, bool(self.settings.forbidden)) for sentence in sentences)
        return translate(self, sentences, *others)

    monkeypatch.setattr(TextSearch, "translate", counted)
    return found


def test_each_column_is_translated_once(run: str, files: list[str], searched: Counter[tuple[str, bool]]) -> None:
    given = [text for text in SOURCE + OTHER[0] if text]
    model = nmt.load(run)
    kept = [SOURCE[i] for i in known(model) if SOURCE[i]] + OTHER[0]
    held = [text for text in kept if model.translate(text, beam=3).unk_in_beam]
    searched.clear()
    arguments = ["evaluate", run, *two_sets(files), "--table-1"]
    expected = {(text, False): 1 for text in given} | {(text, True): 1 for text in held}
    assert main(arguments) == 0
    assert searched == expected
    assert main(arguments) == 0
    assert main(["evaluate", run, *single(files), "--no-unk"]) == 0
    assert searched == expected
    assert main([*arguments, "--fresh"]) == 0
    fresh = [*((text, False) for text in given), *((text, True) for text in kept)]
    assert searched == Counter(expected) + Counter(fresh)


def test_ended_in_the_middle_and_gone_on_with(
    run: str,
    files: list[str],
    searched: Counter[tuple[str, bool]],
    monkeypatch: pytest.MonkeyPatch,
    cli: Commands,
) -> None:
    monkeypatch.setattr("nmt.evaluation.evaluate.CachedSearch", partial(CachedSearch, batch=1))
    arguments = ["evaluate", run, *single(files)]
    fresh = cli.objects(*arguments, "--fresh")
    searched.clear()

    def interrupted(bar: Bar) -> None:
        if len(searched) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Bar, "checkpoint", interrupted)
        assert main(arguments) == 130
    assert len(searched) == 2  # one is done, one was interrupted
    assert cli.objects(*arguments) == fresh
    assert sorted(searched.values()) == [1, 1, 2]


def test_precision_and_other_weights_are_translated_apart(
    run: str, files: list[str], searched: Counter[tuple[str, bool]], random_runs: Path
) -> None:
    for arguments in ([run], [run, "--precision", "bf16"], [str(random_runs / "search-bpe")]):
        assert main(["evaluate", *arguments, *single(files)]) == 0
    assert set(searched.values()) == {3}


def test_several_sets_and_all_as_one(run: str, files: list[str], cli: Commands) -> None:
    one, two = cli.objects("evaluate", run, *two_sets(files), "--table-1")
    assert [result["test_set"] for result in (one, two)] == ["one", "two"]
    texts = translations(nmt.load(run)) + [t.text for t in nmt.load(run).translate(OTHER[0], beam=3)]
    assert sorted(path.name for path in Path(run, "evaluation").iterdir()) == ["one.json", "two.json"]
    found = read_evaluated_system(run).evaluations
    parts = [part for name in ("one", "two") if (part := found[name].statistics()) is not None]
    joined = corpus_scores(SentenceStatistics.join(parts)).bleu
    assert joined == pytest.approx(sacrebleu.corpus_bleu(texts, [TARGET + OTHER[1]]).score)


def test_a_named_set_beside_an_unnamed_one_is_saved(run: str, files: list[str]) -> None:
    assert main(["evaluate", run, *single(files), "--set", "two", *files[2:]]) == 0
    assert [path.name for path in Path(run, "evaluation").iterdir()] == ["two.json"]


def test_what_is_written_is_kept_where_that_is_asked_for(run: str, files: list[str]) -> None:
    model = nmt.load(run)
    asked = ["evaluate", run, *two_sets(files)]

    def kept(test_set: str) -> SavedTranslations:
        return read_translations(Path(run), read_evaluation(Path(run) / "evaluation" / f"{test_set}.json"))

    assert main(asked) == 0
    assert kept("one") == NO_TRANSLATIONS
    assert main([*asked, "--keep-translations"]) == 0
    assert main([*asked, "--keep-translations", "--no-unk"]) == 0
    everything = model.translate(SOURCE, beam=3)
    for row, translation in enumerate(everything):
        line = kept("one").everything[row]
        assert line.text == translation.best.text
        assert (line.alignment is None) == (not SOURCE[row])
    written = translations(model, no_unk=True)
    assert {row: line.text for row, line in kept("one").no_unk.items()} == {row: written[row] for row in known(model)}
    before = kept("one")
    assert main(asked) == 0  # the same scores, without asking for the translations again
    assert kept("one") == before
    assert main([*asked, "--beam", "1"]) == 0  # other scores: no older translations stay beside them
    assert (kept("one").everything, kept("one").no_unk) == ({}, before.no_unk)


def test_a_system_that_is_only_its_output(run: str, files: list[str], tmp_path: Path, cli: Commands) -> None:
    output = tmp_path / "output"
    output.write_text("".join(line + "\n" for line in translations(nmt.load(run))), encoding="utf-8")
    system = ["phrases", "--about", "made by hand", "--hypothesis", str(output)]
    place = ["--source", files[0], "--reference", files[1], "--name", "one", "--out", str(tmp_path / "systems")]
    segments = [f"{line} | ||| {line[:1]} | {line[1:]}" for line in translations(nmt.load(run))]
    (tmp_path / "segments").write_text("".join(f"{line}\n" for line in segments), encoding="utf-8")
    cuts = ["--segments", str(tmp_path / "segments")]
    (result,) = cli.objects("evaluate-output", *system, *place, "--keep-translations", *cuts)
    own = cli.objects("evaluate", run, *two_sets(files))[0]
    assert [result["all"][key] for key in ("bleu", "chrf", "ter")] == [
        own["all"][key] for key in ("bleu", "chrf", "ter")
    ]
    assert {"system:phrases", "n:4", "test:one"} < set(result["all"]["signature"].split("|"))
    found = read_evaluated_system(tmp_path / "systems" / "phrases")
    assert (found.name, found.about, list(found.evaluations)) == ("phrases", "made by hand", ["one"])
    statistics = found.evaluations["one"].statistics()
    assert statistics is not None
    assert statistics.hypotheses.log_probability is None
    lines = read_translations(found.path, found.evaluations["one"]).everything
    assert [lines[row].text for row in range(4)] == translations(nmt.load(run))
    assert [lines[row].segments for row in range(4)] == segments
    assert main(["evaluate-output", *system, *place]) == 0  # the same output, without asking for it again
    assert read_translations(found.path, found.evaluations["one"]).everything == lines
    folders = [run, str(tmp_path / "systems" / "phrases")]
    (compared,) = cli.objects("compare", *folders, "--on", "one", "--resamples", "50")
    assert compared["systems"] == ["run", "phrases"]
    assert [(pair["difference"], pair["p"]) for pair in compared["closer"][0]["pairs"]] == [(0, None)]  # four sentences
    (note,) = compared["notes"]
    assert re.match(r"phrases .*\btwo\b", note)
    unknown = compared["scores"]["phrases"]["one"]["no_unk"]
    assert unknown["sentences"] == len(known(nmt.load(run)))  # by the run's vocabularies
    output.write_text("".join(line[::-1] + "\n" for line in translations(nmt.load(run))), encoding="utf-8")
    assert (
        main(["evaluate-output", *system, *place]) == 0
    )  # another output: the former one is not shown with its scores
    assert read_translations(found.path, read_evaluated_system(found.path).evaluations["one"]) == NO_TRANSLATIONS


def test_the_output_of_a_system_in_japanese_is_scored_over_characters(tmp_path: Path, cli: Commands) -> None:
    """The languages have to be said; the file, its scores and ``compare`` know them then."""
    texts = {
        "en": ["The cat sleeps.", "It is late."],
        "ja": ["猫が寝ている。", "もう遅い。"],
        "out": ["猫は寝る。", "遅いです。"],
    }
    paths = {name: tmp_path / f"test.{name}" for name in texts}
    for name, lines in texts.items():
        paths[name].write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    options = ["evaluate-output", "rules", "--hypothesis", str(paths["out"]), "--name", "own", "--out", str(tmp_path)]
    options += ["--source", str(paths["en"]), "--reference", str(paths["ja"])]
    assert re.search("Japanese.* --languages", cli.refused(*options))
    korean = tmp_path / "test.ko"
    korean.write_text("고양이가 잔다.\n늦었다.\n", encoding="utf-8")
    assert re.search("Korean.* --languages", cli.refused(*options[:-1], str(korean)))
    (data,) = cli.objects(*options, "--languages", "en", "ja")
    assert data["all"]["bleu"] == pytest.approx(
        sacrebleu.corpus_bleu(texts["out"], [texts["ja"]], tokenize="char").score
    )
    assert "|tok:char|" in data["all"]["signature"]
    assert data["languages"] == {"source": "en", "target": "ja"}
    kept = read_evaluated_system(tmp_path / "rules")
    assert str(kept.languages) == "en to ja"
    assert "tok:char" in cli.printed("compare", str(tmp_path / "rules"), "--resamples", "40")


FAULTS: dict[str, tuple[list[str], str]] = {
    "nothing": (["evaluate"], "required: RUN"),
    "no set": (["evaluate", "RUN", "--source", "ONE"], "no test set given"),
    "half a set": (["evaluate", "RUN", "--source", "ONE", "--set", "a", "ONE", "ONE"], "no test set given"),
    "a name alone": (["evaluate", "RUN", "--name", "b", "--set", "a", "ONE", "ONE"], "no test set given"),
    "name": (
        ["evaluate", "RUN", "--source", "ONE", "--reference", "ONE", "--name", "../a"],
        "'../a' is not a valid name",
    ),
    "all": (["evaluate", "RUN", "--set", "all", "ONE", "ONE"], "not all"),
    "twice": (["evaluate", "RUN", *["--set", "a", "ONE", "ONE"] * 2], "test sets are named a"),
    "columns": (
        ["evaluate", "RUN", "--set", "a", "ONE", "ONE", "--no-unk", "--table-1"],
        "--table-1: not allowed with argument --unk/--no-unk",
    ),
    "no output": (
        ["evaluate-output", "a", "--source", "ONE", "--reference", "ONE"],
        "required: --hypothesis, --name, --out",
    ),
    "too few": (
        [*"evaluate-output a --source TWO --reference TWO --hypothesis ONE --name b --out x".split()],
        "has 1 lines, but",
    ),
    "unknown": (
        ["evaluate", "RUN", "--source", "ONE", "--reference", "ONE", "--no-unk"],
        "every sentence has an unknown",
    ),
    "no name": (["evaluate", "RUN", "--source", "ONE", "--reference", "ONE", "--keep-translations"], "a name"),
    "not kept": (["compare", "RUN"], "nothing to compare"),
    "no folder": (["compare", "nowhere"], "there is no folder nowhere"),
    "resamples": (["compare", "RUN", "--resamples", "0"], "--resamples must be"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong_is_one_sentence_and_status_2(
    fault: str, run: str, tmp_path: Path, cli: Commands
) -> None:
    (tmp_path / "one").write_text("une ligne\n", encoding="utf-8")
    (tmp_path / "two").write_text("deux\nlignes\n", encoding="utf-8")
    places = {"RUN": run, "ONE": str(tmp_path / "one"), "TWO": str(tmp_path / "two")}
    arguments, message = FAULTS[fault]
    assert message in cli.refused(*[places.get(part, part) for part in arguments])
    assert not Path("x").exists()


def test_references_that_differ_are_refused(run: str, files: list[str], cli: Commands) -> None:
    twin = str(shutil.copytree(run, Path(run).parent / "twin"))
    assert main(["evaluate", run, "--set", "one", *files[:2], "--beam", "1"]) == 0
    cli.printed("evaluate", twin, "--set", "one", files[0], files[0], "--beam", "1")
    assert "'one'" in cli.refused("compare", run, twin)
