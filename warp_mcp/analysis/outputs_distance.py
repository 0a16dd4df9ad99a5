"""How far two arrays are apart, from their summaries, and how far apart still counts as equal.

The values of an array of up to 64 numbers are in its summary, and are compared one by one. A larger one is
there as a CountSketch with 64 buckets (Charikar, Chen and Farach-Colton 2002; for distances: feature hashing,
Weinberger et al. 2009): the squared length of the difference of two sketches is an unbiased estimate of the
squared distance, with a relative standard deviation of at most sqrt(2/64) = 0.18.

One value far above the others would hide every change of them in a root mean square. So values count relative
to what is usual in the array: the root mean square of its values clipped at 16 times the 90th percentile of
their magnitudes. Of a large array with values beyond that, the sketch of the clipped values has to agree too.
Nine values or fewer are too few to tell an outlier: there the largest counts as usual.
"""

import base64
import binascii
import math
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warp_mcp.models.outputs import ArraySummary

BUCKETS = 64
DEVIATIONS = 3.0
"""Standard deviations by which an estimated distance may be too small."""
UPPER = 1.0 / math.sqrt(1.0 - DEVIATIONS * math.sqrt(2.0 / BUCKETS))
"""Factor from an estimated distance to one that the true distance exceeds only beyond these deviations."""
TOLERANCES = {"float16": 1e-2, "bfloat16": 1e-1, "float32": 1e-5, "float64": 1e-12}
"""Difference, relative to the baseline's values, that counts as equal: about 10 (half precision), 80 and
4,500 times the spacing of the numbers at 1. Other types have to be equal."""
SHARE = 0.9
CLIP = 16.0
"""Values are clipped at this many times their 90th percentile, here as in the intervention: 26 standard
deviations of a normal distribution."""

_COMPONENTS = re.compile(r"^[A-Za-z_]+(\d+(?:x\d+)*)\[(\w+)\]$")


@dataclass(frozen=True)
class Distance:
    """How far apart two arrays are, by what tells them apart most."""

    relative: float
    """Relative to the baseline's values, at most: with the allowance for an estimate."""
    rms: float
    """Root mean square of the difference over all values; an estimate for an array of more than 64."""
    what: str
    """The same in words, with the figures."""


def tolerance(dtype: str) -> float:
    """The relative distance that counts as equal for values of this type."""
    found = _COMPONENTS.match(dtype)
    return TOLERANCES.get(found[2] if found else dtype, 0.0)


def distance(old: ArraySummary, new: ArraySummary) -> Distance | None:
    """How far apart two arrays of the same type and shape are; null where a summary does not tell."""
    before, after = _numbers(old.sketch), _numbers(new.sketch)
    count = values(old)
    if not before or len(before) != len(after) or not count or old.rms is None:
        return None
    rms = math.dist(before, after) / math.sqrt(count)
    if count <= BUCKETS:
        return _by_values(before, after, rms)
    found = [_by_sketch(rms, rms, old.rms, ""), *_clipped(old, new, rms, count), *_by_figures(old, new, rms)]
    return max(found, key=lambda one: one.relative)


def _by_values(before: Sequence[float], after: Sequence[float], rms: float) -> Distance:
    """Value by value, each relative to itself or to what is usual, whichever is more."""
    usual = _usual(before)
    apart = [(_relative(abs(a - b), max(abs(a), usual)), a, b) for a, b in zip(before, after, strict=True)]
    relative, a, b = max(apart)
    return Distance(relative, rms, f"{_told_apart(a, b)}, where values of {usual:.3g} are usual")


def _told_apart(before: float, after: float) -> str:
    """Both values, with as many digits as it takes to see that they are two."""
    digits = next((n for n in (7, 10, 13) if f"{before:.{n}g}" != f"{after:.{n}g}"), 17)
    return f"{after:.{digits}g} in place of {before:.{digits}g}"


def _usual(numbers: Sequence[float]) -> float:
    """Root mean square of clipped values; zeros set the bound only where they are not nine tenths."""
    sizes = [abs(number) for number in numbers]
    bound = CLIP * (_percentile(sizes) or _percentile([size for size in sizes if size]))
    return math.hypot(*(min(size, bound) for size in sizes)) / math.sqrt(len(sizes))


def _percentile(sizes: list[float]) -> float:
    """By nearest rank; 0 of nothing."""
    return sorted(sizes)[math.ceil(SHARE * len(sizes)) - 1] if sizes else 0.0


def _clipped(old: ArraySummary, new: ArraySummary, rms: float, count: int) -> Iterator[Distance]:
    """By the clipped values. A side that clips nothing has them in its first sketch."""
    if old.bound is None and new.bound is None:
        return
    before, after = (_numbers(one.clipped_sketch or one.sketch) for one in (old, new))
    if not before or len(before) != len(after):
        return
    bound = old.bound if old.bound is not None else new.bound
    where = f", values clipped at {bound:.3g}"
    yield _by_sketch(rms, math.dist(before, after) / math.sqrt(count), _scale(old), where)


def _by_sketch(whole: float, rms: float, scale: float, where: str) -> Distance:
    """By an estimate of a distance; `where` says of which values."""
    what = f"rms of the difference about {rms:.3g} against rms {scale:.3g}{where}"
    return Distance(_relative(rms * UPPER, scale), whole, what)


def _by_figures(old: ArraySummary, new: ArraySummary, rms: float) -> Iterator[Distance]:
    """By minimum, maximum and mean, which no estimate blurs.

    A mean cannot be told more exactly than the largest values allow whose sum it is: rms/sqrt(count).
    """
    least = (old.rms or 0.0) / math.sqrt(values(old))
    figures = (
        ("minimum", old.minimum, new.minimum, 0.0),
        ("maximum", old.maximum, new.maximum, 0.0),
        ("mean", old.mean, new.mean, least),
    )
    for name, a, b, floor in figures:
        if a is not None and b is not None:
            relative = _relative(abs(a - b), max(abs(a), _scale(old), floor))
            yield Distance(relative, rms, f"{name} {_told_apart(a, b)}")


def _scale(array: ArraySummary) -> float:
    """What is usual in a large array."""
    usual = array.clipped_rms if array.bound is not None else array.rms
    return usual or 0.0


def _relative(apart: float, scale: float) -> float:
    """Infinite where nothing can be said, so that it never counts as equal."""
    relative = apart / scale if scale else (math.inf if apart else 0.0)
    return math.inf if math.isnan(relative) else relative


def values(array: ArraySummary) -> int:
    """Numbers in an array: its elements times their components."""
    found = _COMPONENTS.match(array.dtype)
    components = [int(word) for word in found[1].split("x")] if found else []
    return math.prod(array.shape) * math.prod(components)


def _numbers(text: str) -> tuple[float, ...]:
    try:
        raw = base64.b64decode(text, validate=True)
        return struct.unpack(f"<{len(raw) // 8}d", raw)
    except (binascii.Error, struct.error, ValueError):
        return ()
