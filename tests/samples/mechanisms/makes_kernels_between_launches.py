"""CS-1: each stage makes its kernel in a function, just before it launches it: the module is built for each."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules

x = wp.ones(8, dtype=float, device="cpu")


def run_growth():
    @wp.kernel
    def growth(x: wp.array(dtype=float)):  # here: growth
        i = wp.tid()
        x[i] = x[i] * 1.5

    wp.launch(growth, dim=8, inputs=[x], device="cpu")
    return growth


def run_decay():
    @wp.kernel
    def decay(x: wp.array(dtype=float)):  # here: decay
        i = wp.tid()
        x[i] = x[i] * 0.5

    wp.launch(decay, dim=8, inputs=[x], device="cpu")
    return decay


def run_offset():
    @wp.kernel
    def offset(x: wp.array(dtype=float)):  # here: offset
        i = wp.tid()
        x[i] = x[i] + 2.0

    wp.launch(offset, dim=8, inputs=[x], device="cpu")
    return offset


ordinary_modules.launch_all()
kept = [run() for run in (run_growth, run_decay, run_offset)]
print("x0", x.numpy()[0])
