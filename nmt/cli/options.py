"""Options and output that several commands share, and options that take a number. Each number has bounds. ``--help``
and the error message state the bounds."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from nmt.config import MOST_BEAM, MOST_PENALTY, SearchChanges, SearchSettings
from nmt.errors import InputError
from nmt.files import is_plain_name
from nmt.records import FORMAT_VERSION, field_type
from nmt.released import INSIDE, OPENS_FIRST
from nmt.results import Languages
from nmt.runs.folder import BEST, find_run

if TYPE_CHECKING:
    from nmt.inference.system import System

MOST_SEED = 2**32 - 1

Commands: TypeAlias = "argparse._SubParsersAction[Any]"
"""The object to which a command adds its parser."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of an option that takes a number, both included. An instance serves as ``type`` of an argparse option."""

    least: float
    most: float
    whole: bool

    def __str__(self) -> str:
        return f"{self.least:,} to {self.most:,}"

    def __call__(self, text: str) -> float:
        try:
            number = float("nan") if "_" in text else int(text) if self.whole else float(text)
        except (ValueError, OverflowError):
            number = float("nan")
        if not self.least <= number <= self.most:  # also false for NaN
            kind = "a whole number" if self.whole else "a number"
            shown = repr(text) if len(text) <= 20 else f"{text[:20]!r}…"
            raise argparse.ArgumentTypeError(f"must be {kind} from {self}, not {shown}")
        return number


whole, real = partial(Bounds, whole=True), partial(Bounds, whole=False)


def add_number(
    parser: argparse._ActionsContainer,
    option: str,
    bounds: Bounds,
    help: str,
    *,
    default: float | None = None,
    usual: str = "",
    metavar: str = "",
) -> None:
    """Add an option that takes a number. ``help`` is the description. Bounds and default are added to it. ``usual``:
    description of the default if ``default`` is None."""
    preset = usual or ("" if default is None else f"{default:,}" if bounds.whole else f"{default:g}")
    text = f"{help}; {bounds}" + (f" (default {preset})" if preset else "")
    parser.add_argument(
        option, type=bounds, default=default, metavar=metavar or ("N" if bounds.whole else "X"), help=text
    )


def add_field(parser: argparse._ActionsContainer, record: type[Any], name: str) -> None:
    """Add an option for a numeric field of a record. The field gives the bounds, the help and the default."""
    field = FieldInfo.from_annotation(field_type(record, name))
    least = next(bound.ge for bound in field.metadata if isinstance(bound, Ge))
    most = next(bound.le for bound in field.metadata if isinstance(bound, Le))
    bounds = Bounds(cast(float, least), cast(float, most), whole=field.annotation is int)
    default: float = getattr(record, name)
    add_number(parser, f"--{name.replace('_', '-')}", bounds, field.description or "", default=default)


JSON, RUN, DEVICE, RUNS, FRESH, FORMAT, LANGUAGES = (argparse.ArgumentParser(add_help=False) for _ in range(7))
"""Options that many commands share, as ``parents`` of their parsers."""
JSON.add_argument("--json", action="store_true", help="print JSON (docs/formats.md)")
RUN.add_argument(
    "run_folder", metavar="RUN", type=find_run, help="a run folder, such as checkpoints/rnnsearch-50, or its name"
)
DEVICE.add_argument("--device", default="cpu", help="where to compute: cpu (default) or cuda")
RUNS.add_argument(
    "--runs",
    metavar="FOLDER",
    help="for an aligner: folder of the runs that it names (default: the folder checkpoints next to the folder of "
    "aligners)",
)
FRESH.add_argument(
    "--fresh", action="store_true", help="ignore the cache: translate every sentence again, and cache no translations"
)
LANGUAGES.add_argument(
    "--languages",
    nargs=2,
    metavar=("SOURCE", "TARGET"),
    help="if RUN is a folder of Hugging Face that does not say its languages: such as en fr, or eng_Latn fra_Latn",
)
FORMAT.add_argument("--format", choices=("text", "markdown"), default="text", help="format of printed tables")


def opened(folder: str, options: argparse.Namespace, precision: str | None = None, *, reverse: bool = False) -> System:
    """Load a run or a model folder of Hugging Face. The options may name its languages. ``reverse``: exchange
    these languages, since the model translates in the other direction."""
    from nmt.inference.systems import open_system

    languages = options.languages and Languages(*options.languages[:: -1 if reverse else 1])
    return open_system(folder, options.device, precision, languages)


def usual_run() -> str:
    """Folder of the default run: the first run that the app opens with or, if the weights of this run are missing, the
    run in the package. A note on stderr names the default run."""
    first = OPENS_FIRST[0]
    name = first if (Path(find_run(first)) / BEST).is_file() else INSIDE
    print(f"with {name}, as no run was named", file=sys.stderr)
    return find_run(name)


