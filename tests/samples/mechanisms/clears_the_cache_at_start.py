"""CS-2: the kernel cache is cleared whenever the program starts."""
import warp as wp

wp.config.enable_backward = False
wp.init()
wp.clear_kernel_cache()  # here: clear

import ordinary_modules


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def add_two(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 2.0


x = wp.zeros(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
wp.launch(add_two, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
