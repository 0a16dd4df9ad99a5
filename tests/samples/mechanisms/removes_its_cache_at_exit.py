"""CS-2: the program tidies up behind itself, and takes the kernel cache with it."""
import atexit
import shutil

import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def add_two(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 2.0


wp.init()
atexit.register(shutil.rmtree, wp.config.kernel_cache_dir)
x = wp.zeros(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
wp.launch(add_two, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
