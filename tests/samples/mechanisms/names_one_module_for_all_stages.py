"""CS-4 repaired: the kernels of all stages, made before the first launch, share one named module."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


def make_stage(number):
    @wp.kernel(module="stages")
    def stage(x: wp.array(dtype=float)):  # here: stage
        i = wp.tid()
        x[i] = x[i] + wp.static(float(number))

    return stage


stages = [make_stage(number) for number in range(8)]
x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for stage in stages:
    wp.launch(stage, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
