"""Forces within a body."""
import warp as wp


@wp.kernel
def stretch(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] - 0.3 * x[i]


@wp.kernel
def bend(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] - 0.2 * x[i] * x[i]


@wp.kernel
def twist(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] - 0.1 * wp.sin(x[i])


KERNELS = (stretch, bend, twist)
