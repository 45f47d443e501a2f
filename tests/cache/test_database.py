"""Finished translations on disk: found again, by many at once, within bounds, and whatever happens to the file."""

import logging
import multiprocessing
import random
import sqlite3
import threading
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from nmt.cache.database import TranslationCache
from nmt.cache.folder import cache_folder
from nmt.cache.keys import ScoreKey, SearchKey
from nmt.results import AlignmentSummary, FinishedScore, FinishedTranslation

KEY = SearchKey("w", "r", 12, False, 0.0, "", "", "fp32", "cpu")


def translation(source: str, text: str = "un texte", summarised: bool = True) -> FinishedTranslation:
    summary = AlignmentSummary(0.1 + len(source) / 3, 1e-17, 1 / 3) if summarised else None
    return FinishedTranslation(
        source=source, text=text, tokens=len(source), log_probability=-len(source) / 7, alignment=summary
    )


@pytest.fixture
def database(tmp_path: Path) -> TranslationCache:
    return TranslationCache(tmp_path)


def test_what_was_added_is_found_to_the_last_bit(database: TranslationCache) -> None:
    texts = ["a", "", " a", "a\x00b", "\ud800", "é", "e\u0301", "x" * 100_000, "a'; DROP TABLE settings"]
    added = [translation(text, text[::-1], bool(i % 2)) for i, text in enumerate(texts)]
    database.add(KEY, added)
    database.close()
    again = TranslationCache(database.path.parent)
    assert again.find(KEY, [*texts, "not there", *texts]) == {each.source: each for each in added}
    assert again.problem == ""


def test_more_sentences_than_a_statement_takes(database: TranslationCache) -> None:
    added = [translation(f"sentence {i}") for i in range(3000)]
    database.add(KEY, added)
    assert database.find(KEY, [each.source for each in added]) == {each.source: each for each in added}


def test_scores_are_found_by_both_sides(database: TranslationCache) -> None:
    key = ScoreKey("w", "r", "cpu")
    pairs = [("a", "x"), ("a", "y"), ("b", "x"), ("", ""), ("\ud800", "\x00")]
    added = {
        (source, target): FinishedScore(source=source, target=target, tokens=i, log_probability=-i / 7)
        for i, (source, target) in enumerate(pairs)
    }
    database.add_scores(key, [*added.values(), FinishedScore(source="a", target="x", tokens=99, log_probability=-99.0)])
    assert database.find_scores(key, [*pairs, ("b", "y"), ("x", "a")]) == added
    for field in fields(ScoreKey):
        assert database.find_scores(replace(key, **{field.name: "other"}), pairs) == {}
    many = {
        (f"{i}", f"{j}"): FinishedScore(source=f"{i}", target=f"{j}", tokens=i, log_probability=-float(j))
        for i in range(60)
        for j in range(60)
    }
    database.add_scores(key, list(many.values()))
    assert database.find_scores(key, many) == many


def test_scores_make_room_too(tmp_path: Path) -> None:
    database = TranslationCache(tmp_path, 300_000)
    key = ScoreKey("w", "r", "cpu")
    for i in range(60):
        database.add_scores(
            key,
            [
                FinishedScore(source=f"{i} {j} " + "x" * 250, target="y" * 250, tokens=1, log_probability=-1.0)
                for j in range(20)
            ],
        )
    database.close()
    assert size(database.path) <= 300_000
    last = f"59 19 {'x' * 250}", "y" * 250
    assert database.find_scores(key, [last])
    database.add(KEY, [translation(f"{i} " + "x" * 500) for i in range(220)])  # a later search, some 260,000 bytes
    assert not database.find_scores(key, [last])


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
                assert database.find(KEY, [own.source, "common"]) == {own.source: own, "common": translation("common")}
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
    database = TranslationCache(folder)
    barrier.wait()
    for i in range(20):
        database.add(replace(KEY, beam=number), [translation(f"{i}")])
        database.add(KEY, [translation(f"{number} {i}")])
    assert not database.problem


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


