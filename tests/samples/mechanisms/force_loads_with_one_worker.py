"""CS-8 repaired: force_load has one worker on the CPU."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules
import two_modules

ordinary_modules.launch_all()
parts = (two_modules.LEFT, two_modules.RIGHT)
wp.force_load(device="cpu", modules=[kernels[0].module for kernels in parts], max_workers=1)  # here: load
x = wp.ones(8, dtype=float, device="cpu")
for kernels in parts:
    for kernel in kernels:
        wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("done")
