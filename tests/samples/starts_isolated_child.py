"""Starts a child with `python -I`, which reads no PYTHONPATH."""
import subprocess
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


if __name__ == "__main__":
    x = wp.zeros(8, dtype=float, device="cpu")
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    if len(sys.argv) == 1:
        sys.exit(subprocess.call([sys.executable, "-I", __file__, "child"]))
    print("x0", x.numpy()[0])
