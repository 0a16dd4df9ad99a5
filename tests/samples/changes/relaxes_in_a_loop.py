"""Two kernels, each launched many times; `relax` has a loop that is unrolled. Tests edit it and time the launches."""
import numpy as np
import warp as wp

wp.config.use_precompiled_headers = False
wp.config.enable_backward = False

N = 64


@wp.kernel
def relax(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for a in range(12):
        for b in range(12):
            total += x[(i + a + b) % 64] * wp.sin(float(a * b))
    y[i] = total


@wp.kernel
def square(y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    z[i] = y[i] * y[i]


with wp.ScopedDevice("cpu"):
    x = wp.array(np.linspace(0.0, 1.0, N), dtype=float)
    y = wp.zeros(N, dtype=float)
    z = wp.zeros(N, dtype=float)
    for frame in range(100):
        wp.launch(relax, dim=N, inputs=[x], outputs=[y])
        wp.launch(square, dim=N, inputs=[y], outputs=[z])
print("z0", z.numpy()[0])
