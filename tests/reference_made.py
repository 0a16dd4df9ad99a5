"""The small made reference, for tests of what is done with one."""

from pathlib import Path

import pytest

from warp_mcp.storage import references

DIRECTORY = Path(__file__).parent / "made_references"


def use_made_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the made reference be the one that is installed."""
    monkeypatch.setattr(references, "references_dir", lambda: DIRECTORY)
