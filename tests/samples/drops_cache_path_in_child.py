"""Starts a child without Warp's variables: it is recorded, but uses the user's own cache."""
import os
import subprocess
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


if __name__ == "__main__":
    if len(sys.argv) == 1:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WARP_CACHE", "CUDA_"))}
        sys.exit(subprocess.call([sys.executable, __file__, "child"], env=environment))
    x = wp.zeros(8, dtype=float, device="cpu")
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    print("x0", x.numpy()[0])
