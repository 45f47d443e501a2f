"""The phrase-based system: extraction and counts against brute force, and the way from corpora to translations."""

import inspect
import io
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stderr, redirect_stdout
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from experiments.phrase_based.system import (
    FEATURES,
    MOST_WORDS,
    _escaped,
    _train_aligner,
    count_ngrams,
    decoder,
    extract_phrases,
    giza_lines,
    read_pairs,
    read_system,
    translate,
    tune_system,
)
from nmt.alignments.formats import json_format
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.rescoring import read_n_best
from tests.cli.test_progress import Raw, Stream, bars
from tests.programs import main

alignment = pytest.importorskip("thot.alignment")

PHRASE_BASED = ("experiments", "phrase-based")
NOUNS = {"cat": "chat", "dog": "chien", "bird": "oiseau", "king": "roi", "baker": "boulanger", "doctor": "docteur"}
ADJECTIVES = {"red": "rouge", "blue": "bleu", "black": "noir", "strange": "étrange"}
VERBS = {"sees": "voit", "follows": "suit", "hears": "entend", "knows": "connaît"}


def sentence(subject: str, adjective: str, verb: str, other: str) -> tuple[str, str]:
    """An English sentence and its French translation, whose adjective stands behind its noun."""
    english = f"A {adjective} {subject} {verb} the {other}."
    return english, f"Un {NOUNS[subject]} {ADJECTIVES[adjective]} {VERBS[verb]} le {NOUNS[other]}."


def sentences() -> list[tuple[str, str]]:
    drawn = [sentence(*parts) for parts in product(NOUNS, ADJECTIVES, VERBS, NOUNS)]
    return [drawn[k] for k in np.random.default_rng(3).permutation(len(drawn))]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prepared folder and a system that is built from it and tuned."""
    folder = tmp_path_factory.mktemp("phrase-based")
    pairs = sentences()
    for name, part in (("train", pairs[:300]), ("dev", pairs[300:340]), ("test", pairs[340:360])):
        for side, language in enumerate(("en", "fr")):
            text = "".join(f"{pair[side]}\n" for pair in part)
            (folder / f"{name}.{language}").write_text(text, "utf-8")
    train, dev = ([str(folder / f"{name}.{language}") for language in ("en", "fr")] for name in ("train", "dev"))
    languages = ["--source-lang", "en", "--target-lang", "fr", "--vocabulary-size", "10"]
    assert main(["prepare", "--corpus", *train, "x2", "--dev", *dev, *languages, "--out", str(folder / "data")]) == 0
    assert main([*PHRASE_BASED, "prepare", str(folder / "system"), "--data", str(folder / "data")]) == 0
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main([*PHRASE_BASED, "tune", str(folder / "system"), "--sentences", "20"]) == 0
    (folder / "told").write_text(out.getvalue(), "utf-8")
    (folder / "rounds").write_text(err.getvalue(), "utf-8")
    return folder


def test_phrases_are_those_of_the_word_links_of_a_prepared_folder(
    folders: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If each corpus has links; a file of links that has changed since is refused."""
    texts = [folders / "train.en", folders / "train.fr"]
    names = [str(path) for path in texts]
    dev = [str(folders / "dev.en"), str(folders / "dev.fr")]
    for path in texts:  # a pair too long for training, so that later links stand in other lines than their pairs
        (tmp_path / path.name).write_text("word " * 60 + "\n" + path.read_text("utf-8"), "utf-8")
    longer = [str(tmp_path / path.name) for path in texts]
    reordered = "0-0 1-2 2-1 3-3 4-4 5-5 6-6"
    (tmp_path / "links").write_text("0-0\n" + f"{reordered}\n" * 300, "utf-8")
    (tmp_path / "others").write_text("0-0 1-1 2-2 3-3 4-4 5-5 6-6\n" * 300, "utf-8")

    def system(name: str, *corpora: str) -> Path:
        data = ["--dev", *dev, "--source-lang", "en", "--target-lang", "fr", "--out", str(tmp_path / f"{name}-data")]
        assert main(["prepare", *corpora, *data]) == 0
        assert main([*PHRASE_BASED, "prepare", str(tmp_path / name), "--data", str(tmp_path / f"{name}-data")]) == 0
        return tmp_path / name

    links = ["--links", str(tmp_path / "links"), "--links", str(tmp_path / "others")]
    linked = system("linked", "--corpus", *longer, "--corpus", *names, *links)
    pairs = list(read_pairs(linked / "pairs"))
    assert len(pairs) == 600
    written = (linked / "links").read_text("utf-8")
    crossed, straight = ([(0, 0), (1, k), (2, 3 - k), *((n, n) for n in range(3, 7))] for k in (2, 1))
    each = [giza_lines(*pair, crossed if row < 300 else straight) for row, pair in enumerate(pairs)]
    assert written == "".join(each)
    table = (linked / "model.ttable").read_text("utf-8")
    assert "rouge ||| red |||" in table
    assert "chat ||| red |||" in table, "by the links of the second corpus"
    (tmp_path / "links").write_text("0-0\n" + f"{reordered} \n" * 300, "utf-8")
    (linked / "pairs").unlink()
    capsys.readouterr()
    assert main([*PHRASE_BASED, "prepare", str(linked), "--data", str(tmp_path / "linked-data")]) == 2
    assert "links is not the file that was prepared" in capsys.readouterr().err


