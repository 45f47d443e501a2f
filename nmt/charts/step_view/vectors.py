"""Vectors of a model in a form small enough to send all of them to a browser at once."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed_vector(values: NDArray[np.floating]) -> dict[str, Any]:
    """Pack a vector for js/vectors.js, JSON-ready.

    The values are rounded to 255 levels between plus and minus the largest magnitude, one byte each: enough for a
    colour. The numbers that are read are exact to four decimals.

    Returns:
        ``bytes`` (base64 of int8), ``most`` (largest magnitude), ``norm`` (Euclidean), and ``low`` and ``high``: value
        and unit number, from 1, of the extremes.
    """
    flat = np.asarray(values, dtype=np.float64)
    most = float(np.abs(flat).max(initial=0.0))
    levels = np.rint(flat / most * 127) if most else np.zeros_like(flat)
    low, high = int(flat.argmin()), int(flat.argmax())
    return {
        "bytes": base64.b64encode(levels.astype(np.int8).tobytes()).decode(),
        "most": round(most, 4),
        "norm": round(float(np.linalg.norm(flat)), 4),
        "low": [round(float(flat[low]), 4), low + 1],
        "high": [round(float(flat[high]), 4), high + 1],
    }
