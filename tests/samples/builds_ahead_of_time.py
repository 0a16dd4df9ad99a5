"""Compiles its module ahead of time for the device named by the first argument, `cpu` or an architecture such as 90."""
import os
import sys
import tempfile

import warp as wp


@wp.kernel(enable_backward=False)
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


with tempfile.TemporaryDirectory() as directory:
    if sys.argv[1] == "cpu":
        wp.compile_aot_module(sys.modules[__name__], device="cpu", module_dir=directory)
    else:
        wp.compile_aot_module(sys.modules[__name__], arch=int(sys.argv[1]), module_dir=directory)
    print(sorted(name.rsplit(".", 1)[-1] for name in os.listdir(directory)))
