"""A library with a kernel and a helper that sets an option of whoever asks for it."""
import warp as wp


@wp.kernel
def smooth(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


def make_faster(options):
    import sys

    wp.set_module_options(options, module=sys.modules[__name__])  # here: option
