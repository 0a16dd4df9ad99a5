"""CS-12: the precompiled header is built for a single small module."""
import warp as wp

wp.config.enable_backward = False


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def double(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 2.0


x = wp.zeros(8, dtype=float, device="cpu")
for kernel in (add_one, double):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
