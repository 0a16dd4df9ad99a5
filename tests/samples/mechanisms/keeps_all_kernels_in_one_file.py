"""CS-4 repaired: the eight kernels share a module; without others, the header is off (CS-12)."""
import warp as wp

wp.config.enable_backward = False
wp.config.use_precompiled_headers = False


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
for kernel in (absolute, cube, double, halve, negate, offset, sine, square):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
