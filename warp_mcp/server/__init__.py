"""The server: a thin door for coding agents, MCP over stdio. Computes nothing itself."""

from warp_mcp.server.app import build_server
from warp_mcp.server.stdio import serve

__all__ = ["build_server", "serve"]
