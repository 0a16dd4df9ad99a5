"""CS-13, ahead of time: three independent modules are compiled for a GPU, one after the other."""
import warp as wp

wp.config.enable_backward = False

import heavy_kernels

modules = [heavy_kernels.make(f"part_{number}") for number in range(3)]
for module in modules:
    wp.compile_aot_module(module, arch=90)  # here: compile
print("done")
