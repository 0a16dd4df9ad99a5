"""Builds one module, launches it once, says so, and then waits for ever."""

import time

import warp as wp


@wp.kernel
def add(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add, dim=8, inputs=[x], device="cpu")
print("launched", flush=True)
time.sleep(1000)
