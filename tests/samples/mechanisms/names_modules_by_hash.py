"""CS-2: a generated module is named by the hash of a text, which Python salts anew in every process."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


def make(name):
    def scale(x: wp.array(dtype=float)):  # here: scale
        i = wp.tid()
        x[i] = x[i] * 3.0

    def shift(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] + 3.0

    module = wp.get_module(f"generated_{name}")
    return [wp.Kernel(func, key=func.__name__, module=module) for func in (scale, shift)]


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for kernel in make(f"{hash(('scale', 3)) & 0xFFFFFFFF:x}"):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
