"""Launches N times, going round M kernels (arguments N M): a loop that repeats every M launches.

    python launches_in_a_long_loop.py 1000000 1
    python launches_in_a_long_loop.py 1000000 100
"""
import resource
import sys

import warp as wp

TOTAL, KERNELS = int(sys.argv[1]), int(sys.argv[2])
wp.config.enable_backward = False


def numbered(number):
    def step(x: wp.array(dtype=float)):
        x[0] = x[0] + wp.static(float(number))

    return wp.Kernel(step, key=f"step_{number}", module=wp.get_module("numbered"))


x = wp.zeros(1, dtype=float, device="cpu")
kernels = [numbered(number) for number in range(KERNELS)]
for index in range(TOTAL):
    wp.launch(kernels[index % KERNELS], dim=1, inputs=[x], device="cpu")
print("rss_kb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
