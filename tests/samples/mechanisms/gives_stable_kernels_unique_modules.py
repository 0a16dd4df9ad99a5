"""CS-9: eight kernels at module scope, each with a unique module although none of them ever changes."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel(module="unique")
def absolute(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.abs(x[i])


@wp.kernel(module="unique")
def cube(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i] * x[i]


@wp.kernel(module="unique")
def double(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 2.0


@wp.kernel(module="unique")
def halve(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


@wp.kernel(module="unique")
def negate(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = -x[i]


@wp.kernel(module="unique")
def offset(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel(module="unique")
def sine(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.sin(x[i])


@wp.kernel(module="unique")
def square(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i]


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for kernel in (absolute, cube, double, halve, negate, offset, sine, square):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
