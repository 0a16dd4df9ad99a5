"""Launches N times (first argument), one of four kernels at random, the same order in every run: nothing repeats."""
import random
import resource
import sys

import warp as wp

TOTAL = int(sys.argv[1])
order = random.Random(7)


@wp.kernel
def first(x: wp.array(dtype=float)):
    x[0] = x[0] + 1.0


@wp.kernel
def second(x: wp.array(dtype=float)):
    x[0] = x[0] + 2.0


@wp.kernel
def third(x: wp.array(dtype=float)):
    x[0] = x[0] + 3.0


@wp.kernel
def fourth(x: wp.array(dtype=float)):
    x[0] = x[0] + 4.0


x = wp.zeros(1, dtype=float, device="cpu")
kernels = (first, second, third, fourth)
for _ in range(TOTAL):
    wp.launch(kernels[order.randrange(4)], dim=1, inputs=[x], device="cpu")
print("rss_kb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
