"""Uploads: found by who has the key alone, for as long as somebody has them, within bytes and days."""

import hashlib
import time
import zlib

import pytest

from nmt.answers import store as stores
from nmt.answers import uploads
from nmt.answers.store import Store, StoredValue
from nmt.answers.uploads import DAYS, UploadStore
from nmt.errors import InputError
from nmt.files import cache_folder
from nmt.texts import for_reader

TEXT = b"the girl reads .\nla fille lit .\n"


def all_open(session: str) -> bool:
    return True


def test_a_text_is_found_under_its_hash_by_another_server_too() -> None:
    key = UploadStore().keep(TEXT, "one")
    assert hashlib.sha256(TEXT).hexdigest().startswith(key)
    assert len(key) * 4 >= 128  # bits: nobody guesses it
    assert UploadStore().find(key, "two") == TEXT


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "f" * 40, "F" * 40, "f" * 64, "\x00" * 40, "f" * 40 + "\n"])
def test_any_other_key_finds_nothing(key: str) -> None:
    store = UploadStore()
    store.keep(TEXT, "one")
    assert store.find(key, "one") is None


def test_it_goes_when_the_last_reader_gives_it_up() -> None:
    store = UploadStore()
    key = store.keep(TEXT, "one")
    assert store.keep(TEXT, "two") == key
    store.give_up(key, "one", all_open)
    assert store.find(key, "two") == TEXT
    store.give_up(key, "two", all_open)
    assert store.find(key, "two") is None


def test_a_reader_who_closed_the_page_does_not_count() -> None:
    store = UploadStore()
    key = store.keep(TEXT, "before the reload")
    assert store.find(key, "after it") == TEXT
    store.give_up(key, "after it", lambda session: session == "after it")
    assert store.find(key, "somebody") is None


def test_its_days_count_from_its_last_use(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    passed = 0
    monkeypatch.setattr(stores.time, "time", lambda: now + passed * 86_400)
    store = UploadStore()
    key, other = store.keep(TEXT, "one"), store.keep(TEXT * 2, "one")
    passed = DAYS - 1
    assert store.find(key, "two") == TEXT
    passed += DAYS - 1
    assert store.find(key, "two") == TEXT
    assert store.find(other, "two") is None
    passed += DAYS + 1
    assert store.find(key, "two") is None


def test_the_least_recently_used_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "ON_DISK", 300_000)
    texts = [b"".join(hashlib.sha256(b"%d %d" % (k, i)).digest() for i in range(1500)) for k in range(9)]
    store = UploadStore()
    keys = [store.keep(text, "one") for text in texts[:2]]
    for text in texts[2:]:
        keys.append(store.keep(text, "one"))
        assert store.find(keys[0], "one") == texts[0], "it was just used"
    assert store.find(keys[1], "one") is None
    assert store.find(keys[-1], "one") == texts[-1]
    assert sum(path.stat().st_size for path in cache_folder().glob("uploads-1.*.sqlite")) < 400_000


def test_what_has_no_room_at_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_LARGEST", 10)
    with pytest.raises(InputError) as error:
        UploadStore().keep(TEXT, "one")
    assert for_reader(str(error.value)) == "this server has no room for what you add"


@pytest.mark.parametrize("broken", [b"nothing compressed", zlib.compress(b"another text")])
def test_what_is_broken_counts_as_missing_and_can_be_added_again(broken: bytes) -> None:
    key = hashlib.sha256(TEXT).hexdigest()[:40]
    Store(cache_folder(), "uploads-1", 10**6).put(key, {b"": StoredValue(broken)})
    store = UploadStore()
    assert store.find(key, "one") is None
    assert store.keep(TEXT, "one") == key


def test_a_broken_file_is_put_aside() -> None:
    store = UploadStore()
    key = store.keep(TEXT, "one")
    store.close()
    (path,) = cache_folder().glob("uploads-1.*.sqlite")
    path.write_bytes(b"no database at all" * 1000)
    assert store.find(key, "one") is None
    assert store.keep(TEXT, "one") == key
    assert store.find(key, "one") == TEXT


def test_what_was_removed_is_not_left_in_the_file() -> None:
    store = UploadStore()
    marked = zlib.compress(TEXT)
    key = store.keep(TEXT, "one")
    store.give_up(key, "one", all_open)
    store.close()
    assert not [path for path in cache_folder().glob("uploads-1.*") if marked in path.read_bytes()]


def test_without_the_disk_it_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_TRANSLATIONS", "memory")
    store = UploadStore()
    key = store.keep(TEXT, "one")
    assert store.find(key, "two") == TEXT
    assert UploadStore().find(key, "two") is None
    assert store.in_memory
    assert not [*cache_folder().glob("uploads*")]
