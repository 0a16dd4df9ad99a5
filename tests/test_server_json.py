"""The entry for the registry of MCP servers: what it has to be, in step with the package and the README."""

import copy
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from warp_mcp import __version__
from warp_mcp.workflows.server_variables import OF_THE_SERVER

ROOT = Path(__file__).parents[1]
ENTRY: dict[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
SCHEMAS = sorted((ROOT / "tests" / "data").glob("server*.schema.json"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def faults(schema: Path, entry: dict[str, Any]) -> list[str]:
    """What a schema has to say against an entry."""
    validator = Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(entry)]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.name)
def test_the_entry_is_valid(schema: Path) -> None:
    Draft7Validator.check_schema(json.loads(schema.read_text(encoding="utf-8")))

    assert faults(schema, ENTRY) == []


SPOILT: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no name": lambda entry: entry.pop("name"),
    "a name without a namespace": lambda entry: entry.update(name="warp-mcp"),
    "a name with two slashes": lambda entry: entry.update(name="io.github/warp/mcp"),
    "a long description": lambda entry: entry.update(description="x" * 101),
    "no version": lambda entry: entry.pop("version"),
    "the newest package": lambda entry: entry["packages"][0].update(version="latest"),
    "a package without transport": lambda entry: entry["packages"][0].pop("transport"),
    "an argument without a value": lambda entry: entry["packages"][0]["packageArguments"][0].pop("value"),
    "an unknown transport": lambda entry: entry["packages"][0].update(transport={"type": "carrier pigeon"}),
}


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.name)
@pytest.mark.parametrize("fault", SPOILT)
def test_what_a_registry_refuses_is_noticed(schema: Path, fault: str) -> None:
    entry = copy.deepcopy(ENTRY)
    SPOILT[fault](entry)

    assert faults(schema, entry) != []


def test_the_version_is_that_of_the_package_everywhere() -> None:
    (package,) = ENTRY["packages"]

    assert ENTRY["version"] == package["version"] == __version__


def test_the_package_is_the_one_that_is_published() -> None:
    (package,) = ENTRY["packages"]

    assert f'\nname = "{package["identifier"]}"\n' in PROJECT


def test_the_readme_names_the_entry_once_so_that_the_registry_can_tell_whose_it_is() -> None:
    names = re.findall(r"<!-- mcp-name: (\S+) -->", README)

    assert names == [ENTRY["name"]]


def test_the_name_is_a_reverse_domain_and_one_name() -> None:
    namespace, _, name = ENTRY["name"].partition("/")

    assert re.fullmatch(r"[a-z]+(\.[a-z0-9-]+)+", namespace)
    assert name == ENTRY["packages"][0]["identifier"]


def test_the_description_says_which_warp_is_meant() -> None:
    assert "NVIDIA Warp" in ENTRY["description"]


def test_the_arguments_start_the_server() -> None:
    words = [argument["value"] for argument in ENTRY["packages"][0]["packageArguments"]]
    command = [sys.executable, "-m", "warp_mcp", *words]

    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stdout) == (0, ""), f"{shlex.join(command)}: {result.stderr}"
    assert words == ["serve"]


def test_every_variable_that_the_server_itself_needs_is_told() -> None:
    names = {variable["name"] for variable in ENTRY["packages"][0]["environmentVariables"]}

    assert names == set(OF_THE_SERVER) - {"TEMP", "TMP"}


def test_each_variable_is_one_that_the_package_reads() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "warp_mcp").rglob("*.py") if path.is_file()
    )
    names = [variable["name"] for variable in ENTRY["packages"][0]["environmentVariables"]]

    assert names and all(f'"{name}"' in sources for name in names)
