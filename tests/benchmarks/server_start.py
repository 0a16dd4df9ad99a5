"""What our server costs to start, beside a bare server of the same SDK with one tool: spawn to initialize.

Servers in turn, medians of 20. The answer to `initialize` is what a client waits for.
"""

import json
import subprocess
import sys
import time
from typing import Any

from tests.benchmarks.tables import mad, median, parser, show

BARE = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("bare", version="1")


@server.tool()
def add(a: int, b: int) -> int:
    '''Add two numbers.'''
    return a + b


server.run("stdio")
"""
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
SERVERS = {"bare": [sys.executable, "-c", BARE], "warp-mcp": [sys.executable, "-m", "warp_mcp", "serve"]}


def started_ms(command: list[str]) -> float:
    """Milliseconds from the spawn of a server to its answer to `initialize`."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    took = (time.perf_counter() - begin) * 1000.0
    assert answer["id"] == 1 and "result" in answer
    process.stdin.close()
    process.wait(30)
    process.stdout.close()
    return took


def main() -> None:
    """Print the table."""
    options = parser(__doc__).parse_args()
    rounds = 3 if options.quick else 20
    for command in SERVERS.values():
        started_ms(command)
    times: dict[str, list[float]] = {name: [] for name in SERVERS}
    for _ in range(rounds):
        for name, command in SERVERS.items():
            times[name].append(started_ms(command))
    bare = median(times["bare"])
    rows: list[dict[str, Any]] = [
        {
            "server": name,
            "spawn to initialize (ms)": f"{median(values):.0f} ± {mad(values):.0f}",
            "over the bare one (ms)": round(median(values) - bare),
            "starts": rounds,
        }
        for name, values in times.items()
    ]
    show("Start of the server", rows, as_json=options.json)


if __name__ == "__main__":
    main()
