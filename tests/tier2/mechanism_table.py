"""Every program of `samples/mechanisms`: what is said of all thirteen mechanisms, fault and repaired twin.

pytest tests/tier2/mechanism_table.py
"""

from pathlib import Path

import pytest

from tests.situations.measuring import Probe, marked, python
from tests.situations.mechanism_table import FOLDER, INTENDED, ROWS, Row
from warp_mcp.models.finding import MECHANISMS


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(tmp_path)


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.program)
def test_what_is_said_of_all_thirteen_mechanisms_is_true(row: Row, probe: Probe) -> None:
    measured = probe.measure(*python(f"{FOLDER}/{row.program}"))

    assert (measured.sample["outcome"], measured.sample["exit_code"]) == ("completed", 0), measured.text
    statuses = {finding["mechanism"]: finding["status"] for finding in measured.report["findings"]}
    wrong = {name: measured.finding(name) for name in MECHANISMS if statuses[name] != row.expected[name]}
    assert not wrong, f"{wrong}\nmetrics {measured.report['metrics']}"
    if row.line is not None:
        finding = measured.finding(INTENDED[row.program])
        assert marked(f"{FOLDER}/{row.program}", row.line) in str(finding["evidence"]["where"]), finding
