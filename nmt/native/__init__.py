"""The native engine: engine.c, compiled once into the user's cache, loaded by ctypes, and tested before use.

The engine is optional. If it is missing or fails, torch and NumPy compute, and the log gives the reason
(docs/decisions/0016-native-engine.md). ``JOINTLY_NATIVE=off`` switches the engine off without an entry in the log.
"""

import ctypes
import functools
import hashlib
import logging
import os
import platform
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_cache_path

SOURCE = Path(__file__).parent / "engine.c"
_COMMON = ("-O3", "-std=gnu11", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast", "-fvisibility=hidden")
_LIBRARY = ("-fPIC", "-shared")
FLAGS = (("-march=native", "--param=avoid-fma-max-bits=0"), ("-march=native",), ("-mcpu=native",), ())
"""Groups of flags for the machine's processor. The first group that the compiler accepts is used. Without
avoid-fma-max-bits=0, GCC on AMD fuses only some sums, so that results of equal rows differ."""
PREBUILT = {
    "avx512": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512_vnni", "avx2", "fma", "bmi2"},
    "avxvnni": {"avx_vnni", "avx2", "fma", "bmi2"},
    "avx2": {"avx2", "fma", "bmi2"},
    "dotprod": {"asimd", "asimddp"},
    "neon": {"asimd"},
}
"""Engines that setup.py compiles for machines without a compiler, and the processor flags that each needs."""
SECONDS = 120
"""Seconds that the compiler may take. If it takes longer, it is tried again after ``_AGAIN`` seconds."""
_AGAIN = 86_400
_UNMAPPED = 65_534
"""The user id that the system reports for a folder whose owner does not exist in this container."""
LEAST_ROWS = 40
"""A step of several threads has at least this many rows for each thread."""

_log = logging.getLogger(__name__)

_threads: ContextVar[int] = ContextVar("threads", default=1)


class UnavailableError(Exception):
    """Error: the engine cannot be compiled or used. The message gives the reason."""


_NUMBERS: Any = {"int": ctypes.c_int, "i64": ctypes.c_int64, "float": ctypes.c_float, "double": ctypes.c_double}


@functools.cache
def _declarations() -> str:
    """The text of engine.c without comments and without ``const``."""
    return re.sub(r"/\*.*?\*/|\bconst ", "", SOURCE.read_text(encoding="utf-8"), flags=re.DOTALL)


@functools.cache
def structure(name: str, address: Any = ctypes.c_void_p, /) -> Any:
    """The ctypes class for the structure ``name`` of engine.c. ``address``: the class's type for each pointer."""
    (body,) = re.findall(rf"\{{([^{{}}]*)\}} {name};", _declarations())
    fields = [
        (field, one * int(count) if count else one)
        for kind, names in re.findall(r"(\w+) ([^;]+);", body)
        for star, field, count in re.findall(r"(\*?)(\w+)(?:\[(\d+)\])?", names)
        for one in [address if star else _NUMBERS.get(kind) or structure(kind, address)]
    ]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


Matrix = structure("Matrix", ctypes.c_void_p)  # with the arguments of ``structure``'s own call: one class


def places(name: str) -> dict[str, int]:
    """Layout of a structure in WebAssembly, where addresses have four bytes: offset of each field, and ``size``."""
    of_page = structure(name, ctypes.c_uint32)
    return {"size": ctypes.sizeof(of_page)} | {field: getattr(of_page, field).offset for field, _ in of_page._fields_}


def _argument(kind: str, star: str) -> Any:
    """The ctypes type of a function's argument: for a pointer ``POINTER(Matrix)`` or a plain address."""
    if star:
        return ctypes.POINTER(Matrix) if kind == "Matrix" else ctypes.c_void_p
    return Matrix if kind == "Matrix" else _NUMBERS[kind]


@functools.cache
def library() -> ctypes.CDLL | None:
    """The compiled engine. None if it is off or cannot be used. The first call compiles it, in one or two seconds."""
    if os.environ.get("JOINTLY_NATIVE") == "off":
        return None
    try:
        loaded = load(build(cache_folder()))
        try_(loaded)
    except (UnavailableError, OSError, AttributeError) as error:
        _log.warning("the native engine is not used, torch computes instead: %s", error)
        return None
    return loaded


@functools.cache
def name() -> str:
    """The program that computes steps of few hypotheses: "native" and a checksum of the source, or "torch"."""
    return "torch" if library() is None else f"native {hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:8]}"


@functools.cache
def group(loaded: ctypes.CDLL) -> int:
    """Number of adjacent inputs whose integers for one output lie together in a packed matrix."""
    return ctypes.c_int.in_dll(loaded, "group").value


@contextmanager
def threads(number: int) -> Iterator[None]:
    """A context in which ``in_parts`` uses up to ``number`` threads. Outside the context it uses one thread."""
    token = _threads.set(number)
    try:
        yield
    finally:
        _threads.reset(token)


def in_parts(part: Callable[[int, int], int], lines: int, rows: int) -> int:
    """Compute independent lines in several threads. Returns the largest result of ``part``. 0 means success.

    The calling thread computes the first part, and then each part that no other thread has begun. So a search does not
    wait for threads that a busy machine does not run.

    part: computes the lines from its first argument to before its second in the engine, without Python's lock. It must
    refer to all arrays, so that they live on if an interrupted search does not wait for the part. rows: number of rows
    of each line.
    """
    parts = min(_threads.get(), lines, lines * rows // LEAST_ROWS)
    if parts < 2:
        return part(0, lines)
    ends = [lines * i // parts for i in range(parts + 1)]
    others = [(_helpers(os.getpid()).submit(part, *span), *span) for span in pairwise(ends[1:])]
    failed = [part(0, ends[1])]
    failed += [part(first, end) if future.cancel() else future.result() for future, first, end in reversed(others)]
    return max(failed)


@functools.cache
def _helpers(process: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="native")


def cache_folder() -> Path:
    """Folder of the compiled engine: the value of JOINTLY_NATIVE, or without it a folder in the cache."""
    chosen = os.environ.get("JOINTLY_NATIVE")
    cache = os.environ.get("JOINTLY_CACHE") or user_cache_path("jointly", appauthor=False)
    return Path(chosen) if chosen else Path(cache) / "native"


def build(folder: Path, source: Path = SOURCE, extra: tuple[str, ...] = ()) -> Path:
    """Compile the engine into ``folder``, unless an intact file is there, and return the file. Its name has a checksum
    of all inputs of the compilation and a checksum of the file. Without a compiler, return a prebuilt engine. extra:
    more flags for the compiler.

    UnavailableError if there is neither a compiler nor a prebuilt engine, the compiler fails, or another user may have
    written the file to execute. OSError if the folder cannot be written.
    """
    chosen = os.environ.get("CC", "").strip() or "cc"
    name, *options = [chosen] if shutil.which(chosen) else chosen.split()
    compiler = shutil.which(name)
    if compiler is None:
        return _prebuilt()
    about = Path(compiler).resolve().stat()
    parts = [source.read_text(encoding="utf-8"), compiler, about.st_size, about.st_mtime_ns, _processor(), FLAGS, extra]
    key = hashlib.sha256(repr([*parts, options, _COMMON, _LIBRARY]).encode()).hexdigest()[:32]
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _check_owners(folder)
    for file in folder.glob(f"engine-{key}-*.so"):
        _check_owners(file)
        if file.name == _named(file, key):
            return file
        file.unlink(missing_ok=True)
    late = folder / f"engine-{key}.late"
    with suppress(FileNotFoundError):
        if abs(time.time() - late.stat().st_mtime) < _AGAIN:
            raise UnavailableError(f"{compiler} did not end in time; it is tried again after a day, or without {late}")
    with tempfile.TemporaryDirectory(dir=folder) as work:
        result = Path(work) / "engine.so"
        for processor in FLAGS:
            command = [compiler, *options, *_COMMON, *processor, *extra, *_LIBRARY, "-o", result, source, "-lm"]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                late.touch()
                raise UnavailableError(f"{compiler} did not end within {SECONDS} seconds") from None
            if done.returncode == 0:
                with result.open("rb") as written:
                    os.fsync(written.fileno())
                return result.replace(folder / _named(result, key))
    lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
    raise UnavailableError(f"{compiler}: {lines[-1]:.200}")


def _named(file: Path, key: str) -> str:
    return f"engine-{key}-{hashlib.sha256(file.read_bytes()).hexdigest()[:32]}.so"


def _check_owners(path: Path) -> None:
    """Raise UnavailableError if users other than this user and root can write to ``path`` or replace it in a parent
    folder. In a parent they may write if they can remove only their own files there, as in /tmp. This user's private
    group may write in every parent."""
    if not hasattr(os, "geteuid"):
        return
    for place in (path, *path.parents):
        about = place.stat()
        others = about.st_mode & 0o022
        if place != path and (about.st_mode & stat.S_ISVTX or (others == 0o020 and _is_private(about.st_gid))):
            others = 0
        unmapped = place != path and about.st_uid == _UNMAPPED
        if others or not (unmapped or about.st_uid in (0, os.geteuid())):
            raise UnavailableError(f"others can write in {place}, and what is in it would be executed")


def _is_private(group: int) -> bool:
    """True for a group that has this user's name, and no member except this user."""
    import grp
    import pwd

    with suppress(KeyError):
        entry, user = grp.getgrgid(group), pwd.getpwuid(os.geteuid()).pw_name
        return entry.gr_name == user and {*entry.gr_mem} <= {user}
    return False


def _prebuilt() -> Path:
    """The prebuilt engine that this processor can run. UnavailableError if the installed package has none."""
    features = set(_processor().split())
    files = [SOURCE.with_name(f"engine-{name}.so") for name, needed in PREBUILT.items() if needed <= features]
    for file in filter(Path.is_file, files):
        return file
    raise UnavailableError("there is no C compiler")


def _processor() -> str:
    """The processor's name and features, as far as the operating system lists them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    about = [line for line in lines if line.startswith(("flags", "Features", "CPU part", "model name"))]
    return " ".join([platform.machine(), platform.processor(), *sorted(set(about))])


def load(path: Path) -> ctypes.CDLL:
    """Load a compiled engine, and declare its functions. OSError or AttributeError if the file is no such engine."""
    loaded = ctypes.CDLL(str(path))
    for result, name, arguments in re.findall(r"PUBLIC (\w+) (\w+)\(([^)]*)\)", _declarations()):
        function = getattr(loaded, name)
        function.argtypes = [_argument(*argument) for argument in re.findall(r"(\w+) (\*?)\w+", arguments)]
        function.restype = _NUMBERS.get(result)
    return loaded


def try_(loaded: ctypes.CDLL) -> None:
    """Raise UnavailableError if products or a gradient differ from NumPy's. ``native_steps`` tests a whole step."""
    random = np.random.default_rng(1)
    x, panels = random.random((7, 30), dtype=np.float32), random.random((2, 30, 64), dtype=np.float32)
    y = np.zeros((7, 128), dtype=np.float32)
    loaded.multiply(Matrix(panels.ctypes.data, None, None, None, 30, 128), 7, x.ctypes.data, 30, y.ctypes.data, 128)
    d_keys, d_query, d_v = np.zeros((7, 30), dtype=np.float32), *np.zeros((2, 30), dtype=np.float32)
    arrays = (x[0], x, y[:, 0].copy(), d_keys, d_query, d_v)
    loaded.attend_gradient(1, 7, 30, *(array.ctypes.data for array in arrays))
    g, d_e = 1 / (1 + np.exp(-x[0] - x)), y[:, :1]
    expected = (d_e * g * (1 - g), (d_e * g * (1 - g)).sum(axis=0), (d_e * g).sum(axis=0))
    right = np.allclose(y, x @ panels.transpose(1, 0, 2).reshape(30, 128), rtol=1e-4)
    if (
        not _multiplies_integers(loaded)
        or not right
        or not all(map(functools.partial(np.allclose, rtol=1e-4), arrays[3:], expected))
    ):
        raise UnavailableError("its products or gradients are wrong")


def _multiplies_integers(loaded: ctypes.CDLL) -> bool:
    """Whether the product of a rounded unit matrix (ones become 127) and a matrix is exactly 127 times the matrix."""
    q = np.random.default_rng(2).integers(-127, 128, (64, 30))
    w = np.pad(q, ((0, 0), (0, 2))).reshape(64, -1, group(loaded)).swapaxes(0, 1).astype(np.int8, order="C")
    scale, offset = np.ones(64, dtype=np.float32), 128 * q.sum(axis=1, dtype=np.int32)
    unit, y = np.eye(30, dtype=np.float32), np.zeros((30, 64), dtype=np.float32)
    matrix = Matrix(w.ctypes.data, scale.ctypes.data, offset.ctypes.data, None, 30, 64)
    loaded.multiply(matrix, 30, unit.ctypes.data, 30, y.ctypes.data, 64)
    return bool((y == 127 * q.T).all())
