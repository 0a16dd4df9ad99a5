"""CS-4: a loop makes a kernel for each stage, and a module by the name of the stage for each kernel."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


def make_stage(number):
    @wp.kernel(module=f"stage_{number}")
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
