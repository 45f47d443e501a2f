"""Translations and scores on disk: found again to the last bit, by many at once, within bounds, and whatever happens to
the file."""

import contextlib
import logging
import multiprocessing
import os
import random
import resource
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.answers.keys import SearchKey
from nmt.answers.store import Store, StoredValue
from nmt.answers.translations import TranslationCache, finish
from nmt.errors import InputError
from nmt.files import cache_folder
from nmt.results import Alignment, Encoded, FinishedScore, FinishedTranslation, Hypothesis, Translation

KEY = SearchKey(
    weights="w", text_pipeline="r", beam=12, no_unk=False, length_penalty=0.0, replace_unk="", dictionary="",
    precision="fp32", kernel="cpu", hard_attention=False,
)  # fmt: skip


def encoded(rng: np.random.Generator, length: int) -> Encoded:
    ids = tuple(int(i) for i in rng.integers(0, 60_000, length))
    tokens = tuple(random.Random(i).choice(["▁la", "fille", "[UNK]", "\x00", "\ud800", "é"]) for i in ids)
    words = tuple(sorted(int(i) for i in rng.integers(0, length, length)))
    return Encoded(ids=ids, tokens=tokens, words=words, unknown=("zorp",) * (length % 3))


def translation(source: str, text: str = "un texte", aligned: bool = True, n_best: int = 1) -> Translation:
    """A record of random numbers, the same for the same source."""
    rng = np.random.default_rng(len(source) + 1)
    read = encoded(rng, 1 + len(source) % 9)
    hypotheses = []
    for _ in range(n_best):
        written = replace(encoded(rng, int(rng.integers(1, 9))), unknown=())
        alignment = None
        if aligned:
            weights = rng.dirichlet(np.ones(len(read.ids)), len(written.ids)).astype(np.float32)
            alignment = Alignment(
                source=read.tokens,
                target=written.tokens,
                weights=weights,
                source_words=read.words,
                target_words=written.words,
            )
        values = tuple(float(value) for value in -rng.exponential(size=len(written.ids)))
        hypotheses.append(
            Hypothesis(
                text=text,
                tokens=written.tokens,
                log_probability=sum(values),
                score=sum(values) / 7,
                token_log_probabilities=values,
                alignment=alignment,
                encoded=written,
            )
        )
    return Translation(source, tuple(hypotheses), read.unknown, encoded=read)


def short(translations: Sequence[Translation]) -> dict[str, FinishedTranslation]:
    return {each.source: finish(each) for each in translations}


def check_whole(found: Translation | None, expected: Translation) -> None:
    """Equal to the last bit, weights and ids too."""
    assert found is not None
    assert (found.source, found.unknown_words, found.encoded) == (
        expected.source,
        expected.unknown_words,
        expected.encoded,
    )
    assert len(found.hypotheses) == len(expected.hypotheses)
    for one, other in zip(found.hypotheses, expected.hypotheses, strict=True):
        assert replace(one, alignment=None) == replace(other, alignment=None)
        assert one.encoded == other.encoded
        assert (one.alignment is None) == (other.alignment is None)
        if one.alignment is not None and other.alignment is not None:
            assert one.alignment.weights.tobytes() == other.alignment.weights.tobytes()
            assert replace(one.alignment, weights=other.alignment.weights).__dict__ == other.alignment.__dict__


@pytest.fixture
def database(tmp_path: Path) -> TranslationCache:
    return TranslationCache(tmp_path)


def test_what_was_added_is_found_to_the_last_bit(database: TranslationCache) -> None:
    texts = ["a", "", " a", "a\x00b", "\ud800", "é", "e\u0301", "x" * 100_000, "a'; DROP TABLE settings"]
    added = [translation(text, text[::-1], bool(i % 2)) for i, text in enumerate(texts)]
    database.add(KEY, added)
    database.close()
    again = TranslationCache(database.path.parent)
    assert again.find(KEY, [*texts, "not there", *texts]) == short(added)
    for each in added:
        check_whole(again.find_whole(KEY, each.source), each)
    assert again.find_whole(KEY, "not there") is None
    assert again.problem == ""


