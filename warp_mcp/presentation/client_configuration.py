"""How each client is told to start the server: the exact text of its configuration. Decides nothing.

Forms and places as the clients document them: Claude Code and Claude Desktop (`mcpServers`), Codex
(`mcp_servers`, TOML), VS Code (`servers`, with `type`), Cursor (`mcpServers`, with `type`).
"""

import json
from collections.abc import Mapping, Sequence
from shlex import join

from warp_mcp.models.diagnosis import ClientConfiguration, ServeOption

NAME = "warp-mcp"
"""What the server is called in every client."""

CODEX_TOOL_TIMEOUT_S = 1800
"""Half an hour: without it Codex stops waiting for a call after some minutes."""


def client_configurations(command: Sequence[str], env: Mapping[str, str]) -> list[ClientConfiguration]:
    """One or two for each client. `command` are absolute words; `env` is what the server itself needs."""
    words = [*command, "serve"]
    return [
        ClientConfiguration(
            client="claude-code",
            title="Claude Code",
            place=".mcp.json in the project",
            language="json",
            text=_json("mcpServers", words, env, typed=True),
        ),
        ClientConfiguration(
            client="claude-code",
            title="Claude Code",
            place="or this command, for you alone",
            language="sh",
            text=join(["claude", "mcp", "add", *_options(env), NAME, "--", *words]),
        ),
        ClientConfiguration(
            client="claude-desktop",
            title="Claude Desktop",
            place="claude_desktop_config.json (Settings, Developer, Edit Config)",
            language="json",
            text=_json("mcpServers", words, env, typed=False),
        ),
        ClientConfiguration(
            client="codex",
            title="Codex",
            place="~/.codex/config.toml",
            language="toml",
            text=_toml(words, env),
        ),
        ClientConfiguration(
            client="vscode",
            title="VS Code",
            place=".vscode/mcp.json in the project",
            language="json",
            text=_json("servers", words, env, typed=True),
        ),
        ClientConfiguration(
            client="cursor",
            title="Cursor",
            place=".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
            language="json",
            text=_json("mcpServers", words, env, typed=True),
        ),
        ClientConfiguration(
            client="python",
            title="Python",
            place="a client of your own; needs the package mcp",
            language="python",
            text=_python(words, env),
        ),
    ]


def serve_options(directory: str) -> list[ServeOption]:
    """What limits a server; `directory` stands for the project in the examples."""
    return [
        ServeOption(
            option="--allow-root DIR",
            example=["--allow-root", directory],
            meaning="directories to run in, reports and ledgers must lie inside DIR",
        ),
        ServeOption(
            option="--allow-command GLOB",
            example=["--allow-command", f"{directory.rstrip('/')}/.venv/bin/python*"],
            meaning="only executables whose resolved path matches GLOB are run",
        ),
        ServeOption(
            option="--no-measure",
            example=["--no-measure"],
            meaning="nothing is run; kept reports can still be compared and explained",
        ),
    ]


def _options(env: Mapping[str, str]) -> list[str]:
    """`--env` takes every word up to the next option, so another one stands between it and the name."""
    variables = [word for name, value in env.items() for word in ("--env", f"{name}={value}")]
    return [*variables, "--transport", "stdio"]


def _json(key: str, words: Sequence[str], env: Mapping[str, str], *, typed: bool) -> str:
    server: dict[str, object] = {"type": "stdio"} if typed else {}
    server |= {"command": words[0], "args": _ARGS}
    if env:
        server["env"] = dict(env)
    text = json.dumps({key: {NAME: server}}, indent=2, ensure_ascii=False)
    return text.replace(f'"{_ARGS}"', _quoted(list(words[1:])))


_ARGS = "@args@"
"""Stands for the list, which would be spread over several lines."""


def _quoted(value: object) -> str:
    """As JSON; for a text or a list of texts that is TOML and Python too."""
    return json.dumps(value, ensure_ascii=False)


def _toml(words: Sequence[str], env: Mapping[str, str]) -> str:
    lines = [
        f"[mcp_servers.{NAME}]",
        f"command = {_quoted(words[0])}",
        f"args = {_quoted(list(words[1:]))}",
        f"tool_timeout_sec = {CODEX_TOOL_TIMEOUT_S}",
    ]
    if env:
        lines += ["", f"[mcp_servers.{NAME}.env]"]
        lines += [f"{name} = {_quoted(value)}" for name, value in env.items()]
    return "\n".join(lines)


def _python(words: Sequence[str], env: Mapping[str, str]) -> str:
    more = "".join(f"\n        {_quoted(name)}: {_quoted(value)}," for name, value in env.items())
    variables = f"\n        **os.environ,{more}\n    " if more else "**os.environ"
    return f"""import os

import anyio
from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(
    command={_quoted(words[0])},
    args={_quoted(list(words[1:]))},
    env={{{variables}}},
)


async def main() -> None:
    async with Client(SERVER) as client:
        print([tool.name for tool in (await client.list_tools()).tools])


anyio.run(main)"""
