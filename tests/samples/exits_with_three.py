"""Builds, launches ten times, and ends with sys.exit(3) and a line that says why."""
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(10):
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("tolerance exceeded: got 1.0, expected 2.0", file=sys.stderr)
sys.exit(3)
