"""A module of one kernel, which reads a shared number through a shared function."""
import shared
import warp as wp


@wp.kernel
def swing(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = shared.amplify(x[i])
