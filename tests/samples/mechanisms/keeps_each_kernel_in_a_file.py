"""CS-4: eight kernels of one lifecycle in eight files: eight modules."""
import warp as wp

wp.config.enable_backward = False

import one_kernel_files

x = wp.ones(8, dtype=float, device="cpu")
for kernel in one_kernel_files.KERNELS:
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
