"""Names its kernel cache itself. Runs on every supported release."""
import os
import sys
import tempfile

import warp as wp

directory = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
os.makedirs(directory, exist_ok=True)
wp.config.kernel_cache_dir = directory  # here: directory


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
