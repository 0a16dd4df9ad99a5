"""Launches in the parent, or in two workers of multiprocessing: `spawn` or `fork` by argument.

A forked worker inherits what the parent loaded only on the CPU, where Warp allows it. With `fork` every
warning of Python about forking is an error.
"""
import multiprocessing
import os
import sys
import warnings

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


def work(count):
    x = wp.zeros(8, dtype=float, device="cpu")
    for _ in range(count):
        wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    return float(x.numpy()[0])


def main():
    method = sys.argv[1]
    if method == "fork" and len(os.listdir("/proc/self/task")) == 1:
        # Python 3.12 and later warn when a process with several threads forks: none is there, none may be added
        warnings.simplefilter("error", DeprecationWarning)
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(work, [3, 3], chunksize=1)
    print(results, work(1))


if __name__ == "__main__":
    main()
