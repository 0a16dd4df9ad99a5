"""The table of options against the Warp that is installed, asked in an interpreter of its own."""

import json
import subprocess
import sys

import pytest

from warp_mcp.models.lever_options import NO_LEVERS, OPTIONS

ASK = """
import json, warp, warp.config as config
names = [name for name in vars(config) if not name.startswith("_") and name.islower()]
values = {name: type(getattr(config, name)).__name__ for name in names}
print(json.dumps({"config": values, "module": {name: "" for name in warp.Module("m", None).options}}))
"""


@pytest.fixture(scope="module")
def warp() -> dict[str, dict[str, str]]:
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_every_option_of_this_warp_is_a_lever_or_none_for_a_reason(warp: dict[str, dict[str, str]]) -> None:
    values = {"bool", "int", "str", "NoneType", "DeterministicMode", "LaunchArrayAccessMode"}
    options = {name for name, kind in warp["config"].items() if kind in values}
    assert "enable_backward" in options
    assert (options | warp["module"].keys()) - OPTIONS.keys() - NO_LEVERS.keys() == set()


def test_every_option_is_where_the_table_says(warp: dict[str, dict[str, str]]) -> None:
    for name, option in OPTIONS.items():
        places = {"process": (True, False), "module": (False, True), "both": (True, True)}
        assert (name in warp["config"], name in warp["module"]) == places[option.place], name
