"""The plain words for names that the models use: phases, parts of the wall, causes, mechanisms, metrics."""

from collections.abc import Sequence

from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.models.report import Cause, Sample
from warp_mcp.models.root import CauseKind

PHASE_NAMES = {
    "hash_ms": "hashing",
    "codegen_ms": "code generation",
    "native_compile_ms": "native compile",
    "header_ms": "precompiled header",
    "lto_ms": "LTO",
    "load_ms": "loading",
}

PART_NAMES = {
    "interpreter": "Python itself",
    "imports": "imports",
    "warp_import": "importing Warp",
    "compilation": "compilation",
    "program": "your program",
}

MECHANISM_NAMES = {one.label: one.name for one in CATALOGUE}
"""What people are told of a mechanism; the label is for navigation."""

APPLICATION = "application"
"""The owner of what is no installed library."""

METRIC_NAMES = {
    "cold_wall_ms": "cold start",
    "warm_wall_ms": "warm start",
    "compile_elapsed_ms": "compile wait",
    "build_wait_ms": "time with builds under way",
    "cold_module_ms": "building modules",
    "cold_module_cpu_ms": "… in CPU time",
    "warm_module_ms": "loading, warm",
}
"""Metrics shown in a comparison, in this order."""


_HAPPENED: dict[CauseKind, str] = {
    "option_changed": "an option was set after the module had loaded",
    "block_dim": "it was launched with another block size",
    "constant_changed": "a constant was given another value after the module had loaded",
    "dependency_changed": "a function or struct was defined again after the module had loaded",
}
"""Kinds of causes whose details are no sentences of their own."""


def ending_words(sample: Sample) -> str:
    """How a sample ended: its outcome, or that nobody saw its end."""
    return "cut short by the end of the probe" if sample.stopped_by == "probe_killed" else sample.outcome


def sample_words(sample: Sample) -> str:
    """The same with the exit code, where that is one of a failure."""
    ending = ending_words(sample)
    return ending if sample.exit_code in (0, None) else f"{ending}, exit code {sample.exit_code}"


def cause_words(cause: Cause) -> str:
    """A cause as the end of a sentence that begins with "because"."""
    return happened(cause.kind, cause.detail)


def happened(kind: CauseKind, detail: str) -> str:
    """What happened, with its detail."""
    return f"{_HAPPENED[kind]}: {detail}" if kind in _HAPPENED else detail


def place(where: str | None, cwd: str = "") -> str:
    """` (file:line)`, or nothing where that is not known; relative to where the program ran."""
    return f" (`{short(where, cwd)}`)" if where else ""


def short(where: str, cwd: str) -> str:
    """A `file:line` without the directory the program ran in."""
    return where.removeprefix(cwd.rstrip("/") + "/") if cwd else where


def relative(text: str, cwd: str) -> str:
    """A text with the paths below the directory the program ran in shown without it."""
    return text.replace(cwd.rstrip("/") + "/", "") if cwd.strip("/") else text


def labels(mechanisms: Sequence[str]) -> str:
    """Labels with runs of neighbours drawn together: `CS-2, CS-4, CS-7 to CS-13`."""
    numbers = sorted(int(label.removeprefix("CS-")) for label in mechanisms)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = (
        f"CS-{run[0]} to CS-{run[-1]}" if len(run) > 2 else ", ".join(f"CS-{n}" for n in run) for run in runs
    )
    return ", ".join(words)
