"""The native engine as a file: compiled once, tried, and never a condition."""

import ctypes
import logging
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from nmt import native

COMPILER = shutil.which(os.environ.get("CC", "cc").split()[0])
needs_compiler = pytest.mark.skipif(
    COMPILER is None or os.environ.get("JOINTLY_NATIVE") == "off", reason="no C compiler, or switched off"
)


def unused(caplog: pytest.LogCaptureFixture) -> str:
    """The only line that the log has after the library was asked for in vain."""
    with caplog.at_level(logging.WARNING):
        assert native.library.__wrapped__() is None
    (line,) = caplog.messages
    assert line.startswith("the native engine is not used, torch computes instead: ")
    return line


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("JOINTLY_NATIVE", "off")
    assert native.library.__wrapped__() is None
    assert not caplog.messages


def test_without_a_compiler_a_line_says_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.delenv("JOINTLY_NATIVE", raising=False)
    monkeypatch.setenv("CC", "no-such-compiler")
    assert "no C compiler" in unused(caplog)


def test_a_compiler_that_fails_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiler = tmp_path / "compiler"
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("JOINTLY_NATIVE", str(tmp_path / "cache"))
    for said, quoted in (("echo not this; echo this is no C", "this is no C"), ("true", "status 3")):
        compiler.write_text(f"#!/bin/sh\n({said}) >&2\nexit 3\n", encoding="utf-8")
        compiler.chmod(0o700)
        assert unused(caplog).endswith(f"compiler: {quoted}")
        caplog.clear()
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_compiler_may_be_named_with_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\necho "first: $1" >&2\nexit 3\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", f"{compiler} -this")
    monkeypatch.setenv("JOINTLY_NATIVE", str(tmp_path / "cache"))
    assert unused(caplog).endswith("compiler: first: -this")


def test_a_compiler_may_lie_in_a_folder_with_a_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiler = tmp_path / "my tools" / "compiler"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\necho found >&2\nexit 3\n", encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("JOINTLY_NATIVE", str(tmp_path / "cache"))
    assert unused(caplog).endswith("compiler: found")


def test_a_folder_that_cannot_be_written_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setenv("JOINTLY_NATIVE", str(tmp_path / "file" / "folder"))
    assert "file" in unused(caplog)


def test_without_a_compiler_the_first_engine_that_fits_the_processor_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(native, "SOURCE", tmp_path / "engine.c")
    flags = {kind: " ".join(sorted(needed)) for kind, needed in native.PREBUILT.items()}
    for there, processor, taken in (
        (["avx512", "avxvnni", "avx2"], " ".join(flags.values()), "avx512"),
        (["avxvnni", "avx2"], " ".join(flags.values()), "avxvnni"),
        (["avx512", "avxvnni", "avx2"], flags["avxvnni"], "avxvnni"),
        (["avx512", "avxvnni", "avx2"], flags["avx2"], "avx2"),
        (["avx512"], flags["avx2"], ""),
        (["avx512", "avxvnni", "avx2"], "avx2 fma", ""),
        (["dotprod", "neon"], "aarch64 fp asimd asimddp", "dotprod"),
        (["dotprod", "neon"], "aarch64 fp asimd", "neon"),
    ):
        for kind in native.PREBUILT:
            (tmp_path / f"engine-{kind}.so").unlink(missing_ok=True)
        for kind in there:
            (tmp_path / f"engine-{kind}.so").touch()
        monkeypatch.setattr(native, "_processor", lambda processor=processor: processor)
        if taken:
            assert native.build(tmp_path) == tmp_path / f"engine-{taken}.so"
            continue
        with pytest.raises(native.UnavailableError, match="no C compiler"):
            native.build(tmp_path)


@needs_compiler
def test_a_folder_that_others_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("JOINTLY_NATIVE", str(tmp_path))
    for mode in (0o720, 0o702):
        tmp_path.chmod(mode)
        assert "others can write" in unused(caplog)
        caplog.clear()
    tmp_path.chmod(0o755)
    assert native.build(tmp_path).parent == tmp_path
    assert native.build(tmp_path / "new").parent.stat().st_mode & 0o777 == 0o700


@needs_compiler
def test_it_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = native.build(tmp_path)
    monkeypatch.setattr("nmt.native.subprocess", None)
    assert native.build(tmp_path) == path
    assert list(tmp_path.iterdir()) == [path]


