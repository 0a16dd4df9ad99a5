"""Load by others."""

from collections import namedtuple

import psutil
import pytest

from warp_mcp.running import load
from warp_mcp.running.load import LoadMeter, busy_s

Times = namedtuple("Times", "user nice system idle iowait irq softirq steal guest guest_nice")


def set_machine(monkeypatch: pytest.MonkeyPatch, now_s: float, times: Times) -> None:
    monkeypatch.setattr(load.time, "monotonic", lambda: now_s)
    monkeypatch.setattr(psutil, "cpu_times", lambda: times)
    monkeypatch.setattr(load, "own_s", lambda: now_s / 100)


ZERO = Times(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def test_foreign_load_is_what_neither_the_target_nor_the_probe_used(monkeypatch: pytest.MonkeyPatch) -> None:
    set_machine(monkeypatch, 0.0, ZERO)
    meter = LoadMeter()
    set_machine(monkeypatch, 10.0, ZERO._replace(user=20.0, system=5.0))
    assert meter.foreign_load(tree_cpu_s=9.9) == pytest.approx(1.5)


def test_waiting_for_a_disk_is_no_load_and_stolen_time_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "cpu_times", lambda: Times(1, 0, 0, 99, 50, 0, 0, 2, 1, 0))
    assert busy_s() == 3


def test_an_idle_or_very_short_run_has_no_foreign_load(monkeypatch: pytest.MonkeyPatch) -> None:
    set_machine(monkeypatch, 0.0, ZERO)
    meter = LoadMeter()
    set_machine(monkeypatch, 10.0, ZERO._replace(user=3.0))
    assert meter.foreign_load(tree_cpu_s=4.0) == 0.0
    set_machine(monkeypatch, 0.1, ZERO._replace(user=3.0))
    assert meter.foreign_load(tree_cpu_s=0.0) == 0.0
