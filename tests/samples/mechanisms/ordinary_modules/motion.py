"""Steps of an integration."""
import warp as wp


@wp.kernel
def advance(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 0.01


@wp.kernel
def turn(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.cos(x[i])


@wp.kernel
def rebound(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.abs(x[i])


KERNELS = (advance, turn, rebound)
