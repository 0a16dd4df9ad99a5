"""The plain words for names that the models use: phases, parts of the wall, causes, mechanisms, metrics."""

from collections.abc import Sequence

from warp_mcp.models.report import Cause

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

MECHANISM_NAMES = {
    "CS-1": "kernels defined after their module loaded",
    "CS-2": "cache never reused",
    "CS-3": "options set after first load",
    "CS-4": "boundaries too fine",
    "CS-5": "one module over several block dimensions",
    "CS-6": "generic instances after first load",
    "CS-7": "MathDx LTO without a benefit",
    "CS-8": "concurrent first load on the CPU",
    "CS-9": "unique modules for stable kernels",
    "CS-10": "backward code nobody uses",
    "CS-11": "unroll budget",
    "CS-12": "precompiled header",
    "CS-13": "independent modules built one at a time",
}

METRIC_NAMES = {
    "cold_wall_ms": "cold start",
    "warm_wall_ms": "warm start",
    "compile_elapsed_ms": "compile wait",
    "cold_module_ms": "building modules",
    "cold_module_cpu_ms": "… in CPU time",
    "warm_module_ms": "loading, warm",
}
"""Metrics shown in a comparison, in this order."""


def cause_words(cause: Cause) -> str:
    """A cause as the end of a sentence that begins with "because"; most are sentences already."""
    if cause.kind == "option_changed":
        return f"an option was set after the module had loaded: {cause.detail}"
    if cause.kind == "block_dim":
        return f"it was launched with another block size: {cause.detail}"
    return cause.detail


def place(where: str | None, cwd: str = "") -> str:
    """` (file:line)`, or nothing where that is not known; relative to where the program ran."""
    return f" (`{short(where, cwd)}`)" if where else ""


def short(where: str, cwd: str) -> str:
    """A `file:line` without the directory the program ran in."""
    return where.removeprefix(cwd.rstrip("/") + "/") if cwd else where


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
