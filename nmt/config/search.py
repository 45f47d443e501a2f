"""Settings of a search."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from nmt.config.bounds import AtLeastOne, require
from nmt.records import check_fields

MOST_BEAM = 1_000
"""Widest beam allowed; wider ones take excessive memory and time."""

MOST_PENALTY = 10
"""Largest length penalty allowed; larger ones overflow floating-point numbers."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Search settings. A run stores its recommended settings (section "search" of its config.json), which are the
    defaults wherever the run is used to translate.

    Attributes:
        beam: number of hypotheses kept at each step; 1 is greedy search.
        n_best: number of hypotheses returned, at most ``beam``.
        length_penalty: A in score = log_probability / T_y^A; T_y counts the end-of-sentence token.
        no_unk: forbid the model to write [UNK]. Paper: 4.2 (column "No UNK").
        replace_unk: replacement for each [UNK]: the most attended source word ("copy"); that word's entry in the run's
            dictionary, or the word itself if it has no entry ("dictionary"); "dictionary" if the run has one, else
            "copy" ("auto"); None = keep [UNK].
    """

    beam: Annotated[int, Field(ge=1, le=MOST_BEAM)] = 12
    n_best: AtLeastOne = 1
    length_penalty: Annotated[float, Field(ge=0, le=MOST_PENALTY, allow_inf_nan=False)] = 0.0
    no_unk: bool = False
    replace_unk: Literal["copy", "dictionary", "auto"] | None = None

    def __post_init__(self) -> None:
        check_fields(self, "search.")
        require(self.n_best <= self.beam, "search.n_best must be at most search.beam")

    def changed(
        self,
        *,
        beam: int | None = None,
        n_best: int | None = None,
        length_penalty: float | None = None,
        no_unk: bool | None = None,
        replace_unk: bool | Literal["copy", "dictionary", "auto"] | None = None,
    ) -> SearchSettings:
        """Return a copy in which the arguments that are not None replace settings. ``replace_unk``: True means "auto",
        False keeps [UNK]."""
        if replace_unk is None:
            replacement = self.replace_unk
        elif isinstance(replace_unk, bool):
            replacement = "auto" if replace_unk else None
        else:
            replacement = replace_unk
        given_values = {"beam": beam, "n_best": n_best, "length_penalty": length_penalty, "no_unk": no_unk}
        changes: dict[str, Any] = {name: value for name, value in given_values.items() if value is not None}
        return replace(self, **changes, replace_unk=replacement)

    def resolved(self, *, dictionary: bool) -> SearchSettings:
        """Resolve "auto" to "dictionary" if the run has one, else to "copy"."""
        if self.replace_unk != "auto":
            return self
        return replace(self, replace_unk="dictionary" if dictionary else "copy")


@cache
def multiplies_integers() -> bool:
    """True if the processor says that it multiplies 8-bit integers fast and exactly (VNNI); False where it cannot be
    asked without torch. What computes such products: nmt/model/integer_products.py."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
    fast = "avx512_vnni" in flags or "avx_vnni" in flags
    return fast and platform.machine().lower() in ("x86_64", "amd64")


def usual_precision(device: str = "cpu") -> Literal["int8", "fp32"]:
    """Return the precision of a search's matrix products where none is chosen: int8 on a processor that is fast at it,
    else fp32. It is no setting of a run: each result names the precision it was computed in."""
    return "int8" if device == "cpu" and multiplies_integers() else "fp32"
