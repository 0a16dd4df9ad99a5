"""Next steps for an agent, in the place of those for a person at the command line.

The layers below say what to do in words of the command line only where those differ from any others; this
table has what an agent can do instead.
"""

from collections.abc import Callable

from warp_mcp.errors import ProbeError
from warp_mcp.workflows import sharing

MOST_NAMED = 5
"""Names that an error tells of those that there are."""


def step_for_tools(error: ProbeError) -> str:
    """What to do next, in words of the tools."""
    step = error.next_step
    return next((tell() for words, tell in _STEPS.items() if words in step), step)


def reports_there() -> str:
    """The newest reports by name, or how to make one."""
    kept = sharing.newest_reports(MOST_NAMED)
    names = [f"{one.report_id} ({one.label})" if one.label else one.report_id for one in kept]
    return f"The newest reports: {', '.join(names)}." if names else "Make one with the tool measure."


_STEPS: dict[str, Callable[[], str]] = {
    "two dashes": lambda: 'Give the program and its arguments as a list: ["python", "your_program.py"].',
    "Make one with: warp-mcp measure": reports_there,
    "Price one: warp-mcp measure": lambda: "Give the report of a measurement that priced the lever.",
    "warp-mcp list": reports_there,
    "warp-mcp explain": lambda: "Use one of these.",
    "Leave --rehearse-cuda out": lambda: (
        "Leave rehearse_cuda out to measure it, or set rehearse_force to rehearse all the same."
    ),
    "Add --rehearse-cuda": lambda: 'Add rehearse_cuda, as in ["sm_90"], or leave them out.',
    "Write --rehearse-cuda": lambda: 'Give names, as in ["sm_80", "sm_90"].',
    "WARP_MCP_STATE_DIR": lambda: (
        "Ask the user to free space and make it writable, or to start the server with WARP_MCP_STATE_DIR set "
        "to another directory."
    ),
}
"""By words of the command line in a step."""
