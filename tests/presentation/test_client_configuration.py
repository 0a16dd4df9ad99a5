"""Every configuration can be read by the client it is for, and starts this server."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import anyio
import pytest
from mcp import Client, StdioServerParameters

from warp_mcp.models.diagnosis import ClientConfiguration, ClientName
from warp_mcp.presentation.client_configuration import client_configurations, serve_options

AWKWARD = ['/opt/my tools/wärp "quoted"/warp-mcp']
ENV = {"WARP_MCP_STATE_DIR": '/data/rep\\orts "x" $HOME'}
COMMAND = [sys.executable, "-m", "warp_mcp"]
SERVERS_KEY = {
    "claude-code": "mcpServers",
    "claude-desktop": "mcpServers",
    "vscode": "servers",
    "cursor": "mcpServers",
}


def one(client: str, language: str, command: list[str], env: dict[str, str]) -> str:
    """The text for one client."""
    (found,) = (
        each
        for each in client_configurations(command, env)
        if (each.client, each.language) == (client, language)
    )
    return found.text


def json_server(client: str, command: list[str], env: dict[str, str]) -> dict[str, Any]:
    value = json.loads(one(client, "json", command, env))
    assert list(value) == [SERVERS_KEY[client]]
    return value[SERVERS_KEY[client]]["warp-mcp"]


def test_every_client_has_a_configuration() -> None:
    found: list[ClientConfiguration] = client_configurations(COMMAND, {})

    assert {each.client for each in found} == set(get_args(ClientName))
    assert all(each.title and each.place for each in found)


@pytest.mark.parametrize("client", SERVERS_KEY)
def test_json_holds_the_exact_words_and_variables(client: str) -> None:
    server = json_server(client, AWKWARD, ENV)

    assert server["command"] == AWKWARD[0]
    assert server["args"] == ["serve"]
    assert server["env"] == ENV
    assert server.get("type") == (None if client == "claude-desktop" else "stdio")
    assert "env" not in json_server(client, AWKWARD, {})


def test_every_configuration_carries_every_variable() -> None:
    env = {**ENV, "TMPDIR": "/big/tmp", "WARP_MCP_WAIT_S": "120"}

    for each in client_configurations(COMMAND, env):
        assert all(name in each.text for name in env), each.title
        assert "/big/tmp" in each.text and "120" in each.text


def test_toml_holds_the_exact_words_and_variables() -> None:
    tomllib = pytest.importorskip("tomllib")

    (server,) = tomllib.loads(one("codex", "toml", AWKWARD, ENV))["mcp_servers"].values()

    assert server == {
        "command": AWKWARD[0],
        "args": ["serve"],
        "tool_timeout_sec": 1800,
        "env": ENV,
    }


def test_the_shell_command_has_its_own_options_before_the_two_dashes() -> None:
    words = shlex.split(one("claude-code", "sh", AWKWARD, ENV))
    dashes = words.index("--")

    assert words[:3] == ["claude", "mcp", "add"]
    assert words[dashes - 1] == "warp-mcp"
    assert words[dashes + 1 :] == [*AWKWARD, "serve"]
    # `--env` takes every word up to the next option.
    variable = words.index("--env") + 1
    assert words[variable] == f"WARP_MCP_STATE_DIR={ENV['WARP_MCP_STATE_DIR']}"
    assert words[variable + 1].startswith("--")


def test_what_a_client_reads_starts_a_server_that_answers() -> None:
    server = json_server("cursor", COMMAND, {"WARP_MCP_STATE_DIR": os.environ["WARP_MCP_STATE_DIR"]})

    async def session() -> list[str]:
        parameters = StdioServerParameters(command=server["command"], args=server["args"], env=server["env"])
        async with Client(parameters) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert {"measure", "compare"} <= set(anyio.run(session))


def test_the_python_client_runs_as_it_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "client.py"
    path.write_text(one("python", "python", COMMAND, {"SOME_VARIABLE": 'a "b" \\c'}), encoding="utf-8")

    result = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)

    assert "'measure'" in result.stdout and "'compare'" in result.stdout


def test_the_options_that_limit_a_server_are_those_it_has() -> None:
    result = subprocess.run([*COMMAND, "serve", "--help"], capture_output=True, text=True, check=True)

    options = serve_options("/home/me/project")

    assert len(options) == 3
    assert all(option.example[0] in result.stdout for option in options)
    assert all(option.option.split()[0] == option.example[0] for option in options)