@needs_compiler
def test_another_source_or_other_flags_have_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "engine.c"
    names = set()
    for text, extra in (("int a;", ()), ("int b;", ()), ("int b;", ("-DX",))):
        source.write_text(text, encoding="utf-8")
        names.add(native.build(tmp_path / "cache", source, extra).name)
    monkeypatch.setattr("nmt.native._processor", lambda: "another")
    names.add(native.build(tmp_path / "cache", source).name)
    assert len(names) == 4


LOADED = "import sys, nmt.native; sys.exit(nmt.native.library.__wrapped__() is None)"


@needs_compiler
@pytest.mark.parametrize("share", [0, 0.02, 0.5, 0.999, "a bit"])
def test_a_damaged_file_is_compiled_anew(tmp_path: Path, share: float | str) -> None:
    """In a process of its own, because the end of a file that is missing would end it."""
    path = native.build(tmp_path)
    whole = path.read_bytes()
    if isinstance(share, str):
        path.write_bytes(whole[:9000] + bytes([whole[9000] ^ 1]) + whole[9001:])
    else:
        os.truncate(path, int(share * len(whole)))
    environment = os.environ | {"JOINTLY_NATIVE": str(tmp_path)}
    assert subprocess.run([sys.executable, "-c", LOADED], env=environment, check=False).returncode == 0
    (again,) = tmp_path.iterdir()
    assert again.read_bytes() == whole


@needs_compiler
def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut leaves a whole file or none."""
    flushed: list[tuple[int, list[str]]] = []
    real = os.fsync

    def fsync(file: int) -> None:
        flushed.append((os.fstat(file).st_ino, [each.name for each in tmp_path.glob("engine-*.so")]))
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    path = native.build(tmp_path)
    assert flushed == [(path.stat().st_ino, [])]


def belongs(monkeypatch: pytest.MonkeyPatch, place: Path, user: int) -> None:
    """Let a file or folder belong to another user, as far as the engine can see."""
    real = Path.stat

    def of(path: Path, **options: bool) -> os.stat_result:
        about = real(path, **options)
        if path != place:
            return about
        values = [*about]
        values[stat.ST_UID] = user
        return os.stat_result(values)

    monkeypatch.setattr(Path, "stat", of)


STRANGER = os.getuid() + 1 if hasattr(os, "getuid") else 1


@needs_compiler
@pytest.mark.parametrize("above", [0, 1, 2, None])
def test_what_belongs_to_another_user_is_not_executed(
    above: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The folder, one above it, or the file."""
    folder = tmp_path / "a" / "b"
    path = native.build(folder)
    place = path if above is None else (folder, *folder.parents)[above]
    monkeypatch.setenv("JOINTLY_NATIVE", str(folder))
    monkeypatch.setattr(native, "load", None)
    with monkeypatch.context() as patch:
        belongs(patch, place, STRANGER)
        assert f"others can write in {place}, " in unused(caplog)
        caplog.clear()
        belongs(patch, place, 0)
        assert native.build(folder) == path


@needs_compiler
def test_a_file_or_a_folder_above_that_others_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a" / "b"
    path = native.build(folder)
    for place, refused, right in (
        (path, (0o702, 0o720), (0o700, 0o755)),
        (tmp_path / "a", (0o777, 0o702, 0o720), (0o755, 0o1777, 0o1720)),
        (tmp_path, (0o777,), (0o755, 0o1777)),
    ):
        before = place.stat().st_mode & 0o7777
        monkeypatch.setattr(native, "_is_private", lambda _: False)
        for mode in refused:
            place.chmod(mode)
            with pytest.raises(native.UnavailableError, match=f"others can write in {place}, "):
                native.build(folder)
        for mode in right:
            place.chmod(mode)
            assert native.build(folder) == path
        place.chmod(0o770)
        monkeypatch.setattr(native, "_is_private", lambda _: True)
        if place == path:
            with pytest.raises(native.UnavailableError):
                native.build(folder)
        else:
            assert native.build(folder) == path
        place.chmod(before)


@needs_compiler
def test_a_link_is_followed_once(tmp_path: Path) -> None:
    """Whoever can exchange the link cannot exchange what is loaded."""
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert native.build(tmp_path / "link").parent == tmp_path / "real"


