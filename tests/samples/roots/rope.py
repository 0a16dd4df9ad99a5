"""A module of one kernel, which shares nothing."""
import warp as wp


@wp.kernel
def rope(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.cos(x[i])
