"""Six kernels made in a loop, each after a launch, or (SAMPLE_VARIANT=repaired) all before the first: the same work, fewer builds.

Other variants change one thing against `repaired`: `dropped` leaves a launch out, `double` takes another dtype, `reshaped` another
dim, `kernel` another body, `lineinfo` sets an option that costs nothing on the CPU, `renamed` gives the kernels another name.
"""
import os

import warp as wp

VARIANT = os.environ.get("SAMPLE_VARIANT", "before")
DTYPE = wp.float64 if VARIANT == "double" else wp.float32
EXTRA = 1.5 if VARIANT == "kernel" else 1.0
if VARIANT == "lineinfo":
    wp.set_module_options({"lineinfo": True})


def stage(power):
    @wp.kernel
    def stage_kernel(x: wp.array(dtype=float), scale: float):
        i = wp.tid()
        for _k in range(wp.static(power)):
            x[i] = wp.sin(x[i]) * scale + wp.exp(-x[i]) * wp.static(EXTRA)

    return stage_kernel


def other_name(power):
    @wp.kernel
    def step_kernel(x: wp.array(dtype=float), scale: float):
        i = wp.tid()
        for _k in range(wp.static(power)):
            x[i] = wp.sin(x[i]) * scale + wp.exp(-x[i]) * wp.static(EXTRA)

    return step_kernel


@wp.kernel
def last(x: wp.array(dtype=DTYPE)):
    i = wp.tid()
    x[i] = x[i] + x[i]


POWERS = (1, 2, 3, 4, 5, 6)
x = wp.ones(8, dtype=float, device="cpu")
y = wp.ones(8, dtype=DTYPE, device="cpu")
if VARIANT == "before":
    kernels = []
    for power in POWERS:
        kernels.append(stage(power))
        wp.launch(kernels[-1], dim=8, inputs=[x, 0.5], device="cpu")
else:
    kernels = [(other_name if VARIANT == "renamed" else stage)(power) for power in POWERS]
    for power, kernel in zip(POWERS, kernels):
        if VARIANT == "dropped" and power == 4:
            continue
        wp.launch(kernel, dim=4 if VARIANT == "reshaped" and power == 2 else 8, inputs=[x, 0.5], device="cpu")
wp.launch(last, dim=8, inputs=[y], device="cpu")
print("x0", x.numpy()[0])
