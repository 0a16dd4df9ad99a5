"""The server put together: four tools, the resources, the prompts. What each does is in a file of its own."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from warp_mcp import __version__
from warp_mcp.errors import ProbeError
from warp_mcp.server.answers import cause_of, failure
from warp_mcp.server.compare_tool import compare_tool
from warp_mcp.server.explain_tool import explain_tool
from warp_mcp.server.ledger_tool import ledger_tool
from warp_mcp.server.measure_tool import measure_tool
from warp_mcp.server.policy import Policy
from warp_mcp.server.prompts import register_prompts
from warp_mcp.server.resources import register_resources
from warp_mcp.server.runs import Runs
from warp_mcp.server.schemas import make_tool, refuse_unknown
from warp_mcp.server.wire import checked_stdio

INSTRUCTIONS = """Measures why a program that uses NVIDIA Warp starts slowly, and whether a change helped.
The loop: measure the command the user waits for (label "before"), explain_mechanism for what fired, edit the
program, measure (label "after"), compare, ledger_append for what was declined. Tell the user what compare
lists as not checked."""

MEASURE = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
)
"""It runs any command that it is given, which may do anything."""
COMPARE = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""It keeps the comparison."""
EXPLAIN = ToolAnnotations(read_only_hint=True, open_world_hint=False)
LEDGER = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class WarpServer(MCPServer[Any]):
    """Answers every failure with a code, a message and the next step, and refuses unknown arguments."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool. What it cannot do is an error result, never a protocol error."""
        tools = {tool.name: tool for tool in await self.list_tools()}
        try:
            if name in tools:
                refuse_unknown(name, arguments, tools[name].input_schema)
            return await super().call_tool(name, arguments, context)
        except ProbeError as error:
            return failure(error)
        except ToolError as error:
            return failure(cause_of(error, sorted(tools)))

    async def run_stdio_async(self) -> None:
        """Serve over stdio; a line that is no message is answered, too."""
        served = self._lowlevel_server
        async with checked_stdio() as (read, write):
            await served.run(read, write, served.create_initialization_options())


def build_server(runs: Runs | None = None, policy: Policy | None = None) -> MCPServer[Any]:
    """A server with its tools, resources and prompts, for stdio or for a client in memory."""
    limits = policy or Policy()
    server = WarpServer(
        "warp-mcp",
        title="Warp cold start",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=[
            make_tool(measure_tool(runs or Runs(), limits), "Measure a cold start", MEASURE),
            make_tool(compare_tool(limits), "Compare two reports", COMPARE),
            make_tool(explain_tool(limits), "Explain a mechanism", EXPLAIN),
            make_tool(ledger_tool(limits), "Record a declined option", LEDGER),
        ],
    )
    register_resources(server)
    register_prompts(server)
    return server
