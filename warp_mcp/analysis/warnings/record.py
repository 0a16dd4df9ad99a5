"""Warnings on what the record can and cannot tell."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.processes import base_name, ignoring_flag
from warp_mcp.analysis.texts import counted, listed, seconds
from warp_mcp.analysis.thresholds import HOOK_PERCENT
from warp_mcp.models.finding import Warning

_MEANING = {
    "hook_missing": "this Warp release has no such place to look",
    "hook_failed": "a hook of the recorder failed",
    "record_cut": "the record reached its limit",
    "signatures_cut": "more distinct launches than are kept",
    "sequence_cut": "the order of launches is kept as a digest only beyond a point",
    "uncounted_launches": "launches that could not be counted",
}


def no_warp(evidence: Evidence) -> Warning | None:
    """The program ended well, every Python process of it was recorded, and none imported Warp."""
    processes = evidence.recording.processes
    ended = evidence.reference_outcome == "completed"
    if (
        not ended
        or not processes
        or evidence.unattached
        or any(process.warp_version or process.warp_import_begin_ms for process in processes)
        or any("Warp was imported" in problem.detail for problem in evidence.problems)
    ):
        return None
    python = evidence.environment.executable or "python"
    message = f"Warp was not imported: nothing of this command, run by {python}, could be measured."
    hint = "Check that the command starts the program that uses Warp, with an interpreter that has it."
    return Warning(code="no_warp", message=message, next=hint)


def recorder_not_attached(evidence: Evidence) -> Warning | None:
    """A Python process left no record, or no process did."""
    if evidence.reference is None:
        return None
    if not evidence.processes:
        message = "No Python process was seen: nothing of this command was recorded."
        hint = "Name the command that starts the Python program itself."
        return Warning(code="recorder_not_attached", message=message, next=hint)
    if not evidence.unattached:
        return None
    commands = listed([_command(process.argv) for process in evidence.unattached])
    count = counted(len(evidence.unattached), "Python process", "Python processes")
    message = f"{count} left no record: {commands}. What they built and launched is not in this report."
    return Warning(code="recorder_not_attached", message=message, next=_attach(evidence))


def _command(argv: list[str]) -> str:
    shown = " ".join(" ".join([base_name(argv[0]), *argv[1:4]]).split()) if argv else "?"
    return shown if len(shown) <= 80 else shown[:79] + "…"


def _attach(evidence: Evidence) -> str:
    """What to do, by what hides the process."""
    flag = next((flag for one in evidence.unattached if (flag := ignoring_flag(one.argv))), None)
    if flag:
        return f"Start it without {flag}, which makes Python ignore PYTHONPATH and so the recorder."
    if any(word.startswith("PYTHONPATH=") for word in evidence.request.command):
        return (
            "Put PYTHONPATH=… before warp-mcp instead of into the command: there it replaces the recorder's."
        )
    if any(part.startswith("PYTHONPATH=") for word in evidence.request.command for part in word.split()):
        return "Set PYTHONPATH before warp-mcp, or extend it in the command (:$PYTHONPATH)."
    place = next(
        (
            c.where
            for r in evidence.recording.processes
            for c in r.spawned
            if not c.keeps_recorder and c.where
        ),
        None,
    )
    if place:
        return (
            f"Pass the environment on at {place} (env={{**os.environ, …}}), or measure that child by itself."
        )
    return "Pass the environment (PYTHONPATH, WARP_*) on to children, or measure the child by itself."


def isolation_escaped(evidence: Evidence) -> Warning | None:
    """A run used a cache that is not its own."""
    if evidence.isolation.ok:
        return None
    message = f"The program left the isolated cache: {'; '.join(evidence.isolation.violations)}."
    hint = (
        "Leave kernel_cache_dir unset (or take it from WARP_CACHE_PATH) and pass the environment on to "
        "children while measuring: cold times of such samples may be warm ones, so no verdict rests on them."
    )
    return Warning(code="isolation_escaped", message=message, next=hint)


def record_incomplete(evidence: Evidence) -> Warning | None:
    """Something of the reference run is not in its record."""
    told = [f"{_MEANING[problem.code]} ({problem.detail})" for problem in evidence.problems]
    told += evidence.recording.damaged
    if not told:
        return None
    message = f"The record is incomplete: {listed(told)}."
    codes = {problem.code for problem in evidence.problems}
    if codes & {"hook_missing", "hook_failed"}:
        hint = "Report this with the versions of Warp and warp-mcp; figures that need it are absent."
    elif evidence.recording.damaged or "record_cut" in codes:
        hint = "Measure again; end the program earlier with --stop-after-launches if it happens again."
    else:
        hint = "Totals hold; --stop-after-launches ends the program while every launch is still kept."
    return Warning(code="record_incomplete", message=message, next=hint)


def recorder_slow(evidence: Evidence) -> Warning | None:
    """The recorder's hooks took a share of the cold wall that matters."""
    wall_ms = (evidence.reference.cold.wall_ms or 0.0) if evidence.reference else 0.0
    if wall_ms <= 0:
        return None
    hooks = sum(process.hook_ms for process in evidence.recording.processes)
    percent = 100 * hooks / wall_ms
    if percent <= HOOK_PERCENT:
        return None
    message = f"The recorder's own hooks took {seconds(hooks)}, {percent:.1f} % of the cold wall."
    hint = "Look for a loop that declares kernels, changes options or launches with a new dim each time."
    return Warning(code="recorder_slow", message=message, next=hint)
