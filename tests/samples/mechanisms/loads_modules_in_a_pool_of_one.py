"""CS-8 repaired: the pool has one thread."""
from concurrent.futures import ThreadPoolExecutor

import warp as wp

wp.config.enable_backward = False

import ordinary_modules
import two_modules

ordinary_modules.launch_all()


def load(name):
    wp.load_module(name, device="cpu")  # here: load


with ThreadPoolExecutor(max_workers=1) as pool:
    list(pool.map(load, ("left_half", "right_half")))
x = wp.ones(8, dtype=float, device="cpu")
for kernels in (two_modules.LEFT, two_modules.RIGHT):
    for kernel in kernels:
        wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("done")
