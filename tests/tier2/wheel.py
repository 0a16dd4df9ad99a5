"""The wheel, built and installed into an empty environment, holds everything and serves it.

pytest tests/tier2/wheel.py
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from warp_mcp import __version__
from warp_mcp.models.mechanism import CATALOGUE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`bin` of an environment with nothing but the wheel and what it needs."""
    root = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(root), str(ROOT)], check=True)
    (wheel,) = root.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(root / "venv")], check=True)
    own = root / "venv" / "bin"
    subprocess.run(
        [str(own / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", str(wheel)],
        check=True,
    )
    return own


def run(installed: Path, directory: Path, *arguments: str) -> str:
    """What the installed command line prints, far from the checkout."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(directory), "WARP_MCP_STATE_DIR": str(directory / "state")}
    return subprocess.run(
        [str(installed / "warp-mcp"), *arguments],
        cwd=directory,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_it_says_its_version(installed: Path, tmp_path: Path) -> None:
    assert __version__ in run(installed, tmp_path, "--version")


@pytest.mark.parametrize("one", CATALOGUE, ids=lambda one: one.label)
def test_it_explains_every_mechanism_without_the_checkout(
    installed: Path, tmp_path: Path, one: object
) -> None:
    assert "What it is" in run(installed, tmp_path, "explain", one.label)


def test_it_measures(installed: Path, tmp_path: Path) -> None:
    sample = ROOT / "tests" / "samples" / "adds_kernel_after_load.py"
    python = str(installed / "python")

    text = run(installed, tmp_path, "measure", "--samples", "1", "--json", "-", "--", python, str(sample))

    assert [
        finding["status"] for finding in json.loads(text)["findings"] if finding["mechanism"] == "CS-1"
    ] == ["fired"]


def test_its_server_serves_the_references(installed: Path, tmp_path: Path) -> None:
    async def session() -> list[str]:
        env = {"WARP_MCP_STATE_DIR": str(tmp_path), "PATH": os.environ["PATH"]}
        server = StdioServerParameters(command=str(installed / "warp-mcp"), args=["serve"], env=env)
        async with Client(server) as client:
            found = await client.read_resource("warp-compile://references/mechanisms/CS-5")
            return [part.text for part in found.contents]

    (text,) = anyio.run(session)
    assert "The fix, least invasive first" in text
