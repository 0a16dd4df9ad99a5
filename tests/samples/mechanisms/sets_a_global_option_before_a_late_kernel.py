"""CS-3, and CS-1: a global option is set after the first launch; it strikes when a late kernel has the module built again."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel
def relax(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] / 1.25


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
wp.launch(relax, dim=8, inputs=[x], device="cpu")
wp.config.verify_fp = True  # here: option


@wp.kernel
def stiffen(x: wp.array(dtype=float)):  # here: stiffen
    i = wp.tid()
    x[i] = x[i] * 1.25


wp.launch(stiffen, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