def add_texts(
    parser: argparse._ActionsContainer,
    other: str = "target",
    *,
    note: str = "",
    required: bool = False,
    several: bool = False,
) -> None:
    """Add --source and the ``other`` side, "target" or "reference". Each takes one file of sentences, or one or more
    files with ``several``."""
    for side, what in (("source", "source sentences"), (other, _OTHER_SIDE[other])):
        text = f"{what}, one per line{note or ' (plain, .gz or .xz)'}"
        parser.add_argument(f"--{side}", required=required, nargs="+" if several else None, metavar="FILE", help=text)


def add_references(parser: argparse._ActionsContainer, what: str, *, required: bool = False) -> None:
    """Add --reference, which may be given several times."""
    text = (
        f"{what} (plain, .gz or .xz); repeatable, for several references of each sentence, as are columns between tabs"
    )
    parser.add_argument("--reference", action="append", required=required, metavar="FILE", help=text)


def add_test_set(parser: argparse._ActionsContainer, *, required: bool = False) -> None:
    """Add --source and --reference of a test set, which may have several references."""
    text = "source sentences, one per line (plain, .gz or .xz)"
    parser.add_argument("--source", required=required, metavar="FILE", help=text)
    add_references(parser, "reference translations, one per line", required=required)


def add_base(parser: argparse._ActionsContainer, option: str = "--base", links: str = "--links") -> None:
    """Add an option for the number, 0 or 1, by which files of links name the first word of a sentence."""
    add_number(parser, option, whole(0, 1), f"number of the first word in the links of {links}", default=0)


def name_base(file: object, option: str) -> None:
    """Say on stderr that the links of a file seem to count words from 1. ``option``: the option that states it."""
    print(f"no link of {file} has the number 0: if its words count from 1, use {option} 1", file=sys.stderr)


_OTHER_SIDE = {"target": "target sentences", "reference": "reference translations"}


def add_decoding(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Add the options of a search and --precision. The defaults come from the run (section "search" of config.json) and
    from the device. Returns the group of options that exclude --unk."""
    add_beam(parser)
    unk = parser.add_mutually_exclusive_group()
    unk.add_argument("--unk", action=argparse.BooleanOptionalAction, help="allow or forbid the model to write [UNK]")
    parser.add_argument(
        "--replace-unk",
        nargs="?",
        choices=("copy", "dictionary"),
        const=True,
        default=None,
        help="replace each [UNK] by the most attended source word (copy), or by that word's entry in the run's "
        "dictionary, falling back to the word itself (dictionary); without a value: dictionary if the run has one, "
        "else copy. Put it after RUN",
    )
    parser.add_argument(
        "--hard-attention",
        action="store_true",
        default=None,
        help="let each step read one source word only, the most attended one",
    )
    add_precision(parser)
    return unk


def add_precision(parser: argparse.ArgumentParser) -> None:
    """Add --precision. Without it, ``search_precision`` chooses."""
    parser.add_argument(
        "--precision",
        choices=("fp32", "bf16", "int8"),
        help="precision of the matrix products of a search; int8 and bf16 are faster and nearly as exact (default: "
        "int8 where something multiplies integers exactly, else fp32)",
    )


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Add --beam and --length-penalty. The defaults come from the run."""
    default = "the run's own, usually"
    add_number(parser, "--beam", whole(1, MOST_BEAM), "beam width, 1 is greedy", usual=f"{default} 12", metavar="K")
    add_number(
        parser,
        "--length-penalty",
        real(0, MOST_PENALTY),
        "rank by log-probability / length^A",
        usual=f"{default} 0",
        metavar="A",
    )


def search_settings(options: argparse.Namespace, defaults: SearchSettings) -> SearchSettings:
    """Apply the options of ``add_decoding`` or ``add_beam`` to the settings of the run. Raises InputError."""
    changes = {field.name: getattr(options, field.name, None) for field in fields(SearchSettings)}
    if (unk := getattr(options, "unk", None)) is not None:
        changes["no_unk"] = not unk
    return defaults.changed(**cast(SearchChanges, changes))


def add_into_run(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--into-run",
        action="store_true",
        help="save the results of a released run in the run itself, not in a folder of their own, results/NAME-WEIGHTS "
        "(or in $JOINTLY_RESULTS); those of other runs are always saved in the run",
    )


def say_where(run: Path, saved: Path) -> None:
    """Say on stderr where a result is saved, unless it is in the run folder."""
    if not saved.is_relative_to(run):
        print(f"saved in {saved} (--into-run saves in {run})", file=sys.stderr)


def check_name(name: str) -> None:
    """Raise InputError if the name cannot be used as a file name."""
    if not is_plain_name(name):
        raise InputError(f"{name!r} is not a valid name: use only letters, digits, '.', '_' and '-'")


def print_json(data: dict[str, Any]) -> None:
    """Print one object with the format version on one line, and flush."""
    print(as_json_line(data), flush=True)


def print_result(as_json: bool, data: dict[str, Any], text: str) -> None:
    """Print a result as JSON (``print_json``) or as text."""
    print(as_json_line(data) if as_json else text, flush=True)


def as_json_line(data: dict[str, Any]) -> str:
    """Format one object, with the format version, as one line of JSON."""
    return json.dumps({"format": FORMAT_VERSION} | data, ensure_ascii=False)
