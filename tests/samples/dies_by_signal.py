"""Builds, launches ten times, and is ended by SIGTERM. Runs on every supported release."""
import os
import signal

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(10):
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
os.kill(os.getpid(), signal.SIGTERM)
