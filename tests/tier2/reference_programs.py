"""Every program in the reference on the mechanisms: of a pair the first alone shows the signal.

pytest tests/tier2/reference_programs.py
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mechanisms_document import OTHER_PROGRAMS, PAIRS, Pair
from tests.situations.measuring import Measured, Probe
from warp_mcp.models.mechanism import MECHANISMS

# --- what a report shows of each mechanism, beside the finding on it ---------------------------------


def caused(*kinds: str) -> Callable[[Measured], bool]:
    return lambda measured: any(cause["kind"] in kinds for cause in measured.causes())


def one_kernel_modules(measured: Measured, *, unique: bool) -> int:
    return sum(
        module["kernel_count"] == 1 and (module["made"] == "unique") == unique
        for module in measured.modules()
    )


def at_several_block_dims(measured: Measured) -> bool:
    dims: dict[str, set[int]] = {}
    for module in measured.modules():
        dims.setdefault(module["name"], set()).add(module["block_dim"])
    return any(len(found) > 1 for found in dims.values())


def peak(measured: Measured) -> int:
    return measured.sample["peak_builds"]


def against_the_header(measured: Measured) -> bool:
    """A header for a single CPU module, or none for several."""
    return (measured.report["structure"]["header_builds"] > 0) == (measured.builds() == 1)


SIGNALS: dict[str, Callable[[Measured], bool]] = {
    "CS-1": caused("kernel_added", "kernel_redefined"),
    "CS-2": lambda measured: bool(measured.report["structure"]["warm_compiled"]),
    "CS-3": caused("option_changed"),
    "CS-4": lambda measured: one_kernel_modules(measured, unique=False) > 1,
    "CS-5": at_several_block_dims,
    "CS-6": caused("overload_added"),
    "CS-7": lambda measured: measured.report["structure"]["lto_artifacts"] > 0,
    "CS-8": lambda measured: peak(measured) > 1,
    "CS-9": lambda measured: one_kernel_modules(measured, unique=True) > 1,
    "CS-10": lambda measured: any(module["adjoint_bytes"] for module in measured.modules()),
    "CS-11": lambda measured: any(module["unrolled_bytes"] for module in measured.modules()),
    "CS-12": against_the_header,
    "CS-13": lambda measured: measured.builds() > 1 and peak(measured) == 1,
}


def measured(root: Path, code: str) -> Measured:
    """What the probe reports of a program of the document, run under one name for either side."""
    root.mkdir()
    (root / "program.py").write_text(code, encoding="utf-8")
    found = Probe(root).measure(sys.executable, "program.py", cwd=root)
    assert found.sample["outcome"] == "completed", found.text
    return found


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{n}-{pair.mechanism}" for n, pair in enumerate(PAIRS)])
def test_the_first_program_of_a_pair_shows_the_signal_and_the_second_does_not(
    pair: Pair, tmp_path: Path
) -> None:
    before, after = measured(tmp_path / "before", pair.before), measured(tmp_path / "after", pair.after)

    assert before.finding(pair.mechanism)["status"] == "fired"
    assert after.finding(pair.mechanism)["status"] == "ruled_out"
    assert (SIGNALS[pair.mechanism](before), SIGNALS[pair.mechanism](after)) == (True, False)
    assert before.launches["sequence_sha256"] == after.launches["sequence_sha256"]


@pytest.mark.parametrize("code", OTHER_PROGRAMS, ids=range(len(OTHER_PROGRAMS)))
def test_every_other_program_runs_to_its_end(code: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(code, encoding="utf-8")

    process = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "WARP_CACHE_PATH": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )

    assert process.returncode == 0, process.stderr


def test_there_is_a_signal_for_every_mechanism() -> None:
    assert list(SIGNALS) == list(MECHANISMS)
