"""The plain words for names that the models use: phases, parts of the wall, causes, mechanisms, metrics."""

from warp_mcp.models.report import Cause

PHASE_NAMES = {
    "hash_ms": "hashing",
    "codegen_ms": "code generation",
    "native_compile_ms": "native compile",
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
    "cold_wall_ms": "cold start, in all",
    "warm_wall_ms": "warm start, in all",
    "compile_elapsed_ms": "wait for compilation",
    "cold_module_ms": "building modules",
    "cold_module_cpu_ms": "building modules, CPU time",
    "warm_module_ms": "loading modules, warm",
}


def cause_words(cause: Cause) -> str:
    """A cause as the end of a sentence that begins with "because"; most are sentences already."""
    if cause.kind == "option_changed":
        return f"an option was set after the module had loaded: {cause.detail}"
    if cause.kind == "block_dim":
        return f"it was launched with another block size: {cause.detail}"
    return cause.detail


def place(where: str | None) -> str:
    """`, at file:line`, or nothing where the line is not known."""
    return f", at `{where}`" if where else ""
