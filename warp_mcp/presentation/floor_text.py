"""What one more one-kernel module costs, and what that says of splitting and merging, in sentences."""

from warp_mcp.models.floor import Floor, FloorUse
from warp_mcp.models.metric import Metric
from warp_mcp.models.report import Report
from warp_mcp.presentation.numbers import duration, joined, plural

PARTS = {2: "two", 3: "three", 4: "four"}
MOST_OPTIONS = 4
BUSY_SHOWN = 0.5
"""Cores kept busy by others that are told."""


def floor_sentences(report: Report) -> list[str]:
    """What it costs, then what a split of the dominant module and a merge can save; nothing unmeasured."""
    if report.floor is None:
        return []
    use = report.floor_use
    return [_cost(report.floor), *(_uses(use) if use else [])]


def _cost(floor: Floor) -> str:
    options = [f"`{name}={value}`" for name, value in floor.options.items() if len(value) <= 40]
    given = f" ({joined(options, MOST_OPTIONS)})" if options else ""
    return (
        f"One more one-kernel module with these options{given} costs {duration(floor.further_ms.median)} "
        f"here, on {floor.device} ({_spread(floor.further_ms)}{_busy(floor)}); the first of a process "
        f"{duration(floor.first_ms.median)}."
    )


def _busy(floor: Floor) -> str:
    """That others used the machine meanwhile, so that the figures are too high."""
    if floor.foreign_load < BUSY_SHOWN:
        return ""
    return f", while other programs kept {floor.foreign_load:.1f} cores busy"


def _spread(metric: Metric) -> str:
    return f"median of {len(metric.values)}, MAD {duration(metric.mad)}"


def _uses(use: FloorUse) -> list[str]:
    parts = PARTS.get(use.parts, str(use.parts))
    if use.split_saves_at_most_ms <= 0:
        split = f"`{use.module}` ({duration(use.build_ms)} a build) takes no longer: a split saves nothing."
    elif use.split_saves_at_most_ms > use.split_adds_ms:
        split = (
            f"Splitting `{use.module}` ({duration(use.build_ms)} a build) in {parts} saves at most "
            f"{duration(use.split_saves_at_most_ms)} of the wait, where the parts are built side by side or "
            f"one of them alone is built again; it adds at least {duration(use.split_adds_ms)} of work."
        )
    else:
        split = (
            f"Splitting `{use.module}` ({duration(use.build_ms)} a build) in {parts} adds at least "
            f"{duration(use.split_adds_ms)} of work and saves at most {duration(use.split_saves_at_most_ms)} "
            "of the wait."
        )
    if use.one_kernel_modules < 2:
        return [split]
    count = plural(use.one_kernel_modules, "one-kernel module")
    saved = duration(use.merging_saves_ms)
    return [split, f"Merging the {count} with these options into one saves about {saved}."]
