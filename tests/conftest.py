"""What every test shares: a state directory of its own, so that tests run side by side."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the probe's state (reports, ledger, measurement lock) at a directory of this test alone."""
    directory = tmp_path / "state"
    monkeypatch.setenv("WARP_MCP_STATE_DIR", str(directory))
    return directory
