"""Goes to another directory, and removes it, before anything is built."""
import os
import tempfile

import warp as wp

directory = tempfile.mkdtemp()
os.chdir(directory)


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
os.rmdir(directory)
print("x0", x.numpy()[0])
