"""A function that a kernel calls is made anew after the module was loaded: two builds.

Runs on every supported release.
"""
import warp as wp


@wp.func
def weight(x: float):
    return x * 0.5


@wp.kernel
def apply(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = weight(x[i])


x = wp.ones(8, dtype=float, device="cpu")
wp.launch(apply, dim=8, inputs=[x], device="cpu")


@wp.func
def weight(x: float):  # here: weight
    return x * 0.25 + 1.0


wp.launch(apply, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
