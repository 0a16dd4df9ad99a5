"""A module of one kernel, which calls a shared function."""
import shared
import warp as wp


@wp.kernel
def decay(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = shared.weight(x[i]) + 1.0
