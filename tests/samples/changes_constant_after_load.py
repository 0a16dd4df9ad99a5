"""A global number that a kernel uses is changed, and the module is hashed again: two builds.

Runs on every supported release.
"""
import warp as wp

GRAVITY = wp.constant(9.81)


@wp.kernel
def fall(x: wp.array(dtype=float)):  # here: fall
    i = wp.tid()
    x[i] = x[i] + GRAVITY


x = wp.ones(8, dtype=float, device="cpu")
wp.launch(fall, dim=8, inputs=[x], device="cpu")
GRAVITY = wp.constant(1.62)
wp.set_module_options({"fast_math": False})
wp.launch(fall, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
