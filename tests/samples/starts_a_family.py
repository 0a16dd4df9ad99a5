"""Starts a child, a grandchild and a daemon in a session of its own; all ignore what can be ignored, and stay.

Each appends its pid to the file named by the first argument.
"""

import os
import signal
import subprocess
import sys
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)

with open(sys.argv[1], "a", encoding="utf-8") as file:
    file.write(f"{os.getpid()}\n")

NEXT = {"program": "child", "child": "grandchild"}
role = sys.argv[2] if len(sys.argv) > 2 else "program"
if role in NEXT:
    subprocess.Popen([sys.executable, __file__, sys.argv[1], NEXT[role]])
if role == "program" and os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    os.execv(sys.executable, [sys.executable, __file__, sys.argv[1], "daemon"])
time.sleep(1000)
