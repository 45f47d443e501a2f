"""Folders that appear when they are complete: what a killed process leaves is removed by the next one, and no more."""

import errno
import hashlib
import io
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import nmt.data.prepare
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import Manifest, open_prepared
from nmt.data.subwords import Pieces, seed_sampling
from nmt.data.text import Tokenizer
from nmt.data.tokenised import CHUNK, Corpus
from nmt.data.vocabulary import UNK_ID
from nmt.errors import InputError
from nmt.files import staging
from nmt.runs.archive import unpack_run
from tests.data.corpus_files import corpus
from tests.data.corpus_files import settings as settings_of

WriteCorpus = Callable[..., tuple[Path, Path]]

PAIRS = [
    ("The cat doesn't sleep.", "Le chat ne dort pas."),
    ("Where is the boat?", "Où est le bateau ?"),
    ("It's late, isn't it?", "Il est tard, n'est-ce pas ?"),
    ("A dog, a cat and a bird.", "Un chien, un chat et un oiseau."),
]
DEV = [("The bird sleeps.", "L'oiseau dort."), ("A zebra  swims\u00a0!", "Un zèbre nage\u00a0!")]
SMALL = settings_of(VocabularySettings("words", 100))
BPE = settings_of(VocabularySettings("bpe", 60), target_vocabulary=VocabularySettings("unigram", 45))


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize("settings", [SMALL, BPE])
@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_the_folder_holds_the_input(
    write_corpus: WriteCorpus, tmp_path: Path, settings: PrepareSettings, suffix: str
) -> None:
    train, dev = write_corpus("train", PAIRS, suffix), write_corpus("dev", DEV, suffix)
    manifest = prepare([corpus(train)], [corpus(dev)], settings, tmp_path / "out")
    data = open_prepared(tmp_path / "out")
    english, french = Tokenizer("en"), Tokenizer("fr")
    for split, pairs in ((data.train, PAIRS), (data.dev, DEV)):
        assert len(split) == len(pairs)
        for i, (left, right) in enumerate(pairs):
            words = english.tokenize(left), french.tokenize(right)
            assert split.source[i].tolist() == data.source_vocabulary.ids(words[0])
            assert split.target[i].tolist() == data.target_vocabulary.ids(words[1])
            assert split.source.lengths[i] == len(split.source[i])
            assert split.target.lengths[i] == len(split.target[i])
            assert split.word_lengths[i] == max(map(len, words))
            assert split.repeats[i] == 1
    for i, (left, right) in enumerate(PAIRS):  # nothing of the training text is unknown
        assert english.detokenize(data.source_vocabulary.words(data.train.source[i].tolist())) == left
        assert french.detokenize(data.target_vocabulary.words(data.train.target[i].tolist())) == right
    assert data.dev_source == [left for left, _ in DEV]
    assert data.dev_target == [right for _, right in DEV]
    assert (data.source_language, data.target_language) == ("en", "fr")
    assert data.manifest == manifest == Manifest.load(tmp_path / "out")


