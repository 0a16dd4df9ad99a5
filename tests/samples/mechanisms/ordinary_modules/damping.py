"""Forces that slow things down."""
import warp as wp


@wp.kernel
def drag(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.99


@wp.kernel
def friction(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] - 0.01 * wp.sign(x[i])


@wp.kernel
def decay(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * wp.exp(-0.1)


KERNELS = (drag, friction, decay)
