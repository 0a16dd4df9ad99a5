"""A generic kernel meets a second type after its module was loaded: two builds. Runs on every supported release."""
from typing import Any

import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=Any), by: Any):  # here: scale
    i = wp.tid()
    x[i] = x[i] * by


single = wp.ones(8, dtype=wp.float32, device="cpu")
double = wp.ones(8, dtype=wp.float64, device="cpu")
wp.launch(scale, dim=8, inputs=[single, wp.float32(2.0)], device="cpu")
wp.launch(scale, dim=8, inputs=[double, wp.float64(2.0)], device="cpu")
wp.launch(scale, dim=8, inputs=[single, wp.float32(2.0)], device="cpu")
print(single.numpy()[0], double.numpy()[0])