def test_a_group_is_private_if_it_has_the_name_of_the_user_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_name="me"))
    for name, members, private in (("me", [], True), ("me", ["me"], True), ("me", ["you"], False), ("all", [], False)):
        group = SimpleNamespace(gr_name=name, gr_mem=members)
        monkeypatch.setattr(grp, "getgrgid", lambda _, group=group: group)
        assert native._is_private(1) is private

    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(grp, "getgrgid", unknown)
    assert not native._is_private(1)


def test_a_compiler_that_takes_too_long_is_asked_again_after_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiler, folder = tmp_path / "compiler", tmp_path / "cache"
    compiler.write_text(f"#!/bin/sh\necho >> {tmp_path}/asked\nexec sleep 60\n", encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("JOINTLY_NATIVE", str(folder))
    monkeypatch.setattr(native, "SECONDS", 0.5)
    for asked, said in ((1, "within 0.5 seconds"), (1, "did not end in time"), (1, "did not end in time")):
        assert said in unused(caplog)
        assert (tmp_path / "asked").read_bytes().count(b"\n") == asked
        caplog.clear()
    (late,) = folder.iterdir()
    for other in (-86_500, 86_500):  # also if the clock was wrong
        os.utime(late, (time.time() + other, time.time() + other))
        assert "within 0.5 seconds" in unused(caplog)
        caplog.clear()
    assert (tmp_path / "asked").read_bytes().count(b"\n") == 3


@needs_compiler
def test_an_engine_without_a_function_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "engine.c").write_text("int nothing;", encoding="utf-8")
    other = native.build(tmp_path, tmp_path / "engine.c")
    monkeypatch.setattr(native, "build", lambda _: other)
    monkeypatch.delenv("JOINTLY_NATIVE", raising=False)
    assert "context" in unused(caplog)  # the first of its functions


@needs_compiler
@pytest.mark.parametrize("wrong", ["multiply", "attend_gradient"])
def test_wrong_results_are_found(wrong: str) -> None:
    class Wrong:
        def __getattr__(self, name: str) -> object:
            return (lambda *_: None) if name == wrong else getattr(native.library(), name)

    native.try_(native.library())  # type: ignore[arg-type]
    with pytest.raises(native.UnavailableError, match="products or gradients are wrong"):
        native.try_(Wrong())  # type: ignore[arg-type]


@needs_compiler
@pytest.mark.parametrize("seed", range(20))
def test_the_best_sums_of_rows_with_nan_and_infinities(seed: int) -> None:
    """Rows with NaN or a value above 0 are broken and have no sums; the others' in the order of a stable sort."""
    library = native.library()
    assert library is not None
    random = np.random.default_rng(seed)
    x = random.integers(-5, 1, (3, 4, 2 * 64)).astype(np.float32)
    x[random.random(x.shape) < 0.1] = -np.inf
    x[random.random(x.shape) < 0.002] = random.choice([np.nan, np.inf, 0.001])
    x[random.random(x.shape) < 0.01] = 1e-5
    live, number = np.round(random.normal(size=(3, 4))), int(random.integers(1, 60))
    best, broken, maxima = np.empty((3, 3, number)), np.empty((3, 4), dtype=np.bool_), np.empty(2, dtype=np.float32)
    arrays = (x, live, maxima, best, broken)
    library.best_sums(3, 4, 2, number, *(each.ctypes.data for each in arrays))
    np.testing.assert_array_equal(broken, ~(x < 1e-4).all(axis=2))
    x[broken] = -np.inf
    sums = (x.astype(np.float64) + live[:, :, None]).reshape(3, -1)
    expected = np.argsort(-sums, axis=1, kind="stable")[:, :number]
    places, values, totals = best[:, 0].view(np.int64), best[:, 1], best[:, 2]
    np.testing.assert_array_equal(totals, np.take_along_axis(sums, expected, axis=1))
    found = totals > -np.inf
    np.testing.assert_array_equal(places[found], expected[found])
    np.testing.assert_array_equal(values[found], np.take_along_axis(x.reshape(3, -1), expected, axis=1)[found])


