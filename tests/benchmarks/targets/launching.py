"""Launches a kernel of A arguments in batches; prints nanoseconds per launch of each (A BATCHES SIZE)."""

import gc
import importlib
import json
import sys
import tempfile
import time
from pathlib import Path

import warp as wp

ARGUMENTS, BATCHES, SIZE = (int(text) for text in sys.argv[1:4])


def make(arguments: int, directory: str):
    """Write a module with one kernel of so many array arguments, and import it."""
    names = ", ".join(f"a{number}: wp.array(dtype=float)" for number in range(arguments))
    text = f"import warp as wp\n\n\n@wp.kernel(enable_backward=False)\ndef many({names}):\n    a0[0] = 1.0\n"
    Path(directory, "many_arguments.py").write_text(text, encoding="utf-8")
    sys.path.insert(0, directory)
    return importlib.import_module("many_arguments").many


with tempfile.TemporaryDirectory() as written:
    kernel = make(ARGUMENTS, written)
inputs = [wp.zeros(1, dtype=float, device="cpu") for _ in range(ARGUMENTS)]
for _ in range(2000):
    wp.launch(kernel, dim=1, inputs=inputs, device="cpu")
gc.disable()
batches = []
for _ in range(BATCHES):
    begin = time.perf_counter_ns()
    for _ in range(SIZE):
        wp.launch(kernel, dim=1, inputs=inputs, device="cpu")
    batches.append((time.perf_counter_ns() - begin) / SIZE)
print(json.dumps(batches))