def test_a_system_without_its_language_model_is_refused(folders: Path, tmp_path: Path) -> None:
    shutil.copytree(folders / "system", tmp_path / "unfinished")
    (tmp_path / "unfinished" / "language-model").unlink()
    with pytest.raises(InputError, match="is not complete; phrase-based prepare goes on where it was interrupted"):
        list(translate(tmp_path / "unfinished", ["A red cat sees the dog."]))


def test_sentences_of_unseen_words_beside_seen_ones_are_translated(folders: Path) -> None:
    """The vocabulary of the prepared folder has ten words, and the system all of them."""
    test = sentences()[340:360]
    found = [best.text for (best,) in translate(folders / "system", [source for source, _ in test])]
    assert found == [target for _, target in test]
    (copied,), nothing = translate(folders / "system", ["A red Zanzibar sees the cat.", " "])
    assert copied.text == "Un rouge Zanzibar voit le chat."
    assert nothing == []


def test_what_ends_a_phrase_is_no_part_of_a_text(folders: Path) -> None:
    """Three bars end a phrase in the files of sil-thot."""
    assert _escaped("a ||| b|||c\n") == "a ¦¦¦ b¦¦¦c"
    (copied,), other = translate(folders / "system", ["A red x|||y sees the cat.", "A red cat sees the dog."])
    assert copied.text.startswith("Un rouge x")
    assert copied.text.endswith("voit le chat.")
    assert other[0].text == "Un chat rouge voit le chien."


def test_a_sentence_that_is_too_long_for_the_decoder_is_refused_before_any_is_translated(folders: Path) -> None:
    (longest,) = translate(folders / "system", [" ".join(["red"] * 200)])
    assert longest[0].text.split() == ["rouge"] * 200
    with pytest.raises(InputError, match=r"^line 2 has 201 words; sil-thot translates at most 200$"):
        next(translate(folders / "system", ["A red cat.", " ".join(["red"] * 201)]))


def test_the_segmentation_covers_every_word_once_and_adjectives_go_with_their_nouns(folders: Path) -> None:
    ((best,),) = translate(folders / "system", ["A blue king hears the dog."])
    assert best.segmentation.target == ("Un", "roi", "bleu", "entend", "le", "chien", ".")
    assert best.segmentation.weights.sum(axis=1) == pytest.approx(np.ones(7))
    rows = {row.tobytes() for row in best.segmentation.weights}
    phrases = np.array([np.frombuffer(row, np.float32) > 0 for row in rows])
    assert phrases.sum(axis=0).tolist() == [1] * 7, "each source word is in one phrase"
    assert best.segmentation.weights[1, 1:3].tolist() == best.segmentation.weights[2, 1:3].tolist()


