"""Warnings on the samples: how they ended, how many there are, and what disturbed them."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.statistics import median
from warp_mcp.analysis.texts import counted, listed
from warp_mcp.analysis.thresholds import BUSY_SHARE, LEAST_SAMPLES
from warp_mcp.models.command import StopCondition
from warp_mcp.models.finding import Warning
from warp_mcp.models.run import RunResult, SampleRecording

UNDER_WAY = (
    ", and of the one under way what was built and launched until then can be read, but not how long it takes"
)


def stop_words(stop: StopCondition) -> str:
    """A stop condition as a user says it."""
    if stop.after_launches is not None:
        return f"{stop.after_launches} launches"
    return (
        f"{stop.when_quiet_s:g} s without a build" if stop.when_quiet_s else f"output {stop.until_output!r}"
    )


def timed_out(evidence: Evidence) -> Warning | None:
    """A cold run reached the limit: its figures tell what happened until then."""
    count = evidence.outcomes.count("timed_out")
    if not count:
        return None
    limit = evidence.request.timeout_s
    message = (
        f"{counted(count, 'sample')} reached the limit of {limit:g} s; what was seen until then is told."
    )
    return Warning(code="timed_out", message=message, next=_after_time_out(evidence))


def _after_time_out(evidence: Evidence) -> str:
    launches = evidence.launches.total
    if evidence.request.stop.kind != "none":
        stop = stop_words(evidence.request.stop)
        return f"The stop condition ({stop}) was not reached: choose an earlier one, or a larger --timeout."
    if launches:
        return (
            f"If the program does not end by itself, add --stop-after-launches N ({launches} were "
            "reached) or --stop-when-quiet S; else a larger --timeout."
        )
    return "Use a larger --timeout, or --until-output TEXT if the program does not end by itself."


def cut_short(evidence: Evidence) -> Warning | None:
    """The measurement was ended from outside: how far it got, and what can still be read from it."""
    if not evidence.samples or not (step := _cut_step(evidence)):
        return None
    complete = sum(not _is_cut(sample) for sample in evidence.completed)
    reason = "because the probe was killed," if evidence.probe_killed else "from outside,"
    are = "is" if complete == 1 else "are"
    told = f"{counted(complete, 'sample')} {are} complete" if complete else "no sample is complete"
    under_way = UNDER_WAY if _is_cut(evidence.samples[-1]) else ""
    message = f"The measurement was cut short {reason} {step}: {told}{under_way}."
    return Warning(code="cut_short", message=message, next=_after_cut(complete))


def _cut_step(evidence: Evidence) -> str:
    """Where the measurement ended before its time; empty when it did not."""
    number, last = len(evidence.samples), evidence.samples[-1]
    if _is_cut(last):
        return (
            f"in the {'warm' if last.warm else 'cold'} run of sample {number} of {evidence.request.samples}"
        )
    if evidence.probe_killed and number < evidence.request.samples:
        return f"before sample {number + 1} of {evidence.request.samples}"
    return ""


def _is_cut(sample: SampleRecording) -> bool:
    """Whether one of its two runs was ended from outside."""
    return any(run is not None and run.outcome == "cancelled" for run in (sample.cold, sample.warm))


def _after_cut(complete: int) -> str:
    if complete >= LEAST_SAMPLES:
        return "The complete samples are enough to compare; measure again if more are wanted."
    return "Measure again and let it come to its end before comparing; modules not named may still be built."


def stop_not_reached(evidence: Evidence) -> Warning | None:
    """The program ended by itself before the point at which it was to be ended."""
    stop = evidence.request.stop
    by_itself = [sample for sample in evidence.completed if sample.cold.stopped_by == "none"]
    if stop.kind == "none" or not by_itself:
        return None
    which = "The program" if len(by_itself) == len(evidence.completed) else "In some samples the program"
    message = f"{which} ended before its stop condition ({stop_words(stop)}) was reached."
    hint = "Leave the option out, or choose an earlier point: what ends by itself needs none."
    return Warning(code="stop_not_reached", message=message, next=hint)


def warp_missing(evidence: Evidence) -> Warning | None:
    """The command's interpreter has no Warp, so the program could not start."""
    tails = [sample.cold.stderr_tail for sample in evidence.samples if sample.cold.outcome == "failed"]
    if not any("No module named 'warp'" in tail for tail in tails):
        return None
    python = evidence.program.executable if evidence.program else "the interpreter of this command"
    message = f"{python} has no Warp."
    if evidence.interpreters:
        hint = f"Begin the command with an interpreter that has it: {listed(evidence.interpreters)}."
    else:
        hint = f"Install it there: {python} -m pip install warp-lang. No other interpreter found here has it."
    return Warning(code="warp_missing", message=message, next=hint)


