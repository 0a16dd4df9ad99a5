"""What was measured, on what, and what its findings say: the parts that reports and comparisons share."""

from collections.abc import Sequence
from shlex import join

from warp_mcp.models.finding import Finding
from warp_mcp.models.report import Environment, Report
from warp_mcp.presentation.finding_words import finding_words, not_reached_words
from warp_mcp.presentation.markdown import code, words
from warp_mcp.presentation.numbers import joined, plural
from warp_mcp.presentation.words import MECHANISM_NAMES, ending_words, relative

NOT_ELSEWHERE = "Times hold for this machine only, and nothing here says what to expect on another one."


def command(report: Report) -> str:
    """The command as code, with paths relative to where it ran."""
    return code(relative(join(report.command), report.cwd))


def machine(environment: Environment) -> str:
    """The machine and the versions in one line."""
    facts = [
        f"{environment.cpu}, {plural(environment.cores, 'core')}",
        f"{environment.memory_bytes / 1e9:.0f} GB of memory" if environment.memory_bytes >= 1e9 else "",
        environment.gpu or "no GPU seen",
        f"driver {environment.driver}" if environment.driver else "",
        f"CUDA toolkit {environment.cuda_toolkit}" if environment.cuda_toolkit else "",
        environment.platform,
        f"Warp {environment.warp}" if environment.warp else "Warp's version unknown",
        f"Python {environment.python}" if environment.python else "Python's version unknown",
    ]
    return words("; ".join(fact for fact in facts if fact))


def variables(environment: Environment) -> str:
    """`WARP_*` and `CUDA_*` variables that were set; empty where none were."""
    pairs = [code(f"{name}={value}") for name, value in sorted(environment.variables.items())]
    return joined(pairs, limit=12)


def samples(report: Report, what: str = "sample") -> str:
    """`3 samples, all completed`, each a cold run and its warm run. `what`: what one is called."""
    failed = [ending_words(sample) for sample in report.samples if sample.outcome != "completed"]
    outcomes = (
        "all completed" if not failed else f"{len(failed)} not completed ({', '.join(sorted(set(failed)))})"
    )
    return f"{plural(len(report.samples), what)}, {outcomes}"


def named(report_id: str, label: str | None) -> str:
    """A report by its label and id."""
    return f"{code(label)} ({code(report_id)})" if label else code(report_id)


def mechanism(label: str) -> str:
    """A mechanism by name and label."""
    return f"{MECHANISM_NAMES.get(label, label)} ({label})"


def finding_line(finding: Finding, cwd: str) -> str:
    """What happened, where, what it cost, and its label."""
    return words(finding_words(finding, cwd) + ".")


def ruled_out_lines(findings: Sequence[Finding], cwd: str, leave: Sequence[str] = ()) -> list[str]:
    """Each mechanism that was ruled out, by the signal that says so."""
    return [
        words(f"{mechanism(one.mechanism)}: {relative(one.title.rstrip('.'), cwd)}.")
        for one in findings
        if one.status == "ruled_out" and one.mechanism not in leave
    ]


def not_reached_lines(findings: Sequence[Finding]) -> list[str]:
    """Each reason for which nothing can be told, with the mechanisms it holds for."""
    return [words(f"{reason}.") for reason in not_reached_words(findings)]
