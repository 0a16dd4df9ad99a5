"""Modules of a rehearsal, built ahead by one and by two threads, for real.

pytest tests/tier2/rehearsed_workers.py
"""

import shutil
from pathlib import Path

import pytest

from tests.situations.measuring import Probe, python

pytestmark = pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU would be measured")
ASKED = ("--rehearse-cuda", "sm_90", "--rehearse-workers", "2", "--no-compile-trace")


def test_the_same_variants_are_built_ahead_by_each_number_of_workers(tmp_path: Path) -> None:
    command = python("cuda_mechanisms/builds_stages_one_after_the_other")

    measured = Probe(tmp_path).measure(*command, options=ASKED)

    told = measured.report["rehearsal"]
    assert [one["workers"] for one in told["workers"]] == [1, 2]
    assert [one["peak_builds"] for one in told["workers"]] == [1, 2]
    assert {(one["builds"], one["duplicates"]) for one in told["workers"]} == {
        (told["structure"]["builds"], 0)
    }
    assert all(0 < one["wait_ms"] <= one["work_ms"] + 0.01 for one in told["workers"])
    (ahead,) = [one for one in told["findings"] if one["mechanism"] == "CS-13"]
    waits = {str(one["workers"]): round(one["wait_ms"], 1) for one in told["workers"]}
    assert ahead["status"] in ("fired", "ruled_out") and ahead["evidence"]["wait_by_workers_ms"] == waits
    assert "built ahead by 2 threads" in ahead["title"]
    assert "sm_90 rehearsed, built ahead by 2 workers" in measured.process.stderr
