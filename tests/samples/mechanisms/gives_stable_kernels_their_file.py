"""CS-9 repaired: the eight kernels share the module of their file."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel
def absolute(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.abs(x[i])


@wp.kernel
def cube(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i] * x[i]


@wp.kernel
def double(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 2.0


@wp.kernel
def halve(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


@wp.kernel
def negate(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = -x[i]


@wp.kernel
def offset(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def sine(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.sin(x[i])


@wp.kernel
def square(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i]


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for kernel in (absolute, cube, double, halve, negate, offset, sine, square):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
