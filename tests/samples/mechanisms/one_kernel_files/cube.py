"""One kernel."""
import warp as wp


@wp.kernel
def step(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i] * x[i]
