"""A kernel of one name is made anew with another body, and the earlier one dies: two builds.

Runs on every supported release.
"""
import warp as wp


def make(power):
    @wp.kernel
    def scale(x: wp.array(dtype=float)):  # here: scale
        i = wp.tid()
        for _k in range(wp.static(power)):
            x[i] = x[i] * 1.5

    return scale


x = wp.ones(8, dtype=float, device="cpu")
scale = make(1)
wp.launch(scale, dim=8, inputs=[x], device="cpu")
del scale
scale = make(2)
wp.launch(scale, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
