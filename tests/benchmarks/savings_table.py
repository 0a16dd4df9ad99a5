"""The table of what repairs save: from the reports of faulty and repaired programs to Markdown in a document.

Measures nothing and reads no file; which programs there are stands in `mechanism_savings.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.benchmarks.tables import machine, mad, median

BEGIN, END = "<!-- mechanism-savings -->", "<!-- /mechanism-savings -->"


class Basis(NamedTuple):
    """The metrics of the report in which a repair shows: work and wait."""

    work: str
    wait: str
    judged: str
    """The one of the two that the real saving is a difference of."""


WORK = Basis("cold_module_ms", "compile_elapsed_ms", "cold_module_ms")
WAIT = WORK._replace(judged="compile_elapsed_ms")
REHEARSED = WORK._replace(wait="build_wait_ms")
"""A rehearsal has no wall times: its wait is the time in which anything was built."""
REHEARSED_WAIT = REHEARSED._replace(judged="build_wait_ms")
SECOND_START = Basis("warm_module_ms", "warm_wall_ms", "warm_module_ms")


@dataclass(frozen=True)
class Pair:
    """A faulty program and its repaired twin, by their names in the samples' folder."""

    mechanism: str
    fault: str
    repaired: str
    change: str
    basis: Basis = WORK

    @property
    def rehearsed(self) -> bool:
        """Whether it needs CUDA, and is rehearsed."""
        return self.basis in (REHEARSED, REHEARSED_WAIT)

    @property
    def folder(self) -> str:
        """Where in `samples` the two are."""
        return "cuda_mechanisms" if self.rehearsed else "mechanisms"


Reports = list[dict[str, Any]]
"""Report JSONs of one program, one sample each, in the order in which they were made."""


@dataclass(frozen=True)
class Savings:
    """The reports of one pair: the n-th of one side was made right beside the n-th of the other."""

    pair: Pair
    faults: Reports
    repairs: Reports


def row(savings: Savings) -> dict[str, Any]:
    """One pair as a row. Times in milliseconds, as median ± MAD."""
    pair = savings.pair
    saved = _differences(savings)
    estimate = _estimate(savings)
    environment = savings.faults[0]["environment"]
    return {
        "mechanism": pair.mechanism,
        "machine": f"{environment['cpu']}, {environment['cores']} cores",
        "Warp": environment["warp"],
        "what was changed": pair.change,
        "work before → after": _change(savings, pair.basis.work),
        "wait before → after": _change(savings, pair.basis.wait),
        "real saving": f"{_spread(saved)} of {_kind(pair.basis)}" if saved else "not told",
        "estimate": "none" if estimate is None else f"{estimate:.0f}",
        "estimate ÷ saving": _ratio(estimate, saved),
        "samples": len(savings.faults),
    }


def _values(reports: Reports, metric: str) -> list[float]:
    """A metric of each report; a report that cannot tell it is left out."""
    return [report["metrics"][metric]["median"] for report in reports if metric in report["metrics"]]


def _change(savings: Savings, metric: str) -> str:
    before, after = _values(savings.faults, metric), _values(savings.repairs, metric)
    return f"{_spread(before)} → {_spread(after)}" if before and after else "not told"


def _differences(savings: Savings) -> list[float]:
    """What the repair saved, of each pair of neighbours that tells it."""
    name = savings.pair.basis.judged
    return [
        before["metrics"][name]["median"] - after["metrics"][name]["median"]
        for before, after in zip(savings.faults, savings.repairs, strict=True)
        if name in before["metrics"] and name in after["metrics"]
    ]


def _estimate(savings: Savings) -> float | None:
    """Median cost of the finding on the faulty program, where it fired with one."""
    findings = [
        finding
        for report in savings.faults
        for finding in report["findings"]
        if finding["mechanism"] == savings.pair.mechanism
    ]
    costs = [finding["cost_ms"] for finding in findings if finding["cost_ms"] is not None]
    return median(costs) if costs else None


def _ratio(estimate: float | None, saved: Sequence[float]) -> str:
    """No ratio to a saving that the noise could have made: the same bound as the report's noise band."""
    if estimate is None or not saved:
        return "none"
    if median(saved) <= 2 * mad(saved) or median(saved) <= 0:
        return "no saving beyond the noise"
    return f"{estimate / median(saved):.2f}"


def _kind(basis: Basis) -> str:
    return "work" if basis.judged == basis.work else "wait"


def _spread(values: Sequence[float]) -> str:
    return f"{median(values):.0f} ± {mad(values):.0f}" if len(values) > 1 else f"{values[0]:.0f}"


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """The table as it stands in the document, with how it was made."""
    names = list(rows[0])
    lines = [
        f"Made by `python -m tests.benchmarks.mechanism_savings` on: {machine()}.",
        "Programs of `tests/samples`, the faulty and the repaired one in turn. Milliseconds, median ± MAD",
        "over the samples; the saving is the median difference of neighbours. “CUDA, rehearsed”: a program",
        "that needs CUDA, built for sm_90 without a GPU; its wait is the time with builds under way.",
        "",
        "| " + " | ".join(names) + " |",
        "|" + "---|" * len(names),
        *("| " + " | ".join(str(one[name]) for name in names) + " |" for one in rows),
    ]
    return "\n".join(lines)


def with_rows(document: str, rows: Sequence[dict[str, Any]]) -> str:
    """The document with these rows in the place of those of the same change; all others stay as they are.

    Raises ValueError unless the table is there with the same columns and has each row exactly once.
    """
    _, begin, rest = document.partition(BEGIN)
    table, end, _ = rest.partition(END)
    lines = table.strip().splitlines()
    head = "| " + " | ".join(rows[0]) + " |"
    if not begin or not end or head not in lines:
        raise ValueError("the document has no table of these columns")
    for one in rows:
        key = (str(one["mechanism"]), str(one["what was changed"]))
        places = [number for number, line in enumerate(lines) if _key(line) == key]
        if len(places) != 1:
            raise ValueError(f"the table has {len(places)} rows of {key[0]}: {key[1]}")
        lines[places[0]] = "| " + " | ".join(map(str, one.values())) + " |"
    return with_table(document, "\n".join(lines))


def _key(line: str) -> tuple[str, str]:
    """Mechanism and change of a row; what is no row has none."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    return (cells[0], cells[3]) if len(cells) > 3 else ("", "")


def with_table(document: str, table: str) -> str:
    """The document with the table between its two markers, all else untouched.

    Raises ValueError unless each marker stands there exactly once, in order.
    """
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in before + after:
        raise ValueError(f"the document needs {BEGIN} and after it {END}, each once")
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"
