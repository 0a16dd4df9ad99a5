"""The probe that every situation is run through."""

from pathlib import Path

import pytest

from tests.situations.measuring import Probe


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    """`warp-mcp` with a home, temp and state directory of this test."""
    return Probe(tmp_path)
