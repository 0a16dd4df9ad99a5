"""A module of one kernel, which shares nothing."""
import warp as wp


@wp.kernel
def spring(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.sin(x[i])