def test_a_longer_list_serves_a_shorter_one_and_replaces_it(database: TranslationCache) -> None:
    five = translation("a b c", n_best=5)
    best = replace(five, hypotheses=five.hypotheses[:1])
    database.add(KEY, [best])
    assert database.find_whole(KEY, "a b c", 5) is None
    database.add(KEY, [five], 7)  # the beam found only five of seven
    for n in (7, 5, 2, 1):
        check_whole(database.find_whole(KEY, "a b c", n), replace(five, hypotheses=five.hypotheses[:n]))
    assert database.find_whole(KEY, "a b c", 8) is None
    assert database.find(KEY, ["a b c"]) == short([best])


def test_more_sentences_than_a_statement_takes(database: TranslationCache) -> None:
    added = [translation(f"sentence {i}") for i in range(3000)]
    database.add(KEY, added)
    assert database.find(KEY, [each.source for each in added]) == short(added)


def test_scores_are_found_by_both_sides(database: TranslationCache) -> None:
    key = "a key"
    pairs = [("a", "x"), ("a", "y"), ("b", "x"), ("", ""), ("\ud800", "\x00")]
    added = {
        (source, target): FinishedScore(source=source, target=target, tokens=i, log_probability=-i / 7)
        for i, (source, target) in enumerate(pairs)
    }
    database.add_scores(key, [*added.values(), FinishedScore(source="a", target="x", tokens=99, log_probability=-99.0)])
    assert database.find_scores(key, [*pairs, ("b", "y"), ("x", "a")]) == added
    assert database.find_scores("another key", pairs) == {}
    many = {
        (f"{i}", f"{j}"): FinishedScore(source=f"{i}", target=f"{j}", tokens=i, log_probability=-float(j))
        for i in range(60)
        for j in range(60)
    }
    database.add_scores(key, list(many.values()))
    assert database.find_scores(key, many) == many


def test_scores_make_room_too(tmp_path: Path) -> None:
    database = TranslationCache(tmp_path, 120_000)
    key = "a key"
    for i in range(60):
        database.add_scores(
            key, [FinishedScore(source=f"{i}", target=f"{j}", tokens=1, log_probability=-1 / 3) for j in range(40)]
        )
    database.close()
    assert size(database.path) <= 120_000
    assert database.find_scores(key, [("59", "39")])
    assert not database.find_scores(key, [("0", "0")])
    for i in range(220):
        database.add(KEY, [translation(f"{i}", "x" * 800)])  # a later search, some 300,000 bytes
    assert not database.find_scores(key, [("59", "39")])


def test_every_field_of_the_key_tells_searches_apart(database: TranslationCache) -> None:
    database.add(KEY, [translation("a", "here")])
    for field in fields(SearchKey):
        value = getattr(KEY, field.name)
        other = replace(KEY, **{field.name: not value if isinstance(value, bool) else value + type(value)(1)})
        assert database.find(other, ["a"]) == {}, field.name
        database.add(other, [translation("a", field.name)])
    assert database.find(KEY, ["a"])["a"].text == "here"


def test_the_first_translation_of_a_sentence_stays(database: TranslationCache) -> None:
    database.add(KEY, [translation("a", "first"), translation("a", "second")])
    database.add(KEY, [translation("a", "third")])
    assert database.find(KEY, ["a"])["a"].text == "first"


