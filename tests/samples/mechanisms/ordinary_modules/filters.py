"""Filters of a signal."""
import warp as wp


@wp.kernel
def clip(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.clamp(x[i], -1.0, 1.0)


@wp.kernel
def smooth(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 0.5 * x[i] + 0.25


@wp.kernel
def saturate(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.tanh(x[i])


KERNELS = (clip, smooth, saturate)
