"""Launches one kernel N times (first argument), each time with another dim: no two launches have the same signature."""
import itertools
import resource
import sys

import warp as wp

TOTAL = int(sys.argv[1])


def dims(most):
    """All shapes of four dimensions with at most `most` threads: many shapes, few threads."""
    for a in range(1, most + 1):
        for b in range(1, most // a + 1):
            for c in range(1, most // (a * b) + 1):
                for d in range(1, most // (a * b * c) + 1):
                    yield a, b, c, d


def enough(total):
    most = 16
    while sum(1 for _ in itertools.islice(dims(most), total)) < total:
        most += most // 4
    return itertools.islice(dims(most), total)


@wp.kernel(enable_backward=False)
def first_only(x: wp.array(dtype=float)):
    i, j, k, l = wp.tid()
    if i + j + k + l == 0:
        x[0] = x[0] + 1.0


x = wp.zeros(1, dtype=float, device="cpu")
for dim in enough(TOTAL):
    wp.launch(first_only, dim=dim, inputs=[x], device="cpu")
print("x0", x.numpy()[0], "rss_kb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
