"""Values of an array to a digest and a small summary. Takes numpy arrays; knows nothing of Warp.

The sketch of a large array is a CountSketch (Charikar, Chen and Farach-Colton 2002, "Finding frequent items
in data streams"): each value is added, with a sign, to one of 64 buckets; bucket and sign are a fixed hash
of the value's position. It is linear, so the difference of two sketches is the sketch of the difference, and
its squared length is an unbiased estimate of the squared distance (Weinberger et al. 2009, "Feature hashing
for large scale multitask learning") with a relative standard deviation of at most sqrt(2/64).

One value far above the others, a sentinel say, hides them in that length. So a second sketch is made of the
values clipped at 16 times their 90th percentile, where that clips anything.
"""

import base64
import hashlib
import math
import sys

BUCKETS = 64
CHUNK = 1 << 20
"""Values worked on at once: bounds the memory that a summary takes."""
SHARE = 0.9
CLIP = 16.0
"""Values are clipped at this many times their 90th percentile: 26 standard deviations of a normal
distribution, so that nothing is clipped where no value stands far out."""


def digest(parts, label):
    """128 bits over the values in order; `label` stands for dtype and shape."""
    numpy = sys.modules["numpy"]
    found = hashlib.blake2b(label.encode("utf-8", "replace"), digest_size=16)
    for part in parts:
        found.update(numpy.ascontiguousarray(part).reshape(-1).view(numpy.uint8))
    return found.hexdigest()


def summary(values, half_bits=False):
    """Figures and sketch of numeric values. `half_bits`: they are the bits of bfloat16 numbers."""
    numpy = sys.modules["numpy"]
    flat = numpy.ascontiguousarray(values).reshape(-1)
    with numpy.errstate(all="ignore"):
        return _Sums(numpy, flat, half_bits).result()


class _Sums:
    """Sums over the chunks of one array."""

    def __init__(self, numpy, flat, half_bits):
        self.numpy = numpy
        self.size = flat.size
        self.least, self.most = math.inf, -math.inf
        self.total = self.squares = 0.0
        self.finite = self.nans = 0
        self.sketch = numpy.zeros(BUCKETS if flat.size > BUCKETS else flat.size)
        self.bound = _bound(numpy, flat, half_bits) if flat.size > BUCKETS else None
        self.clipped, self.clipped_squares = numpy.zeros(BUCKETS), 0.0
        for start in range(0, flat.size, CHUNK):
            self._add(_numbers(numpy, flat[start : start + CHUNK], half_bits), start)

    def _add(self, chunk, start):
        numpy = self.numpy
        finite = numpy.isfinite(chunk)
        kept = chunk[finite]
        self.finite += kept.size
        self.nans += int(numpy.isnan(chunk).sum())
        if kept.size:
            self.least, self.most = min(self.least, float(kept.min())), max(self.most, float(kept.max()))
        self.total += float(kept.sum())
        self.squares += float(numpy.dot(kept, kept))
        chunk = numpy.where(finite, chunk, 0.0)
        if self.size <= BUCKETS:
            self.sketch = chunk
        else:
            bucket, sign = _places(numpy, start, chunk.size)
            self.sketch += numpy.bincount(bucket, weights=sign * chunk, minlength=BUCKETS)
            self._add_clipped(chunk, bucket, sign)

    def _add_clipped(self, chunk, bucket, sign):
        if self.bound is None:
            return
        numpy = self.numpy
        chunk = numpy.clip(chunk, -self.bound, self.bound)
        self.clipped_squares += float(numpy.dot(chunk, chunk))
        self.clipped += numpy.bincount(bucket, weights=sign * chunk, minlength=BUCKETS)

    def result(self):
        some = self.finite > 0
        return {
            "minimum": self.least if some else None,
            "maximum": self.most if some else None,
            "mean": _finite(self.total / self.finite) if some else None,
            "rms": _finite(math.sqrt(self.squares / self.finite)) if some else None,
            "nan_count": self.nans,
            "infinite_count": self.size - self.finite - self.nans,
            "sketch": _text(self.sketch),
            **self._clipped(),
        }

    def _clipped(self):
        """Nothing where no value lies beyond the bound: the sketch of all values says the same."""
        if self.bound is None or max(abs(self.least), abs(self.most)) <= self.bound:
            return {}
        rms = _finite(math.sqrt(self.clipped_squares / self.finite))
        return {"bound": self.bound, "clipped_rms": rms, "clipped_sketch": _text(self.clipped)}


def _text(sketch):
    return base64.b64encode(sketch.astype("<f8").tobytes()).decode("ascii")


def _bound(numpy, flat, half_bits):
    """Where to clip; None without a finite value other than zero.

    Not rounded, so that programs whose values differ by little have bounds that differ by as little. Zeros
    count only where they are not nine tenths. Of a large array a fixed random choice of values is looked at.
    """
    if flat.size > CHUNK:
        flat = flat[(_mixed(numpy, 0, CHUNK) % numpy.uint64(flat.size)).astype(numpy.int64)]
    sizes = numpy.abs(_numbers(numpy, flat, half_bits))
    sizes = sizes[numpy.isfinite(sizes)]
    found = CLIP * (_percentile(numpy, sizes) or _percentile(numpy, sizes[sizes > 0]))
    return found if 0 < found < math.inf else None


def _percentile(numpy, sizes):
    """By nearest rank; 0 of nothing."""
    if not sizes.size:
        return 0.0
    rank = math.ceil(SHARE * sizes.size) - 1
    return float(numpy.partition(sizes, rank)[rank])


def _numbers(numpy, chunk, half_bits):
    """As float64. A bfloat16 is the upper half of a float32."""
    if half_bits:
        chunk = (chunk.astype(numpy.uint32) << numpy.uint32(16)).view(numpy.float32)
    return chunk.astype(numpy.float64)


def _mixed(numpy, start, count):
    """64 random bits for each position: splitmix64 (Steele, Lea and Flood 2014), the same everywhere."""
    mixed = numpy.arange(start + 1, start + count + 1, dtype=numpy.uint64)
    mixed *= numpy.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> numpy.uint64(shift)
        mixed *= numpy.uint64(factor)
    mixed ^= mixed >> numpy.uint64(31)
    return mixed


def _places(numpy, start, count):
    """Bucket and sign of positions."""
    mixed = _mixed(numpy, start, count)
    bucket = (mixed & numpy.uint64(BUCKETS - 1)).astype(numpy.int64)
    sign = 1.0 - 2.0 * ((mixed >> numpy.uint64(6)) & numpy.uint64(1)).astype(numpy.float64)
    return bucket, sign


def _finite(value):
    return value if math.isfinite(value) else None
