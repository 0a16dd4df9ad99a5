"""CS-3: an option of the module is set after its kernels have run."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel
def relax(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] / 1.25


@wp.kernel
def stiffen(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 1.25


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
wp.launch(relax, dim=8, inputs=[x], device="cpu")
wp.set_module_options({"fast_math": True})  # here: option
wp.launch(stiffen, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
