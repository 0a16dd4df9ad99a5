"""How far two arrays are apart, from their summaries, and how far apart still counts as equal.

The values of an array of up to 64 numbers are in its summary. A larger one is there as a CountSketch with 64
buckets (Charikar, Chen and Farach-Colton 2002; for distances: feature hashing, Weinberger et al. 2009): the
squared length of the difference of two sketches is an unbiased estimate of the squared distance, with a
relative standard deviation of at most sqrt(2/64) = 0.18.
"""

import base64
import binascii
import math
import re
import struct
from dataclasses import dataclass

from warp_mcp.models.outputs import ArraySummary

BUCKETS = 64
DEVIATIONS = 3.0
"""Standard deviations by which an estimated distance may be too small."""
UPPER = 1.0 / math.sqrt(1.0 - DEVIATIONS * math.sqrt(2.0 / BUCKETS))
"""Factor from an estimated distance to one that the true distance exceeds only beyond these deviations."""
TOLERANCES = {"float16": 1e-2, "bfloat16": 1e-1, "float32": 1e-5, "float64": 1e-12}
"""Root mean square of the difference, relative to that of the baseline's values, that counts as equal: about
10 (half precision), 80 and 4,500 times the spacing of the numbers at 1. Other types have to be equal."""

_COMPONENTS = re.compile(r"^[A-Za-z_]+(\d+(?:x\d+)*)\[(\w+)\]$")


@dataclass(frozen=True)
class Distance:
    """Root mean squares over the values of an array."""

    rms: float
    """Of the difference; an estimate for an array of more than 64 values."""
    relative: float
    """The same relative to the baseline's values, at most: with the allowance for an estimate."""


def tolerance(dtype: str) -> float:
    """The relative distance that counts as equal for values of this type."""
    found = _COMPONENTS.match(dtype)
    return TOLERANCES.get(found[2] if found else dtype, 0.0)


def distance(old: ArraySummary, new: ArraySummary) -> Distance | None:
    """How far apart two arrays of the same type and shape are; null where a summary does not tell."""
    before, after = _sketch(old), _sketch(new)
    count = values(old)
    if not before or len(before) != len(after) or not count:
        return None
    length = math.sqrt(sum((a - b) ** 2 for a, b in zip(before, after, strict=True)))
    rms = length / math.sqrt(count)
    bound = rms * (UPPER if count > BUCKETS else 1.0)
    if old.rms is None:
        return None
    relative = bound / old.rms if old.rms else (math.inf if bound else 0.0)
    return Distance(rms, relative)


def values(array: ArraySummary) -> int:
    """Numbers in an array: its elements times their components."""
    found = _COMPONENTS.match(array.dtype)
    components = [int(word) for word in found[1].split("x")] if found else []
    return math.prod(array.shape) * math.prod(components)


def _sketch(array: ArraySummary) -> tuple[float, ...]:
    try:
        raw = base64.b64decode(array.sketch, validate=True)
        return struct.unpack(f"<{len(raw) // 8}d", raw)
    except (binascii.Error, struct.error, ValueError):
        return ()
