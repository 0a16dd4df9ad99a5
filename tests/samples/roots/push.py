"""A module of one kernel, which takes a shared struct."""
import shared
import warp as wp


@wp.kernel
def push(x: wp.array(dtype=float), body: shared.Body):
    i = wp.tid()
    x[i] = x[i] + body.mass
