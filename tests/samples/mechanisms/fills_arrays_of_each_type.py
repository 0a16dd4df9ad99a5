"""CS-6: a helper with a generic kernel inside is called for one type after the other."""
import warp as wp

wp.config.enable_backward = False

import fills
import ordinary_modules

arrays = [wp.zeros(8, dtype=kind, device="cpu") for kind in (wp.float32, wp.float64, wp.int32)]
ordinary_modules.launch_all()
for array in arrays:
    fills.fill(array, 3)  # here: fill
print("sum", sum(float(array.numpy()[0]) for array in arrays))