def sample_failed(evidence: Evidence) -> Warning | None:
    """A cold run ended with an error."""
    failed = [
        s for s, outcome in zip(evidence.samples, evidence.outcomes, strict=True) if outcome == "failed"
    ]
    if not failed:
        return None
    codes = listed([str(sample.cold.exit_code) for sample in failed])
    message = f"{len(failed)} of {len(evidence.samples)} samples failed (exit code {codes})."
    lines = failed[0].cold.stderr_tail.strip().splitlines()
    if lines:
        message += f" Its last line: {lines[-1].strip()[:300].rstrip('.')}."
    hint = "Make the command succeed by itself first; figures of failed samples are not in the medians."
    return Warning(code="sample_failed", message=message, next=hint)


def warm_run_failed(evidence: Evidence) -> Warning | None:
    """A warm run did not complete, so nothing warm is known of its sample."""
    failed = [s.warm for s in evidence.completed if s.warm and s.warm.outcome in ("failed", "timed_out")]
    if not failed:
        return None
    how = listed([run.outcome.replace("_", " ") for run in failed])
    message = f"{counted(len(failed), 'warm run')} did not complete ({how}); warm figures leave them out."
    hint = "See whether the command can run twice in a row: it may refuse files that its first run left."
    return Warning(code="warm_run_failed", message=message, next=hint)


def few_samples(evidence: Evidence) -> Warning | None:
    """Too few completed samples for a median with a spread."""
    count = len(evidence.completed)
    if count >= LEAST_SAMPLES:
        return None
    message = f"{counted(count, 'completed sample')}: a comparison needs {LEAST_SAMPLES} on each side."
    if evidence.probe_killed or any(_is_cut(sample) for sample in evidence.samples):
        hint = "Measure again, to the end."
    elif count < len(evidence.samples):
        hint = "Find out first why the other samples did not complete."
    elif evidence.request.samples < LEAST_SAMPLES:
        hint = f"Measure with --samples {LEAST_SAMPLES} before comparing."
    else:
        hint = "Measure again, to the end."
    return Warning(code="few_samples", message=message, next=hint)


def samples_disagree(evidence: Evidence) -> Warning | None:
    """The completed samples did not build or launch the same."""
    told: list[str] = []
    for name, thing in (
        ("builds", "builds"),
        ("identities", "identities"),
        ("warm_builds", "builds in the warm run"),
    ):
        values = evidence.metrics[name].values if name in evidence.metrics else []
        if values and min(values) != max(values):
            told.append(f"{thing} from {min(values):g} to {max(values):g}")
    if not evidence.launches.stable:
        told.append("the launches are not the same")
    if not told:
        return None
    message = f"The samples disagree: {', '.join(told)}."
    hint = (
        "Look for random numbers, times, or processes that race for one build; fix a seed where there is one."
    )
    return Warning(code="samples_disagree", message=message, next=hint)


def machine_busy(evidence: Evidence) -> Warning | None:
    """Other programs kept a good part of the machine busy during a run."""
    runs: list[RunResult] = [sample.cold for sample in evidence.samples]
    runs += [sample.warm for sample in evidence.samples if sample.warm]
    cores = max(1, evidence.environment.cores)
    busy = [run.foreign_load for run in runs if run.foreign_load >= BUSY_SHARE * cores]
    if not busy:
        return None
    message = (
        f"Other programs kept {median(busy):.1f} of {cores} cores busy in {len(busy)} of {len(runs)} runs: "
        "times are longer than on an idle machine."
    )
    hint = "Measure again when the machine is idle; CPU times are less affected than wall times."
    return Warning(code="machine_busy", message=message, next=hint)


def processes_left_running(evidence: Evidence) -> Warning | None:
    """Processes outlived the command and were ended by the probe."""
    left = max((sample.cold.left_running for sample in evidence.samples), default=0)
    if not left:
        return None
    ended = "was ended" if left == 1 else "were ended"
    message = f"{counted(left, 'process', 'processes')} outlived the command and {ended}."
    hint = "Let the program wait for its children if what they build belongs to the start-up."
    return Warning(code="processes_left_running", message=message, next=hint)
