"""CS-8 repaired: the modules are loaded one after the other, before the threads start."""
import threading

import warp as wp

wp.config.enable_backward = False

import ordinary_modules
import two_modules

ordinary_modules.launch_all()
for name in ("left_half", "right_half"):
    wp.load_module(name, device="cpu")
together = threading.Barrier(2)


def work(kernels):
    x = wp.ones(8, dtype=float, device="cpu")
    together.wait()
    for kernel in kernels:
        wp.launch(kernel, dim=8, inputs=[x], device="cpu")


threads = [threading.Thread(target=work, args=(one,)) for one in (two_modules.LEFT, two_modules.RIGHT)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
