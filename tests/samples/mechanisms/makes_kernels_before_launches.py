"""CS-1 repaired: the kernels of all stages stand at module scope, before the first launch: one build."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel
def growth(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 1.5


@wp.kernel
def decay(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


@wp.kernel
def offset(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 2.0


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for kernel in (growth, decay, offset):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
