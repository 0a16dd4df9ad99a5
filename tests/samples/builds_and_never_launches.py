"""Builds two modules and launches a kernel of only one."""
import warp as wp


@wp.kernel
def used(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel(module="unique")
def unused(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


wp.load_module(unused.module, device="cpu")
x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(used, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
