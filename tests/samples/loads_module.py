"""Loads its module with load_module before the only launch.

One build on 1.19; up to 1.17 the load takes block_dim 256 and the launch on the CPU needs another.
"""
import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


wp.load_module(device="cpu")  # here: load
x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
