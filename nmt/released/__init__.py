"""The released runs by name, and the test sets and gold links that they are measured on, from released.toml.

Runs that are not here are fetched from the files of a release or a folder, and unpacked among the user's runs. The
package has of every released run the list of checksums, so what it gets is that run, whoever has it.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from nmt.data.corpora.download import OnBytes, download
from nmt.errors import InputError
from nmt.evaluation.measurement_files import check_run_evaluations
from nmt.files import cache_folder, read_toml, sha256_of
from nmt.results import CONCATENATED
from nmt.runs.archive import LIMITS, unpack_run
from nmt.runs.checksums import CHECKSUMS, read_checksums
from nmt.runs.folder import RELEASED_RUNS, RunInfo, read_run, runs_folder

LANGUAGES = ("en", "fr")
"""Languages of the first released runs, and of the app if there is no run at all."""

STRESS_WORDS = 16
"""Most words of a sentence in the stress tests that are stored with runs."""

_TEST_SETS = "testsets/"
"""Folder of the test sets of this repository."""


@dataclass(frozen=True, kw_only=True)
class KnownTestSet:
    """Test set that the released runs are evaluated on.

    Attributes:
        stem: its place in the corpora or in this repository; a language code follows.
        called: its name, if that does not follow from its place.
        languages: the two languages that it exists in.
        pooled: whether it counts among "all test sets". Sets of this repository do not, and neither do sets of
            another domain than every training corpus: their scores stand beside the others'.
        concatenated: whether it is the concatenated version of the set at ``stem`` (``evaluate --concatenate``).
    """

    stem: str
    called: str = ""
    languages: tuple[str, str] = LANGUAGES
    pooled: bool = True
    concatenated: bool = False

    @property
    def name(self) -> str:
        """Its name in evaluations and tables, the same in both directions of translation."""
        return self.called or f"{self.stem.replace('/', '-')}{CONCATENATED if self.concatenated else ''}"

    @property
    def own(self) -> bool:
        """True if it is part of this repository."""
        return self.stem.startswith(_TEST_SETS)

    @property
    def in_table_1(self) -> bool:
        """True if it has a column in Table 1: a test set of a corpus, and not its concatenated version."""
        return not self.own and not self.concatenated

    @property
    def corpus(self) -> str:
        """Name of the corpus that it is part of, as ``corpus get`` takes it; "" for a set of this repository."""
        return "" if self.own else self.stem.partition("/")[0]


@dataclass(frozen=True, kw_only=True)
class GoldLinks:
    """A set of sentence pairs whose words were linked by people.

    Attributes:
        name: its name in results.
        languages: the two languages, in the order of the links.
        own: whether it is part of this repository; otherwise it is used if it exists.
    """

    name: str
    languages: tuple[str, str] = LANGUAGES
    own: bool = True

    @property
    def stem(self) -> str:
        """Place of the tokens in the corpora, or in this repository; a language code follows."""
        return f"{_TEST_SETS}{self.name}/tokens" if self.own else f"alignment-gold/{self.name}"

    @property
    def gold(self) -> str:
        """Place of the links."""
        return f"{_TEST_SETS}{self.name}/gold" if self.own else f"{self.stem}.gold"


@dataclass(frozen=True, kw_only=True)
class _File:
    opens_first: tuple[str, ...]
    inside: str
    runs: tuple[str, ...]
    test_sets: tuple[KnownTestSet, ...]
    gold_links: tuple[GoldLinks, ...]


_RELEASED = read_toml(_File, Path(__file__).with_name("released.toml"))

RELEASED = _RELEASED.runs
"""Names of the released runs, in the order in which colours and markers are given out."""

GOLD_LINKS = _RELEASED.gold_links

OPENS_FIRST = _RELEASED.opens_first
"""Names of the runs that the app opens with, if they are there."""

INSIDE = _RELEASED.inside
"""Name of the run whose weights are in the package; commands that are given none use it."""

KNOWN_TEST_SETS = {known.name: known for known in _RELEASED.test_sets}
"""All known test sets by name, in the order of tables."""

NOT_POOLED = tuple(name for name, known in KNOWN_TEST_SETS.items() if not known.pooled)
"""Names of the known sets that do not count among "all test sets"."""


RELEASE = ""
"""Address of the files of the release; empty until there is one."""
SUMS = "SHA256SUMS"
"""The checksums of a release's files, in the format of ``sha256sum``."""

_LIMITS = replace(LIMITS, kept=sys.maxsize)


def released() -> list[str]:
    """Names of the runs that there are in the release."""
    return [name for name in RELEASED if (RELEASED_RUNS / name / CHECKSUMS).is_file()]


def present(name: str) -> Path | None:
    """Folder of a released run that is here with its weights; None if there is none. InputError for another name."""
    if name not in released():
        raise InputError(f"there is no released run {name!r}; `jointly get` lists them")
    places = (runs_folder() / name, RELEASED_RUNS / name)
    return next((place for place in places if place.is_dir() and read_run(place).has_weights), None)


def get_run(name: str, folder: Path | None = None, on_bytes: OnBytes = lambda here, total: None) -> RunInfo:
    """Get a released run that is not here, and unpack it among the user's runs.

    Args:
        folder: the files of a release, such as those on a stick; None = they are downloaded, and a later call resumes.
        on_bytes: progress of the download.

    Raises InputError for a file that is missing, damaged, cut or of another run; nothing of it is kept.
    """
    file = f"{name}.zip"
    archive = cache_folder() / "downloads" / file if folder is None else folder / file
    if folder is None:
        expected = _listed(_fetched_sums(archive.with_name(SUMS)), file)
        download(f"{RELEASE}/{file}", archive, f"sha256:{expected}", on_bytes)
    elif sha256_of(archive) != _listed(folder / SUMS, file):
        raise InputError(f"{archive} does not match its entry in {SUMS}: it is damaged, cut, or of another release")
    expected_files = read_checksums(RELEASED_RUNS / name)

    def is_it(run: RunInfo) -> None:
        if run.name != name or read_checksums(run.path) != expected_files:
            raise InputError(f"it is not the run {name} that belongs to this version of the program")

    try:
        with archive.open("rb") as opened:
            return unpack_run(opened, file, runs_folder(), (is_it, check_run_evaluations), _LIMITS)
    finally:
        if folder is None:
            archive.unlink()


def _fetched_sums(path: Path) -> Path:
    if not RELEASE:
        raise InputError("there is no release to download from yet; --from FOLDER takes runs from a folder")
    path.unlink(missing_ok=True)
    download(f"{RELEASE}/{SUMS}", path)
    return path


def _listed(path: Path, file: str) -> str:
    """Look up the SHA-256 of a file in a list."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} is missing or cannot be read") from None
    found = [digest for digest, _, name in (line.partition("  ") for line in lines) if name == file]
    if not found:
        raise InputError(f"{path} does not list {file}")
    return found[0]
