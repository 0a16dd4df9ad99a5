"""No fault: a file with kernels is imported after the first launch. Its module is new, and nothing is built again."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules

ordinary_modules.launch_all()

import two_modules

x = wp.ones(8, dtype=float, device="cpu")
for kernels in (two_modules.LEFT, two_modules.RIGHT):
    for kernel in kernels:
        wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("done")
