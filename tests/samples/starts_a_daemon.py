"""Starts a daemon that leaves the process group and session, builds and launches there, and stays.

The daemon writes its pid to the file named by the first argument, and would sleep for ten minutes.
"""
import os
import subprocess
import sys
import time

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


def daemon(pid_file):
    x = wp.zeros(8, dtype=float, device="cpu")
    for _ in range(5):
        wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    with open(pid_file + ".part", "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    os.replace(pid_file + ".part", pid_file)
    time.sleep(600)


def launcher(pid_file):
    if os.path.exists(pid_file):
        os.remove(pid_file)
    subprocess.Popen([sys.executable, __file__, pid_file, "leave"], start_new_session=True)
    while not os.path.exists(pid_file):
        time.sleep(0.05)
    print("daemon is up")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        launcher(sys.argv[1])
    elif sys.argv[2] == "leave":
        if os.fork() == 0:  # a second fork, as daemons do: the first child ends at once
            os.setsid()
            daemon(sys.argv[1])
        os._exit(0)
