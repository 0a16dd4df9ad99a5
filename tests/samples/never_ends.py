"""A simulator: says what it does, launches two kernels a frame, builds a third at frame 5, and never ends by itself.

With `crowd PIDFILE` it first starts a child that starts a grandchild; neither ends by itself, and both ignore SIGTERM.
Each process writes its pid into PIDFILE.
"""
import signal
import subprocess
import sys
import time

import warp as wp


@wp.kernel
def integrate(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def render(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


@wp.kernel(module="unique")
def report(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 0.25


def note_pid(path):
    import os

    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")


def stay(generations, path):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note_pid(path)
    if generations:
        subprocess.Popen([sys.executable, __file__, "stay", str(generations - 1), path])
    time.sleep(600)


def simulate():
    x = wp.zeros(8, dtype=float, device="cpu")
    frame = 0
    while True:
        wp.launch(integrate, dim=8, inputs=[x], device="cpu")
        wp.launch(render, dim=8, inputs=[x], device="cpu")
        if frame == 5:
            wp.launch(report, dim=8, inputs=[x], device="cpu")
        print(f"frame {frame} done", flush=True)
        frame += 1
        time.sleep(0.02)


if __name__ == "__main__":
    if sys.argv[1:2] == ["stay"]:
        stay(int(sys.argv[2]), sys.argv[3])
    if sys.argv[1:2] == ["crowd"]:
        note_pid(sys.argv[2])
        subprocess.Popen([sys.executable, __file__, "stay", "1", sys.argv[2]])
    simulate()
