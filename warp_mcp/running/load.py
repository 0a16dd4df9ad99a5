"""How busy other processes kept the machine while a run lasted.

What belongs here: the arithmetic on CPU times that the system and the supervisor report.
"""

import time

import psutil

LEAST_S = 0.5
"""Shorter runs tell nothing: the system counts CPU time in ticks of 10 ms."""


class LoadMeter:
    """Measures from its creation to `foreign_load`."""

    def __init__(self) -> None:
        self._busy_s = busy_s()
        self._own_s = own_s()
        self._begun_s = time.monotonic()

    def foreign_load(self, tree_cpu_s: float) -> float:
        """Mean number of cores others kept busy: (machine's busy time - the target's - our own) / wall.

        `tree_cpu_s` is the CPU time of the target and everything below it. 0.0 when the run was too short
        to tell.
        """
        wall_s = time.monotonic() - self._begun_s
        if wall_s < LEAST_S:
            return 0.0
        foreign_s = busy_s() - self._busy_s - tree_cpu_s - (own_s() - self._own_s)
        return max(0.0, foreign_s / wall_s)


def busy_s() -> float:
    """Seconds all cores together have worked since boot.

    Waiting for a disk is not work. Time stolen by the hypervisor is: somebody else had our core. Guest time
    is already a part of user time (proc(5), /proc/stat).
    """
    times = psutil.cpu_times()
    counted = ("user", "nice", "system", "irq", "softirq", "steal")
    return sum(getattr(times, name, 0.0) for name in counted)


def own_s() -> float:
    """CPU seconds of this very process, which shows progress and reads output meanwhile."""
    times = psutil.Process().cpu_times()
    return times.user + times.system
