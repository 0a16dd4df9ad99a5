"""The inspector of the protocol's makers, a client in another language: it lists the tools and calls one.

    pytest tests/tier2/inspector.py

Needs Node and the npm registry; without them every test says why it is skipped. `WARP_MCP_TIER2_VENVS` names
a directory to keep the inspector in, as it does for environments.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from tests.factories import a_report
from tests.tier2.environments import directory
from warp_mcp import storage

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
TOOLS = {"measure", "compare", "explain_mechanism", "ledger_append"}
IS_ERROR = 5
"""What the inspector leaves with when a tool answers with an error result."""

Inspect = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The inspector, installed where nothing else is."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("Node is not here")
    place = directory(tmp_path_factory) / "inspector"
    place.mkdir(parents=True, exist_ok=True)
    program = place / "node_modules" / ".bin" / "mcp-inspector"
    with FileLock(place.with_suffix(".lock")):
        if not program.exists():
            install = [npm, "install", "--no-fund", "--no-audit", "--prefix", str(place), PACKAGE]
            result = subprocess.run(install, capture_output=True, text=True, check=False)
            if result.returncode != 0:
                pytest.skip(f"npm could not install {PACKAGE}: {result.stderr[-300:]}")
    return str(program)


@pytest.fixture
def inspect(inspector: str, own_state_dir: Path, tmp_path: Path) -> Inspect:
    """Runs the inspector's command line against this server."""
    server = [os.path.join(os.path.dirname(sys.executable), "warp-mcp"), "serve"]
    # It keeps a catalogue of servers in the home directory.
    env = {**os.environ, "HOME": str(tmp_path)}

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [inspector, "--cli", "-e", f"WARP_MCP_STATE_DIR={own_state_dir}", *server, *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    return run


def test_it_lists_the_tools_and_finds_no_schema_that_other_clients_could_not_read(inspect: Inspect) -> None:
    result = inspect("--method", "tools/list", "--strict")

    assert result.returncode == 0, result.stderr
    assert {tool["name"] for tool in json.loads(result.stdout)["tools"]} == TOOLS


def test_it_calls_a_tool_whose_answer_keeps_to_the_schema(inspect: Inspect) -> None:
    storage.save_report(a_report())
    arguments = ("--tool-arg", "baseline=before", "candidate=latest")

    result = inspect("--method", "tools/call", "--tool-name", "compare", *arguments)

    assert result.returncode == 0, result.stdout + result.stderr
    answer = json.loads(result.stdout)
    assert answer["structuredContent"]["verdict"] == "inconclusive"


def test_an_error_reaches_it_as_an_error_result_with_the_next_step(inspect: Inspect) -> None:
    arguments = ("--tool-arg", "baseline=before", "candidate=latest")

    result = inspect("--method", "tools/call", "--tool-name", "compare", *arguments)

    assert result.returncode == IS_ERROR, result.stdout + result.stderr
    assert "No report is kept yet" in result.stdout


def test_it_reads_a_resource_and_gets_a_prompt(inspect: Inspect) -> None:
    resources = inspect("--method", "resources/list")
    prompts = inspect("--method", "prompts/list")

    assert resources.returncode == prompts.returncode == 0, resources.stderr + prompts.stderr
    uris = {resource["uri"] for resource in json.loads(resources.stdout)["resources"]}
    assert "warp-compile://references/measurement" in uris
    assert {"diagnose", "report"} <= {prompt["name"] for prompt in json.loads(prompts.stdout)["prompts"]}
    read = inspect("--method", "resources/read", "--uri", "warp-compile://references/measurement")
    assert read.returncode == 0 and "#" in read.stdout
