"""Imports Warp through importlib, after the kernel's text has been put into a file of its own."""
import importlib
import importlib.util
import os
import sys
import tempfile

wp = importlib.import_module("warp")

SOURCE = """
import warp as wp

@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0
"""

with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, "generated_kernels.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    spec = importlib.util.spec_from_file_location("generated_kernels", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["generated_kernels"] = module
    spec.loader.exec_module(module)
    x = wp.zeros(8, dtype=float, device="cpu")
    wp.launch(module.add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
