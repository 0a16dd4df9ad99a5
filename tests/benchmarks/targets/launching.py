"""Launches a kernel of A arguments in batches, and prints the nanoseconds of each batch (arguments: A BATCHES SIZE)."""

import gc
import json
import sys
import time

import warp as wp

ARGUMENTS, BATCHES, SIZE = (int(text) for text in sys.argv[1:4])


def make(arguments: int):
    names = [f"a{number}: wp.array(dtype=float)" for number in range(arguments)]
    source = f"import warp as wp\n@wp.kernel(enable_backward=False)\ndef many({', '.join(names)}):\n    a0[0] = 1.0\n"
    import importlib.util
    import os
    import tempfile

    directory = tempfile.mkdtemp()
    path = os.path.join(directory, f"kernels_{arguments}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location(f"kernels_{arguments}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    os.remove(path)
    os.rmdir(directory)
    return module.many


kernel = make(ARGUMENTS)
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
