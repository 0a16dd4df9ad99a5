"""CS-5 repaired, ahead of time: the module is compiled for a GPU at the block dimension in use."""
import warp as wp

wp.config.enable_backward = False

import heavy_kernels

module = heavy_kernels.make("solver")
wp.set_module_options({"block_dim": 128}, module=module)
wp.compile_aot_module(module, arch=90)
print("done")
