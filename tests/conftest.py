"""What every test shares: a state directory of its own, so that tests run side by side."""

import os
from pathlib import Path

import pytest


def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: a good part of these tests is waiting for a program to end."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (usable or 1) + 1


@pytest.fixture(autouse=True)
def own_state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the probe's state (reports, ledger, measurement lock) at a directory of this test alone."""
    directory = tmp_path / "state"
    monkeypatch.setenv("WARP_MCP_STATE_DIR", str(directory))
    return directory