def size(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.stat().st_size


def test_settings_not_used_for_longest_go_first(tmp_path: Path) -> None:
    limit = 400_000
    database = TranslationCache(tmp_path, limit)
    old, used, new = (replace(KEY, beam=beam) for beam in (1, 2, 3))
    text = [translation(f"{i} " + "x" * 500) for i in range(100)]  # some 120,000 bytes
    for key in (used, old):
        database.add(key, text)
    database.find(used, [])
    for part in (text[:50], text[50:]):
        database.add(new, part)
    database.add(new, [translation(f"more {i} " + "x" * 500) for i in range(50)])
    assert database.find(old, [each.source for each in text]) == {}
    assert len(database.find(used, [each.source for each in text])) == 100
    assert len(database.find(new, [each.source for each in text])) == 100
    database.close()
    assert size(database.path) <= limit


def test_one_search_alone_keeps_within_bounds_too(tmp_path: Path) -> None:
    database = TranslationCache(tmp_path, 300_000)
    for i in range(60):
        database.add(KEY, [translation(f"{i} {j} " + "x" * 500) for j in range(20)])
    database.close()
    assert size(database.path) <= 300_000
    assert database.find(KEY, [f"59 19 {'x' * 500}"])
    assert not database.find(KEY, [f"0 0 {'x' * 500}"])


def kept(path: Path, number: int = 200) -> list[FinishedTranslation]:
    database = TranslationCache(path)
    added = [translation(f"{i} " + "x" * 200) for i in range(number)]
    database.add(KEY, added)
    database.close()
    return added


def spoil_start(data: bytearray) -> None:
    data[:100] = b"this is a text and no database at all".ljust(100)


def spoil_middle(data: bytearray) -> None:
    random.seed(1)
    data[8192:] = random.randbytes(len(data) - 8192)


def spoil_end(data: bytearray) -> None:
    del data[len(data) // 3 :]


@pytest.mark.parametrize("spoil", [spoil_start, spoil_middle, spoil_end])
def test_a_broken_file_is_named_and_replaced(spoil: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    added = kept(tmp_path)
    database = TranslationCache(tmp_path)
    data = bytearray(database.path.read_bytes())
    spoil(data)
    database.path.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        found = database.find(KEY, [each.source for each in added])
    assert found == {}
    assert database.problem.count(str(database.path)) == 1
    assert database.problem in caplog.text
    aside = database.path.with_suffix(".broken.sqlite").read_bytes()
    assert aside[100 : len(data)] == data[100:]  # SQLite counts changes in its header
    database.add(KEY, added)
    assert database.find(KEY, [added[7].source]) == {added[7].source: added[7]}
    database.close()
    again = TranslationCache(tmp_path)
    assert len(again.find(KEY, [each.source for each in added])) == len(added)
    assert again.problem == ""


def test_a_file_with_other_tables_is_replaced(tmp_path: Path) -> None:
    database = TranslationCache(tmp_path)
    with sqlite3.connect(database.path) as connection:
        connection.execute("CREATE TABLE settings (something TEXT)")
    connection.close()
    database.add(KEY, [translation("a")])
    assert "broken" in database.problem
    assert database.find(KEY, ["a"])


def test_a_row_that_nobody_wrote_so_is_no_crash(tmp_path: Path) -> None:
    kept(tmp_path, 3)
    database = TranslationCache(tmp_path)
    with sqlite3.connect(database.path) as connection:
        connection.execute("UPDATE translations SET text = 5, tokens = 'many'")
    connection.close()
    assert database.find(KEY, ["0 " + "x" * 200]) == {}
    assert "broken" in database.problem


def test_where_nothing_can_be_written_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    database = TranslationCache(tmp_path / "file" / "cache")
    database.add(KEY, [translation("a")])
    assert database.find(KEY, ["a"]) == {"a": translation("a")}
    assert "cannot be used" in database.problem


def test_a_file_that_disappears_is_made_again(tmp_path: Path) -> None:
    kept(tmp_path, 3)
    database = TranslationCache(tmp_path)
    database.path.unlink()
    assert database.find(KEY, ["0"]) == {}
    database.add(KEY, [translation("a")])
    database.close()
    assert TranslationCache(tmp_path).find(KEY, ["a"])
