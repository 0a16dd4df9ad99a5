"""Makes kernels for a module that the caller names."""
import warp as wp


def stage(module, power):
    @wp.kernel(module=wp.get_module(module))
    def stage(x: wp.array(dtype=float)):  # here: stage
        i = wp.tid()
        for _ in range(wp.static(power)):
            x[i] = x[i] * 1.01

    return stage
