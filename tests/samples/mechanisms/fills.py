"""A small library with one generic kernel behind a function."""
from typing import Any

import warp as wp


@wp.kernel
def _fill(x: wp.array(dtype=Any), value: Any):
    i = wp.tid()
    x[i] = value


def fill(x, value):
    """Fill an array of any type."""
    wp.launch(_fill, dim=x.shape, inputs=[x, x.dtype(value)], device=x.device)  # here: launch


def prepare(*kinds):
    """Declare the types that will be filled."""
    for kind in kinds:
        wp.overload(_fill, [wp.array(dtype=kind), kind])
