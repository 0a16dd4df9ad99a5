"""CS-1: one kernel is defined again for each gain it captures, and launched in between: a build for each."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules

x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for gain in (0.5, 1.5, 2.5):

    @wp.kernel
    def amplify(x: wp.array(dtype=float)):  # here: amplify
        i = wp.tid()
        x[i] = x[i] * wp.static(gain)

    wp.launch(amplify, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
