"""A module of one kernel, which takes arrays of any type."""
from typing import Any

import warp as wp


@wp.kernel
def stretch(x: wp.array(dtype=Any)):
    i = wp.tid()
    x[i] = x[i] + x[i] * x[i]
