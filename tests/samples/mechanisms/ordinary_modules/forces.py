"""Forces from outside."""
import warp as wp


@wp.kernel
def gravity(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] - 9.81 * 0.01


@wp.kernel
def wind(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 0.2 * wp.sin(x[i])


@wp.kernel
def buoyancy(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 0.5


KERNELS = (gravity, wind, buoyancy)
