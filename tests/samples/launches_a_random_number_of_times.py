"""Launches between one and a thousand times: no two runs do the same work."""
import random

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(random.SystemRandom().randint(1, 1000)):
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
