"""CS-5, ahead of time: one module is compiled for a GPU at three block dimensions, for one kernel each."""
import warp as wp

wp.config.enable_backward = False

import heavy_kernels

module = heavy_kernels.make("solver")
for block_dim in (64, 128, 256):
    wp.set_module_options({"block_dim": block_dim}, module=module)
    wp.compile_aot_module(module, arch=90)  # here: compile
print("done")