def test_several_corpora_are_mixed_and_repeated(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    first, second = write_corpus("first", PAIRS[:2]), write_corpus("second", PAIRS[2:], ".gz")
    dev = [corpus(write_corpus("one", DEV[:1])), corpus(write_corpus("two", DEV[1:]))]
    manifest = prepare([corpus(first, 3), corpus(second)], dev, SMALL, tmp_path / "out")
    data = open_prepared(tmp_path / "out")
    assert data.train.repeats.tolist() == [3, 3, 1, 1]
    assert data.dev.repeats.tolist() == [1, 1]
    assert (manifest.train.pairs, manifest.train.pairs_per_epoch) == (4, 8)
    assert [(corpus.repeat, corpus.kept) for corpus in manifest.train.corpora] == [(3, 2), (1, 2)]
    assert data.dev_target == [right for _, right in DEV]


def test_repeats_weigh_the_vocabulary(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    often = write_corpus("often", [("rare", "rare")])
    usual = write_corpus("usual", [("common other", "common other"), ("common", "common")])
    size = VocabularySettings("words", 3)
    for repeat, word in ((1, "common"), (5, "rare")):
        out = tmp_path / f"out{repeat}"
        manifest = prepare([corpus(often, repeat), corpus(usual)], [], settings_of(size), out)
        assert open_prepared(out).source_vocabulary.tokens([2]) == (word,)
        counts = Counter({"rare": repeat, "common": 2, "other": 1})
        assert manifest.train.source.unknown_share == 1 - counts[word] / counts.total()


def test_counts(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    train, dev = write_corpus("train", PAIRS), write_corpus("dev", DEV)
    manifest = prepare([corpus(train)], [corpus(dev)], SMALL, tmp_path / "out")
    for record, pairs in ((manifest.train, PAIRS), (manifest.dev, DEV)):
        words = [len(Tokenizer("en").tokenize(left)) for left, _ in pairs]
        assert record.source.words == sum(words)
        assert record.source.tokens == sum(words) + len(pairs)
    data = open_prepared(tmp_path / "out")
    unknown = sum(data.dev.source[i].tolist().count(UNK_ID) for i in range(2))
    assert manifest.dev.source.unknown_share == pytest.approx(unknown / manifest.dev.source.words)
    assert unknown > 0


def test_development_pairs_that_are_also_training_pairs_are_counted(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    """Each as often as the development text has it, with both sides and after tokenisation."""
    again = [PAIRS[1], (PAIRS[0][0], DEV[0][1]), ("The  cat doesn't sleep.\u00a0", PAIRS[0][1]), PAIRS[1]]
    train = write_corpus("train", [*PAIRS, PAIRS[1]])
    for number, dev in enumerate((DEV, [*DEV, *again])):
        folder = tmp_path / str(number)
        assert prepare([corpus(train)], [corpus(write_corpus("dev", dev))], SMALL, folder).dev_in_train == 3 * number
    assert prepare([corpus(train)], [], SMALL, tmp_path / "no-dev").dev_in_train == 0


def test_dropped_pairs_are_counted_by_reason(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    pairs = [
        *PAIRS,
        ("", "vide"),
        ("blank", " \u00a0\u2003 "),
        ("invisible", "\u200b\u200e"),
        ("\x00\x07", "commandes"),
        ("w " * 7, "mot"),
        ("word", "m " * 8),
        ("word", "x" * 10_001),
        ("word", "x" * 10_000),
        ("y" * 100_000, "mot"),
        ("w " * 6, "m " * 6),
        ("Who is Łódź?", "Qui est [UNK] ?"),
        ("a word[UNK]", "un mot"),
    ]
    settings = replace(SMALL, max_length=6)
    words = [(Tokenizer("en").tokenize(left), Tokenizer("fr").tokenize(right)) for left, right in PAIRS]
    long = sum(len(left) > 6 or len(right) > 6 for left, right in words)
    files = write_corpus("train", pairs)
    manifest = prepare([corpus(files)], [corpus(files)], settings, tmp_path / "out")
    record = manifest.train.corpora[0]
    assert record.dropped == {"blank": 4, "too_long": 2 + long, "line_too_long": 2, "written_with_[UNK]": 2}
    assert record.read == len(pairs) == record.kept + sum(record.dropped.values())
    data = open_prepared(tmp_path / "out")
    assert data.train.word_lengths.max() == 6
    assert manifest.dev.corpora[0].dropped == {"blank": 4, "too_long": 0, "line_too_long": 2, "written_with_[UNK]": 2}
    assert len(data.dev_source) == len(data.dev) == len(pairs) - 8


def test_cleaned_lines_are_counted(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    pairs = [("\ufeffone", "un"), ("t\x00wo", "de\u2028ux"), ("three", "trois")]
    files = write_corpus("train", pairs, line_end="\r\n")
    manifest = prepare([corpus(files)], [corpus(files)], SMALL, tmp_path / "out")
    cleaned = {"control_characters": 2, "carriage_returns": 6, "byte_order_mark": 1}
    assert manifest.train.corpora[0].cleaned == cleaned
    data = open_prepared(tmp_path / "out")
    assert data.dev_source == ["one", "two", "three"]
    assert data.dev_target == ["un", "de ux", "trois"]


@pytest.mark.slow
def test_the_same_command_gives_the_same_bytes(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    """With several chunks, so that processes share the work, and without."""
    draw = random.Random(1)
    words = ["the", "a", "cat", "dog", "boat", "sleeps", "sees", ",", ".", "!"]
    pairs = [(" ".join(draw.choices(words, k=5)), " ".join(draw.choices(words, k=4))) for _ in range(2 * CHUNK + 99)]
    train = [corpus(write_corpus("train", pairs)), corpus(write_corpus("more", PAIRS), 2)]
    dev = [corpus(write_corpus("dev", DEV))]
    contents = []
    for name, workers in (("one", 1), ("two", 2)):
        prepare(train, dev, BPE, tmp_path / name, workers=workers)
        contents.append(_contents(tmp_path / name))
    assert contents[0] == contents[1]
    data = open_prepared(tmp_path / "two")
    for i in (0, CHUNK - 1, CHUNK, 2 * CHUNK, len(pairs) - 1):
        assert data.source_vocabulary.words(data.train.source[i].tolist()) == pairs[i][0].split()


def test_vocabularies_of_another_folder(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    train, other = write_corpus("train", PAIRS), write_corpus("other", DEV)
    prepare([corpus(train)], [], BPE, tmp_path / "first")
    again = PrepareSettings(source_language="en", target_language="fr", vocabularies_from=tmp_path / "first")
    manifest = prepare([corpus(other)], [], again, tmp_path / "second")
    for name in ("source.vocabulary.json", "source.sentencepiece.model", "target.sentencepiece.model"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    assert manifest.source_vocabulary.asked is None
    assert manifest.source_vocabulary.kind == "bpe"
    assert manifest.vocabularies_from == "first"
    swapped = PrepareSettings(source_language="fr", target_language="en", vocabularies_from=tmp_path / "first")
    with pytest.raises(InputError, match="en to fr"):
        prepare([corpus(other)], [], swapped, tmp_path / "third")


def test_a_vocabulary_that_a_small_text_cannot_fill_is_recorded(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    settings = settings_of(VocabularySettings("bpe", 8000), target_vocabulary=VocabularySettings("words", 8000))
    manifest = prepare([corpus(write_corpus("train", PAIRS))], [], settings, tmp_path / "out")
    assert manifest.source_vocabulary.asked == 8000
    assert manifest.source_vocabulary.size == len(open_prepared(tmp_path / "out").source_vocabulary) < 200


def _nothing_left(tmp_path: Path, before: set[Path]) -> bool:
    return set(tmp_path.rglob("*")) == before


def test_bpe_dropout_stores_each_repetition_of_a_pair_cut_anew(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    settings = settings_of(VocabularySettings("bpe", 60), bpe_dropout=0.2)
    corpora = [corpus(write_corpus("often", PAIRS), 12), corpus(write_corpus("once", DEV))]
    dev = [corpus(write_corpus("dev", DEV))]
    manifest = prepare(corpora, dev, settings, tmp_path / "out")
    data = open_prepared(tmp_path / "out")
    expected = [pair for pair in PAIRS for _ in range(12)] + DEV
    assert (len(data.train), manifest.train.pairs, manifest.train.pairs_per_epoch) == (50, 50, 50)
    assert data.train.repeats.tolist() == [1] * 50
    assert [corpus.repeat for corpus in manifest.train.corpora] == [12, 1]
    sides = ((data.train.source, data.source_vocabulary, "en", 0), (data.train.target, data.target_vocabulary, "fr", 1))
    for stored, vocabulary, language, side in sides:
        words = [Tokenizer(language).tokenize(pair[side]) for pair in expected]
        ids = [stored[i].tolist() for i in range(50)]
        assert [vocabulary.words(own) for own in ids] == [vocabulary.words(vocabulary.ids(own)) for own in words]
        assert all(len({tuple(own) for own in ids[12 * i : 12 * i + 12]}) > 3 for i in range(4))
        seed_sampling(1 + side)  # the same folder wherever it is prepared
        assert isinstance(vocabulary, Pieces)
        assert ids == [vocabulary.sampled_ids(own, 0.2) for own in words]
    longest = [max(len(Tokenizer("en").tokenize(a)), len(Tokenizer("fr").tokenize(b))) for a, b in expected]
    assert data.train.word_lengths.tolist() == longest
    for i, (left, _) in enumerate(DEV):
        assert data.dev.source[i].tolist() == data.source_vocabulary.ids(Tokenizer("en").tokenize(left))
    assert Manifest.load(tmp_path / "out") == manifest
    prepare(corpora, dev, settings, tmp_path / "again")
    assert _contents(tmp_path / "again") == _contents(tmp_path / "out")


def test_bpe_dropout_needs_bpe_and_takes_no_links(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    train = write_corpus("train", PAIRS)
    with pytest.raises(InputError, match="not unigram"):
        replace(BPE, bpe_dropout=0.1)
    prepare([corpus(train)], [], SMALL, tmp_path / "words")
    taken = PrepareSettings(
        source_language="en", target_language="fr", vocabularies_from=tmp_path / "words", bpe_dropout=0.1
    )
    with pytest.raises(InputError, match="not words"):
        prepare([corpus(train)], [], taken, tmp_path / "out")
    links = tmp_path / "links"
    links.write_text("0-0\n" * len(PAIRS))
    settings = settings_of(BPE.source_vocabulary, bpe_dropout=0.1)
    with pytest.raises(InputError, match="links"):
        prepare([corpus(train, links=links)], [], settings, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("fault", ["utf8", "lines", "missing", "no pair", "too few pieces", "dev", "no dev pair"])
def test_nothing_is_left_behind_by_an_error(write_corpus: WriteCorpus, tmp_path: Path, fault: str) -> None:
    source, target = write_corpus("train", PAIRS)
    dev: list[Corpus] = []
    settings = BPE
    if fault == "utf8":
        target.write_bytes(target.read_bytes() + b"\xff\n")
    elif fault == "lines":
        target.write_bytes(target.read_bytes() + b"plus\n")
    elif fault == "missing":
        target.unlink()
    elif fault == "no pair":
        settings = PrepareSettings(source_language="en", target_language="fr", max_length=1)
    elif fault == "too few pieces":
        settings = PrepareSettings(
            source_language="en", target_language="fr", max_length=50, source_vocabulary=VocabularySettings("bpe", 8)
        )
    elif fault == "dev":
        dev = [Corpus(source=source, target=tmp_path / "absent")]
    else:
        dev = [corpus(write_corpus("dev", [("", "")]))]
    before = set(tmp_path.rglob("*"))
    with pytest.raises(InputError) as caught:
        prepare([Corpus(source=source, target=target)], dev, settings, tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert _nothing_left(tmp_path, before)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_nothing_is_left_behind_by_an_interruption(
    write_corpus: WriteCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    train = corpus(write_corpus("train", PAIRS))
    before = set(tmp_path.rglob("*"))

    def stop(*arguments: object) -> int:
        raise error

    monkeypatch.setattr(nmt.data.prepare, "write_sentences", stop)
    expected = InputError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        prepare([train], [], SMALL, tmp_path / "out")
    assert _nothing_left(tmp_path, before)


def test_what_exists_is_not_overwritten(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    train = [corpus(write_corpus("train", PAIRS))]
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    for force in (False, True):
        with pytest.raises(InputError, match=re.escape(str(out))):
            prepare(train, [], SMALL, out, force=force)
        with pytest.raises(InputError, match=r"out/notes\.txt"):
            prepare(train, [], SMALL, out / "notes.txt", force=force)
    (out / "notes.txt").unlink()
    prepare(train, [], SMALL, out)  # an empty folder is as good as none
    first = _contents(out)
    with pytest.raises(InputError, match="--force"):
        prepare(train, [], BPE, out)
    assert _contents(out) == first
    prepare(train, [], BPE, out, force=True)
    assert "source.sentencepiece.model" in _contents(out)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt"):
        prepare(train, [], SMALL, out, force=True)
    assert {path.name for path in tmp_path.iterdir()} == {"out", "train.en", "train.fr"}


def test_progress_reaches_the_end_of_each_stage(
    write_corpus: WriteCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is encoded it is told after every third pair, and at the end of a side."""
    monkeypatch.setattr(nmt.data.prepare, "_STEP", 3)
    told: dict[str, list[tuple[int, int]]] = {}

    def note(stage: str, done: int, total: int) -> None:
        told.setdefault(stage, []).append((done, total))

    dev = corpus(write_corpus("dev", DEV))
    prepare([corpus(write_corpus("train", PAIRS))], [dev], SMALL, tmp_path / "out", on_progress=note)
    assert told == {
        "read": [(0, 2), (1, 2), (2, 2)],
        "tokenise": [(4, 6), (6, 6)],
        "encode train": [(3, 8), (4, 8), (7, 8), (8, 8)],
        "encode dev": [(2, 4), (4, 4)],
    }


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PrepareSettings(source_language="english", target_language="fr"), "'english'"),
        (lambda: PrepareSettings(source_language="en", target_language="fr", bpe_dropout=0.1), "BPE-dropout .*words"),
    ],
)
def test_settings_that_make_no_sense(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_a_large_text_is_prepared_by_as_many_processes_as_are_asked_for(
    write_corpus: WriteCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is large here. Where no number is asked for it is the usual one."""
    usual: list[int] = []
    monkeypatch.setattr(nmt.data.prepare, "CHUNK", 0)
    monkeypatch.setattr(nmt.data.prepare, "default_workers", lambda: usual.append(1) or 1)
    train, dev = [corpus(write_corpus("train", PAIRS))], [corpus(write_corpus("dev", DEV))]
    prepare(train, dev, SMALL, tmp_path / "given", workers=1)
    assert usual == []
    prepare(train, dev, SMALL, tmp_path / "usual")
    assert usual == [1]


@pytest.mark.parametrize(("processors", "workers"), [(64, 8), (8, 8), (3, 3), (None, 1)])
def test_there_is_a_process_for_each_processor_and_at_most_eight(
    processors: int | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert nmt.data.prepare.default_workers() == workers


def test_the_usual_settings_are_the_papers() -> None:
    """Section 4.2: sentences of up to 50 words, vocabularies of 30,000."""
    usual, words = PrepareSettings(source_language="en", target_language="fr"), VocabularySettings("words", 30_000)
    assert (usual.max_length, usual.source_vocabulary, usual.target_vocabulary) == (50, words, words)
    assert (usual.bpe_dropout, usual.vocabularies_from) == (0, None)


HANGING = """
import sys, time
from pathlib import Path
from nmt.files import staging

with staging(Path(sys.argv[1])) as folder:
    (folder / "begun").write_text("x")
    print(flush=True)
    time.sleep(100)
"""


def hanging(out: Path) -> subprocess.Popen[bytes]:
    """Start a process that fills ``out`` and never ends."""
    process = subprocess.Popen([sys.executable, "-c", HANGING, str(out)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"\n"
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_next_one_clears_what_a_kill_left_and_nothing_else(tmp_path: Path) -> None:
    killed, alive, other = hanging(tmp_path / "a"), hanging(tmp_path / "a"), hanging(tmp_path / "ab")
    try:
        kill(killed)
        kill(other)
        left = {f".a.partial-{killed.pid}", f".a.partial-{alive.pid}", f".ab.partial-{other.pid}"}
        assert set(names(tmp_path)) == left | {f"{name}.lock" for name in left}
        (tmp_path / ".a.partial-x").mkdir()  # of somebody who holds no lock
        with staging(tmp_path / "a") as folder:
            (folder / "done").write_text("x", encoding="utf-8")
        kept = {f".a.partial-{alive.pid}", f".ab.partial-{other.pid}"}
        assert set(names(tmp_path)) == kept | {f"{name}.lock" for name in kept} | {"a", ".a.partial-x"}
        assert names(tmp_path / f".a.partial-{alive.pid}") == ["begun"]
    finally:
        kill(alive)


def test_success_and_failure_leave_nothing_beside(tmp_path: Path) -> None:
    with staging(tmp_path / "a") as folder:
        (folder / "file").write_text("x", encoding="utf-8")
    assert names(tmp_path) == ["a"]
    with pytest.raises(InputError, match="no"), staging(tmp_path / "b"):
        raise InputError("no")
    assert names(tmp_path) == ["a"]
    assert names(tmp_path / "a") == ["file"]


def test_an_upload_clears_what_a_killed_one_left(tmp_path: Path) -> None:
    partial = tmp_path / ".partial"
    process = hanging(partial / "given")
    kill(process)
    assert len(names(partial)) == 2
    with pytest.raises(InputError, match=r"x\.zip"):
        unpack_run(io.BytesIO(b"x"), "x.zip", tmp_path, ())
    assert len(names(partial)) == 2, "nothing is unpacked, so nothing is looked at"
    for _ in range(2):
        with pytest.raises(InputError, match=r"config\.json"):
            unpack_run(small_archive(), "x.zip", tmp_path, ())
        assert names(partial) == []


def small_archive() -> io.BytesIO:
    import zipfile

    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("run/config.json", "{")
    return found
