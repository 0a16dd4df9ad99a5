"""Sources of a signal."""
import warp as wp


@wp.kernel
def pulse(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + wp.exp(-x[i] * x[i])


@wp.kernel
def ramp(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 0.1 * float(i)


@wp.kernel
def constant(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


KERNELS = (pulse, ramp, constant)
