"""Starts two children, one after the other, that launch twice each. The second loads what the first built."""
import subprocess
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


if __name__ == "__main__":
    if len(sys.argv) == 1:
        for number in ("1", "2"):
            subprocess.run([sys.executable, __file__, number], check=True)
    else:
        x = wp.zeros(8, dtype=float, device="cpu")
        for _ in range(2):
            wp.launch(add_one, dim=8, inputs=[x], device="cpu")
        print("child", sys.argv[1], x.numpy()[0])