@needs_compiler
@pytest.mark.parametrize("v", [0.5, 30.0])
def test_energies_of_large_sums_are_those_of_numpy(v: float) -> None:
    """One vector, two and four, and some beyond, with each pair of a small and a large sum in them."""
    library = native.library()
    assert library is not None
    lanes = ctypes.c_int.in_dll(library, "lanes").value
    sums = np.array([-200, -88, -60, -40, -1, 0, 2, 40, 60, 200], dtype=np.float32)
    for n_a in (lanes, 2 * lanes, 4 * lanes, 2 * lanes + 3):
        keys = np.empty((len(sums) ** 2, n_a), dtype=np.float32)
        keys[:] = np.repeat(sums, len(sums))[:, None]
        second = np.arange(n_a) // lanes % 2 == 1
        keys[:, second] = np.tile(sums, len(sums))[:, None]
        weights = np.zeros(n_a + 64, dtype=np.float32)
        weights[:n_a] = v * (-1.0) ** np.arange(n_a) + v / 2
        query, blocked, e = np.zeros(n_a, np.float32), np.zeros(len(keys), np.float32), np.zeros(len(keys), np.float32)
        arrays = (query, keys, weights, blocked, e)
        library.energies(len(keys), n_a, *(each.ctypes.data for each in arrays))
        expected = (1 / (1 + np.exp(-keys.astype(np.float64)))) @ weights[:n_a].astype(np.float64)
        np.testing.assert_allclose(e, expected, atol=1e-5 * v * n_a)


