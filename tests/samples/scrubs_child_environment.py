"""Starts the real program with an environment of two variables, as launchers and containers do."""
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
        environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
        sys.exit(subprocess.call([sys.executable, __file__, "child"], env=environment))  # here: child
    x = wp.zeros(8, dtype=float, device="cpu")
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    print("x0", x.numpy()[0])
