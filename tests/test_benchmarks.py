"""The benchmark of what repairs save: its programs, its arithmetic and its table. Measures nothing."""

from typing import Any

import pytest

from tests.benchmarks import calibration
from tests.benchmarks.measuring import SAMPLES
from tests.benchmarks.mechanism_savings import PAIRS
from tests.benchmarks.savings_table import (
    BEGIN,
    END,
    SECOND_START,
    WAIT,
    WORK,
    Basis,
    Pair,
    Savings,
    markdown,
    row,
    with_rows,
    with_table,
)
from warp_mcp.analysis import thresholds
from warp_mcp.models.mechanism import MECHANISMS

ENVIRONMENT = {"cpu": "A processor", "cores": 2, "warp": "1.19.0"}


def report(work: float, *, cost: float | None = None, **metrics: float) -> dict[str, Any]:
    values = {"cold_module_ms": work, "compile_elapsed_ms": work + 10.0, **metrics}
    return {
        "environment": ENVIRONMENT,
        "metrics": {name: {"median": value} for name, value in values.items()},
        "findings": [
            {"mechanism": "CS-4", "cost_ms": 7777.0},
            {"mechanism": "CS-9", "cost_ms": cost},
        ],
    }


def savings(
    faults: list[dict[str, Any]], repairs: list[dict[str, Any]], basis: Basis = WORK
) -> dict[str, Any]:
    return row(Savings(Pair("CS-9", "fault", "repaired", "a change", basis), faults, repairs))


def test_all_thirteen_mechanisms_are_measured_on_programs_that_exist() -> None:
    assert {pair.mechanism for pair in PAIRS} == set(MECHANISMS)
    for pair in PAIRS:
        for name in (pair.fault, pair.repaired):
            first = (SAMPLES / pair.folder / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]
            assert pair.mechanism in first, name


def test_a_repaired_program_is_another_one_than_the_faulty() -> None:
    assert all(pair.fault != pair.repaired for pair in PAIRS)
    assert len({pair.change for pair in PAIRS}) == len(PAIRS)


def test_the_saving_is_the_median_of_the_differences_of_neighbours() -> None:
    told = savings(
        [report(1000, cost=380), report(2000, cost=400), report(1100, cost=420)],
        [report(600), report(1000), report(690)],
    )

    assert told["work before → after"] == "1100 ± 100 → 690 ± 90"
    assert told["real saving"] == "410 ± 10 of work"
    assert (told["estimate"], told["estimate ÷ saving"], told["samples"]) == ("400", "0.98", 3)
    assert (told["machine"], told["Warp"]) == ("A processor, 2 cores", "1.19.0")


def test_a_saving_within_the_noise_has_no_ratio() -> None:
    told = savings(
        [report(1000, cost=300), report(1000, cost=300), report(1000, cost=300)],
        [report(990), report(900), report(1100)],
    )

    assert told["estimate ÷ saving"] == "no saving beyond the noise"


def test_a_finding_without_a_cost_has_no_estimate() -> None:
    told = savings([report(1000)], [report(500)])

    assert (told["estimate"], told["estimate ÷ saving"]) == ("none", "none")


def test_the_wait_is_judged_where_builds_overlap_and_the_second_start_where_the_cache_is_lost() -> None:
    waiting = savings([report(900, cost=1)], [report(400, compile_elapsed_ms=900.0)], WAIT)
    again = savings(
        [report(900, cost=1, warm_module_ms=800.0, warm_wall_ms=1500.0)],
        [report(900, warm_module_ms=5.0, warm_wall_ms=700.0)],
        SECOND_START,
    )

    assert waiting["real saving"] == "10 of wait"
    assert (again["wait before → after"], again["real saving"]) == ("1500 → 700", "795 of work")


def test_what_a_report_cannot_tell_is_said() -> None:
    faulty = report(900, cost=1)
    del faulty["metrics"]["compile_elapsed_ms"]
    told = savings([faulty], [report(400)], WAIT)

    assert (told["wait before → after"], told["real saving"]) == ("not told", "not told")


