"""One kernel, three launches of one signature: one build. Runs on every supported release."""
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):  # here: add_one
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(3):
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0], "arguments", sys.argv[1:])
