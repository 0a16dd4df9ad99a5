"""Names its kernel cache through WARP_CACHE_PATH, inside the command."""
import os
import sys
import tempfile

os.environ["WARP_CACHE_PATH"] = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()

import warp as wp  # noqa: E402


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
