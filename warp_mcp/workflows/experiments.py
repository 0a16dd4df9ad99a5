"""What a fix could save at most, and the experiment that would tell: sentences from a finding and its report.

Words for both doors: no command line and no tool call is spelt out here.
"""

from warp_mcp.models.finding import Finding
from warp_mcp.models.report import Report
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.words import short

RECEIPTS = {
    "CS-1": "no rebuild for a kernel that came late is then left",
    "CS-2": "the warm run then compiles nothing; the cold run stays as slow as it was",
    "CS-3": "no rebuild for an option is then left, and the hash of the first build shows that it arrived",
    "CS-4": "fewer modules are then built, with the same launches",
    "CS-5": "each module is then built at one block_dim, and less source is generated",
    "CS-6": "no rebuild for new argument types is then left",
    "CS-7": "fewer LTO artifacts are then built; time the launches too, which may become slower",
    "CS-8": "no first loads on the CPU overlap any more",
    "CS-9": "fewer modules are then built, with the same launches",
    "CS-10": "less source is then generated, the hash has moved, and no gradient that is needed is missing",
    "CS-11": "less source is then generated; time the launches too, which may become slower",
    "CS-12": "the time in headers falls by more than the modules gain",
    "CS-13": "the compile wait falls, with the same modules, hashes and source bytes",
}
"""What shows that the fix worked, by label: the end of a sentence."""

NEEDED = {
    "CS-1": "a command that builds its modules and comes to its end, with every process recorded",
    "CS-2": "a command that completes both cold and warm",
    "CS-3": "a command that builds its modules and comes to its end, with every process recorded",
    "CS-4": "a command that builds the modules of one start-up",
    "CS-5": "the command on a CUDA device, where the block dimension is part of what is built",
    "CS-6": "a command that builds its modules and comes to its end, with every process recorded",
    "CS-7": "a command that launches its tile kernels on a CUDA device",
    "CS-8": "a command that loads its modules on the CPU, from the threads that load them in use",
    "CS-9": "a command that builds the modules of one start-up",
    "CS-10": "a command that reaches the backward passes that are in use",
    "CS-11": "a command that builds the modules with loops",
    "CS-12": "the command once as it is and once with the setting of the precompiled header reversed",
    "CS-13": "a command that builds several modules on a CUDA device",
}
"""What has to be measured before something can be said, by label."""


WAITS = {"compile_elapsed_ms": "compile wait", "cold_module_ms": "building time"}
"""What the user waits for, and where no usable warm run tells that, the work; with their words."""


def wait(report: Report) -> tuple[float | None, str]:
    """Median of the first of `WAITS` that is known, in ms, with its words; `None` where neither is."""
    for name, words in WAITS.items():
        if name in report.metrics:
            return report.metrics[name].median, words
    return None, ""


def ceiling(finding: Finding, report: Report) -> tuple[float | None, str]:
    """The most the fix could save in ms, with what that rests on; `None` unless fired with a known cost.

    It is the finding's cost, but never more than the report's wait: summed builds can exceed what is waited
    for, where they overlap.
    """
    if finding.status != "fired":
        return None, ""
    if finding.cost_ms is None:
        return None, "What the fix could save is unknown: the finding has no cost."
    origin = "measured in this run" if finding.cost_kind == "measured" else "an estimate"
    how = f" ({finding.how.rstrip('.')})" if finding.how else ""
    whole, name = wait(report)
    if whole is None:
        return finding.cost_ms, f"At most {duration(finding.cost_ms)}, {origin}{how}; the wait is unknown."
    most = max(0.0, min(finding.cost_ms, whole))
    if most < finding.cost_ms:
        cost = f"what it costs, {duration(finding.cost_ms)}, is {origin}{how}"
        return most, f"At most {duration(most)}, the whole {name}: {cost}, and no fix saves more."
    return most, f"At most {duration(most)} of a {name} of {duration(whole)}: {origin}{how}."


def next_experiment(finding: Finding, report: Report) -> str:
    """One sentence: what to change where and how to check it, or what would bring the missing evidence."""
    if finding.status == "fired":
        return _repair(finding, report)
    if finding.status == "not_reached":
        return _evidence(finding)
    return _elsewhere(report)


def _repair(finding: Finding, report: Report) -> str:
    check = f"measure the same command again and compare the new report with {report.report_id}"
    receipt = RECEIPTS.get(finding.mechanism, "the finding is then gone")
    return f"{_change(finding, report)} Then {check}: if it worked, {receipt}."


def _change(finding: Finding, report: Report) -> str:
    """What to change, as the finding says it; its line where it says nothing."""
    fix = finding.fix.replace(report.cwd.rstrip("/") + "/", "").rstrip(".")
    if finding.where is None:
        return f"{fix or 'Make the change'}, at a place the record does not name."
    place = short(finding.where, report.cwd)
    return f"{fix or 'Make the change'}; it is about `{place}`."


def _evidence(finding: Finding) -> str:
    return f"Measure {NEEDED.get(finding.mechanism, 'another command')}: such a run can tell."


def _elsewhere(report: Report) -> str:
    fired = [finding for finding in report.findings if finding.status == "fired"]
    if not fired:
        return "There is nothing to change for this mechanism, and no other one fired in this report."
    dearest = max(fired, key=lambda finding: finding.cost_ms or 0.0)
    return (
        f"There is nothing to change for this mechanism: look at {dearest.mechanism} first, "
        "which has the most at stake in this report."
    )
