"""A module of one kernel, which reads a shared number."""
import shared
import warp as wp


@wp.kernel
def sway(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + shared.GAIN
