"""CS-6 repaired: the overloads in use are declared before the first launch: one build."""
from typing import Any

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("this program needs a CUDA device")
wp.set_device("cuda:0")
wp.set_module_options({"enable_backward": False})


@wp.kernel
def scale(x: wp.array(dtype=Any), factor: Any):
    i = wp.tid()
    x[i] = x[i] * factor


for number in (wp.float32, wp.float64, wp.int32):
    wp.overload(scale, [wp.array(dtype=number), number])

x, y, z = (wp.ones(8, dtype=one) for one in (wp.float32, wp.float64, wp.int32))
wp.launch(scale, dim=8, inputs=[x, 2.0])
wp.launch(scale, dim=8, inputs=[y, wp.float64(2.0)])  # here: double
wp.launch(scale, dim=8, inputs=[z, 2])  # here: int
print("sum", x.numpy()[0] + y.numpy()[0] + z.numpy()[0])
