"""What is said of all thirteen mechanisms: of recordings, and that the table is whole.

The programs of the table are run by `tests/tier2/mechanism_table.py`, which takes minutes; the pairs of
programs in the reference are run by `tests/tier2/reference_programs.py`.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.analysis import factories
from tests.recordings import making
from tests.situations.measuring import SAMPLES
from tests.situations.mechanism_table import (
    FOLDER,
    LIBRARIES,
    PAIRS,
    RECORDED,
    RECORDED_PAIRS,
    ROWS,
    Pair,
    Row,
)
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.reading import read_recording

RECORDINGS = Path(making.__file__).parent


@pytest.mark.parametrize("row", RECORDED.values(), ids=lambda row: row.program)
def test_what_is_said_of_a_recording_is_true(row: Row, tmp_path: Path) -> None:
    recording = read_recording(str(RECORDINGS / row.program), str(tmp_path))
    assert recording.damaged == []

    (process,) = recording.processes
    assert process.exited_ms is not None
    cold = factories.run(process.exited_ms - process.started_ms, processes=[factories.seen(process.pid)])

    report = factories.report(factories.sample(process, cold=cold))

    statuses = {finding.mechanism: finding.status for finding in report.findings}
    assert statuses == row.expected, report.findings


@pytest.mark.parametrize("make", making.RUNS, ids=lambda make: make.__name__)
def test_a_made_recording_says_so_and_is_what_its_maker_writes(make: Callable[[], making.Run]) -> None:
    (record,) = (RECORDINGS / make.__name__).glob("*.jsonl")
    text = record.read_text(encoding="utf-8")

    assert json.loads(text.splitlines()[0])["made"] is True
    assert text == making.text_of(make())


@pytest.mark.parametrize(
    "pair", PAIRS + RECORDED_PAIRS, ids=lambda pair: f"{pair.fault.program}-{pair.repaired.program}"
)
def test_a_repaired_twin_clears_its_mechanism_and_adds_none(pair: Pair) -> None:
    assert pair.mechanism in pair.fault.fired
    assert pair.repaired.fired <= pair.fault.fired - {pair.mechanism}


def test_the_table_holds_every_program_and_every_mechanism() -> None:
    programs = {path.stem for path in (SAMPLES / FOLDER).glob("*.py")} - LIBRARIES

    assert programs == set(ROWS)
    assert {path.name for path in RECORDINGS.iterdir() if any(path.glob("*.jsonl"))} == set(RECORDED)
    assert len(programs) >= 30
    assert {pair.mechanism for pair in PAIRS} == set(MECHANISMS)
