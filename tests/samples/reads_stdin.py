"""Reads standard input to its end, and launches once for every line of it and once more."""
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


lines = sys.stdin.read().splitlines()
x = wp.zeros(8, dtype=float, device="cpu")
for _ in [*lines, "once more"]:
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("lines", len(lines))
