"""What the parts of the recorder share: the open record, and the time spent in hooks."""

from __future__ import annotations

from .record import Nothing, Record

record: Record | Nothing = Nothing()
"""The record of this process."""

hook_ns = 0
"""Wall time spent inside hooks, without the per-launch path."""

directory = ""
"""Working directory at the start: what relative names of source files are relative to."""

lost = 0
"""Launches that could not be counted, as close to the recursion limit."""

written_exit = False
"""True once the line that tells an orderly end was written."""

before_hooks = []
"""Called with each module of Warp before the hooks go into it: what changes the program on purpose, in
runs that ask for it, and is to look like Warp's own doing."""

muted = set()
"""Threads in which nothing is recorded for the moment: what an intervention does for itself in them is not
the program's doing."""
