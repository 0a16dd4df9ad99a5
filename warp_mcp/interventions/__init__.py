"""Packages injected into the target in passes that change something on purpose, and in no others.

Standard library only, found by path like the recorder, imported by nobody here. `attach/` goes on
PYTHONPATH right after the recorder's; the variable WARP_MCP_INTERVENTION names the modules of
`_warp_mcp_interventions` to start, separated by commas. What they are told lies in `pass.json` beside the
run's records (see `channel.py` there).
"""
