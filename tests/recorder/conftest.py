"""The recorder is found by path, as it is inside a target; these tests put that path first."""

import sys
from pathlib import Path
from typing import Any

import pytest

import warp_mcp

RECORDER = Path(warp_mcp.__file__).parent / "recorder"
sys.path.insert(0, str(RECORDER))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One kernel cache for all programs of this process: most of them build the same kernel."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def target(tmp_path: Path, cache: Path) -> Any:
    """Runs a program with and without the recorder."""
    from tests.recorder.target import Target

    return Target(tmp_path, cache)
