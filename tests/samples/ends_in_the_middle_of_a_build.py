"""Is killed while a module with long kernels is being built (by a child that waits for the build's directory)."""
import os
import subprocess
import sys

import warp as wp

KILLER = """
import glob, os, signal, sys, time
pid, cache = int(sys.argv[1]), sys.argv[2]
while not glob.glob(cache + "/**/*.cpp", recursive=True):
    time.sleep(0.005)
os.kill(pid, signal.SIGKILL)
"""


def stage(number):
    @wp.kernel(module="unique")
    def long_kernel(x: wp.array(dtype=float)):
        i = wp.tid()
        for _k in range(wp.static(number)):
            x[i] = wp.sin(x[i]) * wp.exp(-x[i]) + wp.sqrt(wp.abs(x[i]))

    return long_kernel


wp.init()
x = wp.zeros(8, dtype=float, device="cpu")
subprocess.Popen([sys.executable, "-S", "-c", KILLER, str(os.getpid()), wp.config.kernel_cache_dir])
wp.launch(stage(15), dim=8, inputs=[x], device="cpu")
print("not reached")