@needs_compiler
@pytest.mark.parametrize("inputs", [3, 64, 200])
def test_inputs_are_rounded_to_the_nearest_integer(inputs: int) -> None:
    """Seen through a matrix that selects inputs."""
    library = native.library()
    assert library is not None
    random = np.random.default_rng(inputs)
    x = random.normal(size=(7, inputs)).astype(np.float32)
    x[:, 0] = np.abs(x).max(axis=1) * random.choice([-1, 1], 7)
    steps = x * (127 / np.abs(x).max(axis=1, keepdims=True))
    x[np.abs(steps % 1 - 0.5) < 1e-3] = 0  # halves may be rounded to either side
    steps = x * (127 / np.abs(x).max(axis=1, keepdims=True))
    for first in range(0, inputs, 64):
        fours = -(-inputs // 4)
        w = np.zeros((64, 4 * fours), dtype=np.int8)
        chosen = np.arange(first, min(first + 64, inputs))
        w[chosen - first, chosen] = 1
        packed = np.ascontiguousarray(w.reshape(64, -1, native.group(library)).transpose(1, 0, 2))
        scale, offset = np.ones(64, dtype=np.float32), 128 * w.sum(axis=1, dtype=np.int32)
        y = np.zeros((7, 64), dtype=np.float32)
        matrix = native.Matrix(packed.ctypes.data, scale.ctypes.data, offset.ctypes.data, None, inputs, 64)
        library.multiply(matrix, 7, x.ctypes.data, inputs, y.ctypes.data, 64)
        found = y[:, : len(chosen)] / np.abs(x).max(axis=1, keepdims=True)
        np.testing.assert_allclose(found, np.floor(steps[:, chosen] + 0.5), atol=1e-3)


SANITIZED = """
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import torch
from nmt import native
from tests.model.test_scans import attending
from tests.oracles.random_steps import random_searches
library = native.load(Path(sys.argv[1]))
native.try_(library)
native.library = lambda: library
torch.set_num_threads(1)
for n_a in (1, 15, 33, 100):
    case = attending(3, n_a, 5, torch.float32)
    torch.autograd.grad(sum(each.sum() for each in case.scan(*case.inputs)), case.inputs, allow_unused=True)
faults = [case for seed in range(int(sys.argv[2])) for case in random_searches(seed, library, 3) if case.fault]
assert not faults, faults
print("clean")
"""


@pytest.mark.thorough
@needs_compiler
@pytest.mark.slow
def test_the_sanitizers_find_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No read or write beyond an array, no undefined operation, over random shapes and values."""
    monkeypatch.setattr(native, "SECONDS", 900)  # on a busy machine
    flags = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
    found = subprocess.run(
        [str(COMPILER), "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
    ).stdout.strip()
    if not Path(found).is_absolute():
        pytest.skip("the compiler has no sanitizers")
    path = native.build(tmp_path, extra=flags)
    environment = os.environ | {"LD_PRELOAD": found, "ASAN_OPTIONS": "detect_leaks=0", "JOINTLY_NATIVE": "off"}
    command = [sys.executable, "-c", SANITIZED, str(path), "12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout == "clean\n", done.stderr[-3000:]


@needs_compiler
@pytest.mark.parametrize("name", ["Matrix", "Model", "Search"])
def test_a_structure_is_the_compilers(name: str, tmp_path: Path) -> None:
    """ctypes has each field that engine.c declares, where the compiler has it."""
    structure = native.structure(name)
    fields = [field for field, _ in structure._fields_]
    values = [f"sizeof({name})", *(f"__builtin_offsetof({name}, {field})" for field in fields)]
    source = tmp_path / "places.c"
    source.write_text(
        f'#include "{native.SOURCE}"\nPUBLIC const i64 places[] = {{{",".join(values)}}};', encoding="utf-8"
    )
    command = [str(COMPILER), "-w", "-shared", "-fPIC", "-o", tmp_path / "places.so", source, "-lm"]
    subprocess.run(command, check=True)
    places = (ctypes.c_int64 * len(values)).in_dll(ctypes.CDLL(str(tmp_path / "places.so")), "places")
    assert [*places] == [ctypes.sizeof(structure), *(getattr(structure, field).offset for field in fields)]


@pytest.mark.parametrize(
    ("threads", "lines", "rows", "parts"),
    [
        (1, 8, 40, [(0, 8)]),
        (2, 8, 40, [(0, 4), (4, 8)]),
        (3, 8, 40, [(0, 2), (2, 5), (5, 8)]),
        (9, 2, 400, [(0, 1), (1, 2)]),
        (9, 5, 16, [(0, 2), (2, 5)]),  # 80 rows: two times 40
        (9, 5, 15, [(0, 5)]),
        (2, 1, 400, [(0, 1)]),
    ],
)
def test_lines_are_computed_in_parts_of_at_least_forty_rows(
    threads: int, lines: int, rows: int, parts: list[tuple[int, int]]
) -> None:
    found: list[tuple[int, int]] = []

    def part(first: int, end: int) -> int:
        found.append((first, end))
        return 0

    with native.threads(threads):
        assert native.in_parts(part, lines, rows) == 0
    assert sorted(found) == parts


def test_parts_are_computed_at_one_time() -> None:
    """Each waits until all have begun."""
    meet = threading.Barrier(3)
    seen: set[int] = set()

    def part(first: int, end: int) -> int:
        meet.wait(30)
        seen.add(threading.get_ident())
        return 0

    with native.threads(3):
        assert native.in_parts(part, 3, 40) == 0
    assert len(seen) == 3


def test_a_part_that_no_thread_has_begun_is_computed_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a busy machine, whose threads do not come to run."""
    busy, free = ThreadPoolExecutor(1), threading.Event()
    monkeypatch.setattr(native, "_helpers", lambda _: busy)
    busy.submit(free.wait)
    seen: list[tuple[int, int, int]] = []

    def part(first: int, end: int) -> int:
        seen.append((first, end, threading.get_ident()))
        return 0

    with native.threads(4):
        native.in_parts(part, 4, 40)
    free.set()
    busy.shutdown()
    here = threading.get_ident()
    assert seen == [(0, 1, here), (3, 4, here), (2, 3, here), (1, 2, here)]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_part_that_fails_says_so(place: int) -> None:
    with native.threads(3):
        assert native.in_parts(lambda first, end: 7 * (first <= place < end), 3, 40) == 7


def test_an_error_in_another_thread_is_raised() -> None:
    def part(first: int, end: int) -> int:
        meet.wait(30)
        return 1 // (1 - first)

    meet = threading.Barrier(2)
    with native.threads(2), pytest.raises(ZeroDivisionError):
        native.in_parts(part, 2, 40)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    """A thread of the process before it would never take a part, and two that wait for each other need both."""
    program = """
import os, threading
from nmt import native

def both():
    meet = threading.Barrier(2)
    with native.threads(2):
        return native.in_parts(lambda first, end: meet.wait(30) * 0, 2, 40)

assert both() == 0
child = os.fork()
if child == 0:
    os._exit(both())
assert os.waitpid(child, 0)[1] == 0
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