def test_the_table_goes_between_its_markers_and_nowhere_else() -> None:
    table = markdown([savings([report(1000, cost=500)], [report(500)])])
    document = f"# Title\n\n{BEGIN}\nold | table\n{END}\n\nThe end.\n"

    written = with_table(document, table)

    assert written == f"# Title\n\n{BEGIN}\n\n{table}\n\n{END}\n\nThe end.\n"
    assert with_table(written, table) == written
    assert "| CS-9 | A processor, 2 cores | 1.19.0 | a change | 1000 → 500 |" in table
    assert "old" not in written


def test_a_row_can_be_measured_anew_and_the_others_stay() -> None:
    def rows(work: float) -> list[dict[str, Any]]:
        pairs = [Pair("CS-12", "fault", "repaired", change) for change in ("header off", "header on")]
        return [row(Savings(pair, [report(work)], [report(500)])) for pair in pairs]

    document = with_table(f"Before.\n{BEGIN}\n{END}\nAfter.\n", markdown(rows(1000)))
    new = rows(3000)[1]

    written = with_rows(document, [new])

    changed = [
        pair for pair in zip(document.splitlines(), written.splitlines(), strict=True) if len({*pair}) > 1
    ]
    ((old, now),) = changed
    assert "header on | 1000 → 500" in old and "header on | 3000 → 500" in now
    with pytest.raises(ValueError, match="0 rows of CS-12: another"):
        with_rows(document, [{**new, "what was changed": "another"}])


@pytest.mark.parametrize(
    "document",
    [
        "no markers",
        f"only {BEGIN}",
        f"{END} before {BEGIN}",
        f"{BEGIN} {BEGIN} {END}",
        f"{BEGIN} {END} {END}",
    ],
)
def test_a_document_without_a_clear_place_is_refused(document: str) -> None:
    with pytest.raises(ValueError, match="the document needs"):
        with_table(document, "table")


def module(native: float, source: int = 0, adjoint: int = 0, header: float | None = None) -> dict[str, Any]:
    phases = {"native_compile_ms": {"ms": native, "cpu_ms": native}}
    if header is not None:
        phases["header_ms"] = {"ms": header, "cpu_ms": header}
    return {"phases": phases, "source_bytes": source, "adjoint_bytes": adjoint}


def made_round() -> calibration.Round:
    """As if the header took 1000 ms, an empty module 100 with and 800 without it, and a shaped one 300."""
    empty = {name: module(100) for name in calibration.EMPTY}
    shaped = {name: module(300) for name in calibration.SHAPED}
    both = {name: module(500, source=3000, adjoint=1000) for name in calibration.SHAPED}
    return {
        "forward": calibration.Build({**empty, **shaped, "first": module(100, header=1000.0)}),
        "backward": calibration.Build({**empty, **both}),
        "without": calibration.Build({name: module(800) for name in calibration.EMPTY}),
        "cuda": calibration.Build({**empty, **shaped}),
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FLOOR_OF_HEADER", 0.1),
        ("PARSING_OF_HEADER", 0.7),
        ("HEADER_OF_PARSING", 1.25),
        ("LOADING_OF_PARSING", 0.125),
        ("ADJOINT_WEIGHT", 2.0),
        ("FLOOR_OF_CUDA", 1 / 3),
    ],
)
def test_each_constant_is_the_ratio_that_its_estimate_uses(name: str, value: float) -> None:
    assert list(calibration.MEASURES[name](made_round(), "ms"))[0] == pytest.approx(value)
    assert isinstance(getattr(thresholds, name), float)


def test_constants_are_shown_beside_those_of_the_code() -> None:
    told = {one["constant"]: one for one in calibration.rows([made_round(), made_round()])}

    assert set(told) == set(calibration.MEASURES)
    assert told["FLOOR_OF_HEADER"]["in the code"] == thresholds.FLOOR_OF_HEADER
    assert told["FLOOR_OF_HEADER"]["by wall time"].startswith("0.1 ± 0 ")
    assert told["ADJOINT_WEIGHT"]["values"] == 2 * len(calibration.SHAPED)
