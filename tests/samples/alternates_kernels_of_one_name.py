"""Makes one of two kernels of the same name, uses it and lets it die, in turn: two builds, then back and forth.

Warp keeps the latest kernel of a name, so that each new one replaces the one before.
"""
import warp as wp


def scale_once(x, power):
    @wp.kernel
    def scale(x: wp.array(dtype=float)):  # here: scale
        i = wp.tid()
        for _k in range(wp.static(power)):
            x[i] = x[i] * 1.5

    wp.launch(scale, dim=8, inputs=[x], device="cpu")


x = wp.ones(8, dtype=float, device="cpu")
for _ in range(3):
    scale_once(x, 1)
    scale_once(x, 2)
print("x0", x.numpy()[0])
