"""Builds and launches twice, forks, and launches three times more in the child and once in the parent.

The child leaves through os._exit, as a forked worker does.
"""
import os

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(2):
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
child = os.fork()
if child == 0:
    for _ in range(3):
        wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    os._exit(0)
_, status = os.waitpid(child, 0)
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0], "child", os.waitstatus_to_exitcode(status))
