"""Waits for as many seconds as its first argument says; one small module is all there is to build."""
import sys
import time

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


time.sleep(float(sys.argv[1]))
x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
