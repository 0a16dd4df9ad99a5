"""A small library with a factory of kernels, whose default is a unique module for each."""
import warp as wp


def make_shift(amount, module="unique"):
    """A kernel that adds `amount`."""

    @wp.kernel(module=module)
    def shift(x: wp.array(dtype=float)):  # here: shift
        i = wp.tid()
        x[i] = x[i] + wp.static(float(amount))

    return shift
