"""What the parts of the recorder share: the open record, and the time spent in hooks."""

record = None
"""The `Record` of this process; None before `start` and after a failure to open it."""

hook_ns = 0
"""Wall time spent inside hooks, without the per-launch path."""

dropped = False
"""True in a forked child that could not open a record of its own."""
