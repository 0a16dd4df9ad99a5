"""CS-11 repaired: the lengths are arguments, so the loops stay loops."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel
def convolve(x: wp.array(dtype=float), p: int, q: int, r: int):
    i = wp.tid()
    total = float(0.0)
    for a in range(p):
        for b in range(q):
            for c in range(r):
                u = float(a * b + c) + x[i]
                total += wp.sin(u) * wp.exp(-u * u) + wp.sqrt(1.0 + u * u)
    x[i] = total


@wp.kernel
def reset(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 1.0


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
wp.launch(reset, dim=8, inputs=[x], device="cpu")
wp.launch(convolve, dim=8, inputs=[x, 12, 8, 4], device="cpu")
print("x0", x.numpy()[0] > 0.0)
