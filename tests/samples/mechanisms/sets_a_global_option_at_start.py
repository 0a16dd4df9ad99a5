"""CS-3 repaired, CS-1 left: the global option is set before anything else; the late kernel is still late."""
import warp as wp

wp.config.enable_backward = False
wp.config.verify_fp = True

import ordinary_modules


@wp.kernel
def relax(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] / 1.25


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
wp.launch(relax, dim=8, inputs=[x], device="cpu")


@wp.kernel
def stiffen(x: wp.array(dtype=float)):  # here: stiffen
    i = wp.tid()
    x[i] = x[i] * 1.25


wp.launch(stiffen, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
