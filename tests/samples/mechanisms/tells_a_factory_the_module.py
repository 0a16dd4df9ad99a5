"""CS-9 repaired: the factory is told to put its kernels into one module."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules
import stencils

shifts = [stencils.make_shift(amount, module="shifts") for amount in range(8)]
x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for shift in shifts:
    wp.launch(shift, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
