"""The README's parts of longer pages are real output: an option that is tried, a repair that is checked, a
rehearsal of CUDA.

    pytest tests/tier2/readme_transcripts.py

The demo's own transcripts are compared in the first tier.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests import transcripts
from tests.once import once

README = transcripts.README.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One real run of each on the demo's program; the parts shown."""

    def run(directory: Path) -> None:
        found = transcripts.shown(transcripts.run_check(directory / "state"))
        (directory / "found.json").write_text(json.dumps(found), encoding="utf-8")

    return json.loads((once(tmp_path_factory, "check", run) / "found.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [name for name in transcripts.NAMES if name not in transcripts.OF_DEMO])
def test_the_readmes_part_of_a_page_is_what_the_commands_print(checked: dict[str, str], name: str) -> None:
    written = transcripts.in_readme(README, name)

    assert transcripts.skeleton(written) == transcripts.skeleton(checked[name]), (
        "run: python -m tests.transcripts"
    )


def test_a_lever_and_a_repair_of_the_demo_leave_every_result_as_it_was(checked: dict[str, str]) -> None:
    assert re.search(
        r"^  enable_backward=false .* 1 of 1 .* same +identical$", checked["lever"], re.MULTILINE
    )
    assert "Identical: 20 arrays that launches wrote have the same bits on both sides." in checked["check"]
    assert max(map(len, "".join(checked.values()).splitlines())) <= 100


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU would be measured")
def test_the_demo_rehearsed_on_cuda_names_its_dearest_kernel(
    checked: dict[str, str],
) -> None:
    page = " ".join(checked["rehearsal"].split())

    assert "builds 5 CUDA binaries of 1 module" in page
    assert "Switching backward off for `wind` saves about" in page