def test_commands_print_lines_lists_and_matrices(
    folders: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def printed(*options: str) -> list[str]:
        with (folders / "test.en").open("rb") as file:
            monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": file})())
            assert main([*PHRASE_BASED, "translate", str(folders / "system"), *options]) == 0
        return capsys.readouterr().out.splitlines()

    plain, listed, matrices = printed(), printed("--n-best", "5"), printed("--json")
    candidates = read_n_best(listed, "list")
    assert candidates.names == FEATURES
    assert len(plain) == 20
    assert [candidates.texts[k] for k in np.unique(candidates.sentences, return_index=True)[1]] == plain
    assert len(candidates.texts) > 40
    content = json_format.read("\n".join(matrices))
    assert [" ".join(each.target) for each in content.alignments] == [text.replace(".", " .") for text in plain]
    assert [one["kind"] for one in json.loads(matrices[0])["systems"][0]["maps"]] == ["segmentation"]
    joined = printed("--concatenate")
    assert len(joined) > 20
    assert max(len(line.split()) for line in joined) > 60
    (folders / "long.fr").write_text("".join(f"{line}\n" for line in joined), "utf-8")
    system = ["phrases", "--concatenate", "--languages", "en", "fr", "--name", "mine"]
    texts = ["--source", str(folders / "test.en"), "--reference", str(folders / "test.fr"), "--out", str(folders)]
    assert main(["evaluate-output", *system, "--hypothesis", str(folders / "long.fr"), *texts]) == 0
    evaluation = read_evaluated_system(folders / "phrases").evaluations["mine-concatenated"]
    assert evaluation.sentences_given == len(joined)
    assert evaluation.everything is not None
    assert evaluation.everything.bleu > 90
    (folders / "short.fr").write_text("".join(f"{line}\n" for line in plain), "utf-8")
    assert main(["evaluate-output", *system, "--hypothesis", str(folders / "short.fr"), *texts]) == 2
    assert f"test.en concatenated has {len(joined)}" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--json"], ["--n-best", "2"]], ids=" ".join)
def test_each_line_leaves_at_once_and_the_bar_counts_sentences(
    options: list[str], folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, stderr = Raw(), Stream(True)
    with (folders / "test.en").open(encoding="utf-8") as file, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", file)
        patch.setattr("sys.stdout", io.TextIOWrapper(io.BufferedWriter(raw, 2**20), encoding="utf-8"))
        patch.setattr("sys.stderr", stderr)
        assert main([*PHRASE_BASED, "translate", str(folders / "system"), *options]) == 0
    assert len(raw.arrived) == (40 if "--n-best" in options else 20)
    assert all(data.count(b"\n") == 1 for data in raw.arrived)
    assert bars(stderr.text()) == ["translate 20/20 sentences"]


def test_tuning_keeps_the_best_round_and_the_weights_that_prune_positive(folders: Path) -> None:
    system = read_system(folders / "system")
    assert system.dev_bleu is not None
    assert system.dev_bleu > 90
    assert system.dev_sentences == 20
    weights = dict(zip(FEATURES, system.weights, strict=True))
    assert min(weights[name] for name in ("language-model", "inverse", "direct", "jumps")) > 0
    assert weights["jumps"] == 1
    told = (folders / "told").read_text().splitlines()
    assert told == [
        f"BLEU {system.dev_bleu:.2f} of 20 sentences",
        *(f"  {name}: {weight:.4g}" for name, weight in weights.items()),
    ]
    rounds = [line.split(": BLEU ") for line in (folders / "rounds").read_text().splitlines()]
    assert [name for name, _ in rounds] == [f"round {k}" for k in range(1, len(rounds) + 1)]
    assert 2 <= len(rounds) <= 5
    assert max(float(bleu) for _, bleu in rounds) == pytest.approx(system.dev_bleu, abs=0.01)


def test_what_is_there_is_kept_and_other_pairs_are_refused(
    folders: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    again = [*PHRASE_BASED, "prepare", str(folders / "system"), "--data"]
    before = (folders / "system" / "model.ttable").stat().st_mtime_ns
    capsys.readouterr()
    assert main([*again, str(folders / "data")]) == 0
    assert capsys.readouterr().err == ""
    assert (folders / "system" / "model.ttable").stat().st_mtime_ns == before
    assert read_system(folders / "system").dev_bleu is not None, "still tuned"
    texts = [str(folders / f"dev.{language}") for language in ("en", "fr")]
    languages = ["--source-lang", "en", "--target-lang", "fr", "--vocabulary-size", "10"]
    assert main(["prepare", "--corpus", *texts, "--dev", *texts, *languages, "--out", str(tmp_path / "data")]) == 0
    assert main([*again, str(tmp_path / "data")]) == 2
    assert "is a system of other pairs" in capsys.readouterr().err


def test_a_corpus_that_has_changed_is_refused(
    folders: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    texts = [tmp_path / "mine.en", tmp_path / "mine.fr"]
    for path in texts:
        path.write_text((folders / f"dev{path.suffix}").read_text("utf-8"), "utf-8")
    both = [str(path) for path in texts]
    languages = ["--source-lang", "en", "--target-lang", "fr", "--vocabulary-size", "10"]
    assert main(["prepare", "--corpus", *both, "--dev", *both, *languages, "--out", str(tmp_path / "data")]) == 0
    texts[0].write_text(texts[0].read_text("utf-8").replace("red", "green"), "utf-8")
    assert main([*PHRASE_BASED, "prepare", str(tmp_path / "new" / "system"), "--data", str(tmp_path / "data")]) == 2
    assert "is not the file that was prepared" in capsys.readouterr().err


def test_without_the_toolkit_it_says_what_to_install(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.phrase_based.system.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"jointly\[smt\]"):
        read_system(folders / "system")


Pair = tuple[int, list[str], list[str], set[tuple[int, int]]]


def drawn_pairs(seed: int) -> list[Pair]:
    random = np.random.default_rng(seed)
    pairs = []
    for _ in range(12):
        lengths = random.integers(1, 11, 2)
        source, target = (
            [f"{letter}{k}" for k in random.integers(0, 6, n)] for letter, n in zip("st", lengths, strict=True)
        )
        links = {(int(j), int(i)) for j, i in random.integers(0, lengths, (int(lengths.min()) + 1, 2))}
        pairs.append((int(random.integers(1, 3)), source, target, links))
    return pairs


def consistent_phrases(pairs: list[Pair], *, tight: bool) -> Counter[tuple[str, str]]:
    """Pairs of phrases with at least one link and none to a word outside (Och and Ney 2004), in every possible cut;
    ``tight``: only those whose outer words are linked, and that are not the whole pair."""
    found: Counter[tuple[str, str]] = Counter()
    for repeat, source, target, links in pairs:
        spans = ([(a, b) for a in range(n) for b in range(a + 1, n + 1)] for n in (len(source), len(target)))
        for (j, k), (i, m) in product(*spans):
            inside = {(j <= s < k, i <= t < m) for s, t in links}
            outer = {j, k - 1} <= {s for s, _ in links} and {i, m - 1} <= {t for _, t in links}
            whole = k - j == len(source) or m - i == len(target)
            if max(k - j, m - i) > MOST_WORDS or (True, True) not in inside or (tight and (whole or not outer)):
                continue
            if not inside & {(True, False), (False, True)}:
                found[" ".join(source[j:k]), " ".join(target[i:m])] += repeat
    return found


@pytest.mark.parametrize("seed", range(4))
def test_phrases_are_consistent_and_no_tight_one_is_missing(tmp_path: Path, seed: int) -> None:
    """Every cut of every pair is tried. The toolkit adds words without links at some ends of a phrase only."""
    pairs = drawn_pairs(seed)
    (tmp_path / "links").write_text("".join(giza_lines(*pair) for pair in pairs), "utf-8")
    extract_phrases(tmp_path / "links", tmp_path / "table")
    read = Counter[tuple[str, str]]()
    for line in (tmp_path / "table").read_text("utf-8").splitlines():
        target, source, counts = line.split(" ||| ")
        read[source, target] = round(float(counts.split()[1]))
    every, tight = (consistent_phrases(pairs, tight=tight) for tight in (False, True))
    assert read <= every
    often = {source for source, n in Counter(source for source, _ in every).items() if n > 20}
    assert Counter({pair: n for pair, n in tight.items() if pair[0] not in often}) <= read
    assert len(tight) > 5
    assert len(read) > 1.2 * len(tight)


def test_of_a_source_phrase_the_twenty_most_frequent_translations_are_kept(tmp_path: Path) -> None:
    pairs = [(1 + k, ["a"], [f"t{k}"], [(0, 0)]) for k in range(25)]
    (tmp_path / "links").write_text("".join(giza_lines(*pair) for pair in pairs), "utf-8")
    extract_phrases(tmp_path / "links", tmp_path / "table")
    *kept, rest = [line.split(" ||| ") for line in (tmp_path / "table").read_text("utf-8").splitlines()]
    assert [target for target, _, _ in kept] == [f"t{k}" for k in reversed(range(5, 25))]
    assert float(rest[2].split()[1]) == sum(range(1, 6)), "how often the others were seen"


def test_the_decoder_is_set_as_when_its_scores_were_measured(folders: Path) -> None:
    """No words left behind by a jump, ten translations of a phrase of up to seven words, and ten hypotheses of each
    number of words."""
    with decoder(folders / "system", ["A red cat."]) as search:
        found = inspect.getclosurevars(search).nonlocals
        model, stack = found["model"], found["search"]
        assert (model.non_monotonicity, model.w, model.a, model.e, model.heuristic) == (0, 10, 7, 2, 6)
        assert (stack.s, stack.is_breadth_first) == (10, True)


def test_the_decoder_reads_the_phrases_of_its_sentences_and_copies_words_without_one(
    folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phrases of up to seven words, which are all words of such a sentence."""
    tokens = "A red Zanzibar sees the cat .".split()
    trained = next(source for source, _ in sentences()[:300])
    monkeypatch.setattr("experiments.phrase_based.system.TemporaryDirectory", lambda: nullcontext(str(tmp_path)))
    with decoder(folders / "system", ["A red Zanzibar sees the cat.", trained]):
        found = (tmp_path / "model.ttable").read_text("utf-8").splitlines()
    texts = [f" {text} " for text in (" ".join(tokens), trained.replace(".", " ."))]
    whole = (folders / "system" / "model.ttable").read_text("utf-8").splitlines()
    expected = [row for row in whole if any(f" {row.split(' ||| ')[1]} " in text for text in texts)]
    phrases = {row.split(" ||| ")[1] for row in expected}
    copied = sorted({word for text in texts for word in text.split()} - phrases)
    assert "Zanzibar" in copied
    assert found == [*expected, *(f"{word} ||| {word} ||| 1 1" for word in copied)]
    assert max(len(phrase.split()) for phrase in phrases) == 7


@pytest.mark.parametrize("growing", [False, True])
def test_tuning_searches_evenly_spaced_sentences_as_long_as_it_finds_anything_new(
    growing: bool, folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five times at most. Of rounds that are equally good the first one is kept. A search stands in for the decoder."""
    shutil.copy(folders / "system" / "phrase-based.json", tmp_path)
    for side in ("source", "target"):
        (tmp_path / f"dev.{side}.txt").write_text("".join(f"{side} {k} of the texts\n" for k in range(40)), "utf-8")
    asked: list[tuple[tuple[float, ...], int, int]] = []
    given: list[str] = []

    def search(weights: Sequence[float], number: int, n: int) -> list[SimpleNamespace]:
        asked.append((tuple(weights), number, n))
        text = f"target {given[number].split()[1]} of the texts"
        more = [f"target {len(asked)}"] if growing else []
        features = np.random.default_rng(number).normal(size=(2 + len(asked), 8))
        return [
            SimpleNamespace(text=each, features=tuple(features[k if k < 2 else len(asked)].tolist()))
            for k, each in enumerate([text, "of", *more])
        ]

    def opened(folder: Path, lines: list[str]) -> AbstractContextManager[object]:
        given.extend(lines)
        return nullcontext(search)

    monkeypatch.setattr("experiments.phrase_based.system.decoder", opened)
    rounds: list[int] = []
    system = tune_system(tmp_path, 3, lambda number, bleu: rounds.append(number))
    assert given == [f"source {k} of the texts" for k in (0, 19, 39)]
    assert rounds == ([0, 1, 2, 3, 4] if growing else [0, 1])
    assert [number for _, number, _ in asked] == [0, 1, 2] * len(rounds)
    assert {n for *_, n in asked} == {50}
    assert (system.dev_bleu, system.dev_sentences) == (pytest.approx(100), 3)
    assert system == read_system(tmp_path)
    assert system.weights == asked[0][0] == (1.0,) * 7 + (0.0,)
    for weights, *_ in asked[3:]:
        named = dict(zip(FEATURES, weights, strict=True))
        assert named.pop("jumps") == 1
        assert min(named[name] for name in ("language-model", "source-length", "inverse", "direct")) >= 0.01
        assert 0.99 <= np.abs([*named.values()]).mean() < 1.01


@pytest.mark.parametrize("ending", ["_swm", "_invswm"])
def test_each_aligner_is_trained_five_times_as_either_model(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = list[str]()
    for name in ("Ibm1AlignmentModel", "HmmAlignmentModel"):
        usual = getattr(alignment, name)

        class Counting(usual):  # type: ignore[misc, valid-type]
            def train(self, name: str = name) -> None:
                trained.append(name)
                super().train()

        monkeypatch.setattr(alignment, name, Counting)
    (tmp_path / "pairs").write_text("2\ta b\tx y\n1\ta\tx\n", "utf-8")
    _train_aligner(tmp_path / "pairs", tmp_path, ending)
    assert trained == ["Ibm1AlignmentModel"] * 5 + ["HmmAlignmentModel"] * 5
    sizes = {path.name.removeprefix(f"model{ending}"): path.stat().st_size for path in tmp_path.glob("model*")}
    assert [sizes[name] for name in (".src", ".trg", ".srctrgc")] == [0, 0, 0], "the pairs themselves"
    assert min(sizes[name] for name in (".yml", ".svcb", ".tvcb", ".hmm_lexnd", ".hmm_alignd")) > 0


def test_ngrams_are_counted_with_unknown_words(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("2\ta b\tx y x\n1\tc\ty y\n", "utf-8")
    assert [*read_pairs(tmp_path / "pairs")] == [(2, ["a", "b"], ["x", "y", "x"]), (1, ["c"], ["y", "y"])]
    count_ngrams(tmp_path / "pairs", tmp_path / "counts")
    expected = Counter[str]()
    for repeat, words in ((2, "<s> <unk> <unk> x </s>".split()), (1, "<s> y y </s>".split())):
        for i, k in product(range(6), range(1, 4)):
            if i + k <= len(words):
                expected[" ".join(words[i : i + k])] += repeat
    total = sum(count for ngram, count in expected.items() if " " not in ngram)
    lines = (
        f"{ngram} {expected[ngram.rpartition(' ')[0]] if ' ' in ngram else total} {count}"
        for ngram, count in expected.items()
    )
    assert sorted((tmp_path / "counts").read_text("utf-8").splitlines()) == sorted(lines)
