"""Two children find the cache empty and build the same module at the same time: two builds, no rebuild."""
import subprocess
import sys
import time

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


def work():
    wp.init()
    print("ready", flush=True)
    sys.stdin.readline()
    x = wp.zeros(8, dtype=float, device="cpu")
    for _ in range(2):
        wp.launch(add_one, dim=8, inputs=[x], device="cpu")


def start_both_at_once():
    command = [sys.executable, __file__, "work"]
    children = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    for child in children:
        while child.stdout.readline().strip() != "ready":
            time.sleep(0.01)
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    return max(child.wait() for child in children)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(start_both_at_once())
    work()
