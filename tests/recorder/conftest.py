"""The recorder is found by path, as it is inside a target; these tests put that path first."""

import sys
from pathlib import Path

import warp_mcp

RECORDER = Path(warp_mcp.__file__).parent / "recorder"
sys.path.insert(0, str(RECORDER))