def test_the_cache_folder(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == cache
    assert TranslationCache().path.parent == cache
    assert not cache.exists()
    monkeypatch.delenv("JOINTLY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder().name == "jointly"


def test_threads_share_a_store(database: TranslationCache) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(30):
                own = translation(f"{number} {i}")
                database.add(KEY, [own, translation("common")])
                assert database.find(KEY, [own.source, "common"]) == short([own, translation("common")])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(database.find(KEY, [f"{n} {i}" for n in range(8) for i in range(30)])) == 240


def write_many(folder: Path, number: int, barrier: Any) -> None:
    problems = []
    for first in range(40):  # the moment at which a file begins
        database = TranslationCache(folder / str(first))
        barrier.wait()
        database.add(KEY, [translation(f"{number}")])
        problems.append(database.problem)
        database.close()
    database = TranslationCache(folder)
    barrier.wait()
    for i in range(20):
        database.add(replace(KEY, beam=number), [translation(f"{i}")])
        database.add(KEY, [translation(f"{number} {i}")])
    assert not any((*problems, database.problem))


@pytest.mark.slow
def test_processes_that_begin_at_once_share_a_file(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    processes = [context.Process(target=write_many, args=(tmp_path, number, barrier)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    database = TranslationCache(tmp_path)
    assert len(database.find(KEY, [f"{n} {i}" for n in range(4) for i in range(20)])) == 80
    assert [path.name for path in tmp_path.glob("*broken*")] == []


def test_a_file_that_another_is_making_is_waited_for(tmp_path: Path) -> None:
    """SQLite itself does not wait while the file turns to WAL."""
    database = TranslationCache(tmp_path)
    with contextlib.closing(sqlite3.connect(database.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        other.execute("CREATE TABLE something (content TEXT)")
        release = threading.Timer(0.3, other.execute, ("COMMIT",))
        release.start()
        database.add(KEY, [translation("a")])
        release.join()
    assert database.problem == ""
    assert TranslationCache(tmp_path).find(KEY, ["a"])


def size(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.stat().st_size


def test_settings_not_used_for_longest_go_first(tmp_path: Path) -> None:
    limit = 700_000
    database = TranslationCache(tmp_path, limit)
    old, used, new = (replace(KEY, beam=beam) for beam in (1, 2, 3))
    text = [translation(f"{i}", "x" * 1000) for i in range(100)]  # some 150,000 bytes
    for key in (used, old):
        database.add(key, text)
    database.find(used, [])
    for part in (text[:50], text[50:]):
        database.add(new, part)
    database.add(new, [translation(f"more {i}", "x" * 1000) for i in range(50)])
    assert len(database.find(used, [each.source for each in text])) == 100
    assert len(database.find(new, [each.source for each in text])) == 100
    assert len(database.find(old, [each.source for each in text])) < 50
    assert not database.find(old, ["0"])
    assert database.find(new, ["more 49"])
    database.close()
    assert size(database.path) <= limit


def test_one_search_alone_keeps_within_bounds_too(tmp_path: Path) -> None:
    database = TranslationCache(tmp_path, 300_000)
    for i in range(40):
        database.add(KEY, [translation(f"{i} {j}", "x" * 1000) for j in range(20)])
    database.close()
    assert size(database.path) <= 300_000
    assert database.find(KEY, ["39 19"])
    assert not database.find(KEY, ["0 0"])


def test_a_value_of_more_than_32_mib_is_not_kept(tmp_path: Path) -> None:
    store = Store(tmp_path, "values", 2**30, in_memory=True)
    most = bytes(32 * 2**20)
    more = most + b"1"
    store.put("group", {b"both": StoredValue(most, most), b"head": StoredValue(more), b"body": StoredValue(b"1", more)})
    for part in ("head", "body"):
        assert store.parts("group", [b"both", b"head", b"body"], part) == {b"both": most}
    assert store.problem == ""


def test_as_many_of_a_few_values_go_as_a_large_one_needs(tmp_path: Path) -> None:
    store = Store(tmp_path, "values", 400_000)
    for name, length in [(b"a", 40_000), (b"b", 40_000), (b"c", 40_000), (b"d", 190_000), (b"e", 190_000)]:
        store.put("group", {name: StoredValue(bytes(length))})
    assert store.parts("group", [b"e"], "head") == {b"e": bytes(190_000)}
    store.close()
    assert size(store.path) <= 400_000


def kept(path: Path, number: int = 200) -> list[Translation]:
    database = TranslationCache(path)
    added = [translation(f"{i}", "x" * 200) for i in range(number)]
    database.add(KEY, added)
    database.close()
    return added


def spoil_start(data: bytearray) -> None:
    data[:100] = b"this is a text and no database at all".ljust(100)


def spoil_middle(data: bytearray) -> None:
    data[8192:] = random.Random(1).randbytes(len(data) - 8192)


def spoil_end(data: bytearray) -> None:
    del data[len(data) // 3 :]


def spoil_version(data: bytearray) -> None:
    """Flip a bit of the version by which a file may be written: SQLite then only reads it."""
    data[18] ^= 1 << 4


@pytest.mark.parametrize("spoil", [spoil_start, spoil_middle, spoil_end, spoil_version])
def test_a_broken_file_is_named_and_put_aside(spoil: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    added = kept(tmp_path)
    database = TranslationCache(tmp_path)
    path = database.path
    data = bytearray(path.read_bytes())
    spoil(data)
    path.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        found = database.find(KEY, [each.source for each in added])
    assert found == {}
    assert database.problem.count(str(path)) == 1
    assert database.problem in caplog.text
    aside = path.with_name(path.name + ".broken").read_bytes()
    assert aside[100 : len(data)] == data[100:]  # SQLite counts changes in its header
    assert database.path != path
    database.add(KEY, added)
    assert database.find(KEY, [added[7].source]) == short([added[7]])
    database.close()
    again = TranslationCache(tmp_path)
    assert len(again.find(KEY, [each.source for each in added])) == len(added)
    assert again.problem == ""


@pytest.mark.slow
def test_a_wrong_number_of_free_pages_does_not_hang(tmp_path: Path) -> None:
    """One bit of the header of a store of 3,000 translations, which an earlier version retried for ever."""
    added = kept(tmp_path, 3000)
    database = TranslationCache(tmp_path)
    data = bytearray(database.path.read_bytes())
    data[39] ^= 4
    database.path.write_bytes(data)
    began = time.monotonic()
    found = database.find(KEY, [each.source for each in added])
    assert found.items() <= short(added).items()
    database.add(KEY, added)
    assert database.find(KEY, ["7"]) == short([added[7]])
    assert time.monotonic() - began < 40


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_damaged_nothing_wrong_is_returned_and_soon(seed: int, tmp_path: Path) -> None:
    """Flips of one to a few hundred bits anywhere in the file or its log; what is found is right, and one can add."""
    rng = random.Random(seed)
    for trial in range(12):
        folder = tmp_path / str(trial)
        added = kept(folder, 60)
        expected = short(added)
        path = TranslationCache(folder).path
        data = bytearray(path.read_bytes())
        first = rng.choice([0, 0, rng.randrange(len(data))])
        last = min(len(data), first + rng.choice([100, 4096, len(data)]))
        for _ in range(rng.choice([1, 1, 3, 30, 300])):
            data[rng.randrange(first, last)] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_utime
        database = TranslationCache(folder)
        assert database.find(KEY, expected).items() <= expected.items()
        for each in added[:20]:
            whole = database.find_whole(KEY, each.source)
            if whole is not None:
                check_whole(whole, each)
        database.add(KEY, added)
        assert database.find(KEY, expected) == expected
        database.close()
        assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 10
        assert time.monotonic() - began < 60


def test_a_row_that_was_changed_counts_as_missing(tmp_path: Path) -> None:
    added = kept(tmp_path, 4)
    database = TranslationCache(tmp_path)
    with sqlite3.connect(database.path) as connection:
        heads = connection.execute("SELECT head FROM entries ORDER BY id").fetchall()
        connection.execute("UPDATE entries SET head = ? WHERE id = 1", heads[1])  # another row's, well-formed
        connection.execute("UPDATE entries SET head = 'text' WHERE id = 2")
        connection.execute("UPDATE entries SET head = body, body = head WHERE id = 3")  # its own, in the other's place
    connection.close()
    expected = short(added)
    sources = list(expected)
    assert len(database.find(KEY, sources)) == 1
    database.add(KEY, added)
    assert database.find(KEY, sources) == expected
    assert database.problem == ""


def test_a_file_with_other_tables_is_put_aside(tmp_path: Path) -> None:
    database = TranslationCache(tmp_path)
    with sqlite3.connect(database.path) as connection:
        connection.execute("CREATE TABLE groups (something TEXT)")
    connection.close()
    database.add(KEY, [translation("a")])
    assert "broken" in database.problem
    assert database.find(KEY, ["a"])


def test_another_process_put_the_file_aside(tmp_path: Path) -> None:
    """Both go on, in the new file; nobody's open file is replaced."""
    one, other = TranslationCache(tmp_path), TranslationCache(tmp_path)
    one.add(KEY, [translation("a")])
    other.add(KEY, [translation("b")])
    path = one.path
    assert size(path)  # nothing is left in the log
    with path.open("r+b") as file:
        file.write(b"no database")
    third = TranslationCache(tmp_path)
    third.add(KEY, [translation("c")])
    assert "broken" in third.problem
    for name, database in (("d", one), ("e", other)):
        database.add(KEY, [translation(name)])
        assert database.find(KEY, [name]) == short([translation(name)])
        database.close()
    third.close()
    assert "c" in TranslationCache(tmp_path).find(KEY, "abcde")
    assert TranslationCache(tmp_path).path.name == path.name.replace(".0.", ".1.")


def check_memory_serves(database: TranslationCache) -> None:
    path = database.path
    database.add(KEY, [translation("a")])
    assert database.find(KEY, ["a"]) == short([translation("a")])
    assert database.problem.startswith(f"{path} cannot be used (")
    assert database.problem.endswith("): its values are kept only until the program ends")


def test_where_nothing_can_be_written_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    check_memory_serves(TranslationCache(tmp_path / "file" / "cache"))


@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o777), (0o666, 0o555)])
@pytest.mark.parametrize("broken", [False, True])
def test_a_file_that_one_may_only_read_stays_where_it_is(broken: bool, file: int, folder: int) -> None:
    """For root too, who has the rights of nobody meanwhile."""
    users = os.getresuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        kept(Path(name), 3)
        (path,) = Path(name).iterdir()
        data = bytearray(path.read_bytes())
        if broken:
            spoil_version(data)
            path.write_bytes(data)
        path.chmod(file)
        Path(name).chmod(folder)
        try:
            os.setresuid(*(users if any(users) else (65534, 65534, 0)))
            check_memory_serves(TranslationCache(Path(name)))
        finally:
            os.setresuid(*users)
            Path(name).chmod(0o700)
        assert path.read_bytes() == data


def test_a_file_that_disappears_is_made_again(tmp_path: Path) -> None:
    kept(tmp_path, 3)
    database = TranslationCache(tmp_path)
    database.path.unlink()
    assert database.find(KEY, ["0"]) == {}
    database.add(KEY, [translation("a")])
    database.close()
    assert TranslationCache(tmp_path).find(KEY, ["a"])


def test_a_folder_that_is_deleted_while_it_is_in_use_is_made_again(tmp_path: Path) -> None:
    """As docs/security.md advises, in one of two processes; both go on in one new file."""
    one, other = TranslationCache(tmp_path / "cache"), TranslationCache(tmp_path / "cache")
    one.add(KEY, [translation("a")])
    assert other.find(KEY, ["a"])
    shutil.rmtree(tmp_path / "cache")
    assert one.find(KEY, ["a"]) == {}
    one.add(KEY, [translation("b")])
    assert other.find(KEY, ["a", "b"]) == short([translation("b")])
    assert (one.problem, other.problem) == ("", "")
    assert TranslationCache(tmp_path / "cache").find(KEY, ["b"])


def test_nothing_is_written_where_translations_are_kept_in_memory(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_TRANSLATIONS", "memory")
    database = TranslationCache()
    database.add(KEY, [translation("one")])
    check_whole(database.find_whole(KEY, "one"), translation("one"))
    assert not cache.exists()
    assert TranslationCache().find_whole(KEY, "one") is None
    monkeypatch.setenv("JOINTLY_TRANSLATIONS", "no")
    with pytest.raises(InputError, match="JOINTLY_TRANSLATIONS"):
        TranslationCache()
