"""CS-6: a generic kernel is launched with one type after the other: the module is built for each."""
import warp as wp

wp.config.enable_backward = False

from typing import Any

import ordinary_modules


@wp.kernel
def scale(x: wp.array(dtype=Any), factor: Any):
    i = wp.tid()
    x[i] = x[i] * factor


x = wp.ones(8, dtype=float, device="cpu")
y = wp.ones(8, dtype=wp.float64, device="cpu")
z = wp.ones(8, dtype=int, device="cpu")
ordinary_modules.launch_all()
wp.launch(scale, dim=8, inputs=[x, 2.0], device="cpu")
wp.launch(scale, dim=8, inputs=[y, wp.float64(2.0)], device="cpu")  # here: double
wp.launch(scale, dim=8, inputs=[z, 2], device="cpu")  # here: int
print("sum", x.numpy()[0] + y.numpy()[0] + z.numpy()[0])
