"""Which options can be levers: every one of `warp.config` and of modules that a build reads. One table.

Read in the source of Warp 1.10.1, 1.11.1, 1.12.1, 1.13.0, 1.14.0, 1.15.0, 1.16.0, 1.17.0, 1.18.0 and 1.19.0:
`config.py`; `Module.__init__`, `resolve_options` and `load`; `build.py`. What 1.10 has may be older. How an
option takes part in building is in `analysis/options.py`.
"""

from typing import Literal, NamedTuple

Kind = Literal["boolean", "integer", "text"]
Place = Literal["process", "module", "both"]
"""Where an option lives: in `warp.config` alone, in the options of modules alone, or in both. One of modules
alone can be set for the process too: on every module as it is made."""


INT32_MAX = 2**31 - 1
"""The largest whole number that an option holds: in generated code and in hashes each is an `int`."""

MOST_WORKERS = 64
"""Of a preload: as many threads as a rehearsal may build with."""


class LeverOption(NamedTuple):
    """What a lever may set an option to."""

    kind: Kind
    place: Place
    since: str
    """First minor release that has it, of those read."""
    none: bool = False
    """Whether `None` is a value."""
    values: tuple[str, ...] = ()
    """The texts that are allowed; empty for any."""
    least: int = 0
    """Of an integer."""
    most: int = INT32_MAX


MODES = ("release", "debug")
DETERMINISM = ("not_guaranteed", "run_to_run", "gpu_to_gpu")
"""Names of `warp.DeterministicMode`, in small letters."""

OPTIONS: dict[str, LeverOption] = {
    "cache_kernels": LeverOption("boolean", "process", "1.10"),
    "compile_time_trace": LeverOption("boolean", "both", "1.10"),
    "cpu_compiler_flags": LeverOption("text", "both", "1.13", none=True),
    "cuda_arch_suffix": LeverOption("text", "process", "1.12", none=True, values=("a", "f")),
    "cuda_output": LeverOption("text", "both", "1.10", none=True, values=("ptx", "cubin")),
    "default_grid_stride": LeverOption("boolean", "both", "1.15"),
    "deterministic": LeverOption("text", "both", "1.15", values=DETERMINISM),
    "deterministic_max_records": LeverOption("integer", "both", "1.15"),
    "enable_backward": LeverOption("boolean", "both", "1.10"),
    "enable_cpu_blocks": LeverOption("boolean", "process", "1.18"),
    "enable_mathdx_fft": LeverOption("boolean", "both", "1.14"),
    "enable_mathdx_gemm": LeverOption("boolean", "both", "1.12"),
    "enable_mathdx_solver": LeverOption("boolean", "both", "1.14"),
    "enable_tiles_in_stack_memory": LeverOption("boolean", "process", "1.10", none=True),
    "enable_vector_component_overwrites": LeverOption("boolean", "process", "1.10"),
    "fast_math": LeverOption("boolean", "module", "1.10"),
    "fuse_fp": LeverOption("boolean", "module", "1.10"),
    "legacy_cpu_linker": LeverOption("boolean", "process", "1.13"),
    "line_directives": LeverOption("boolean", "process", "1.10"),
    "lineinfo": LeverOption("boolean", "both", "1.10"),
    "llvm_cuda": LeverOption("boolean", "process", "1.10"),
    "load_module_max_workers": LeverOption("integer", "process", "1.11", none=True),
    "max_unroll": LeverOption("integer", "both", "1.10"),
    "mode": LeverOption("text", "both", "1.10", values=MODES),
    "optimization_level": LeverOption("integer", "both", "1.11", none=True, most=3),
    "ptx_target_arch": LeverOption("integer", "process", "1.10", none=True, least=1),
    "use_precompiled_headers": LeverOption("boolean", "process", "1.11"),
    "verify_autograd_array_access": LeverOption("boolean", "process", "1.10"),
    "verify_fp": LeverOption("boolean", "process", "1.10"),
}

_NO_BUILD = "no build reads it"

NO_LEVERS: dict[str, str] = {
    "block_dim": "each launch decides its own, so that setting it builds what is not launched",
    "deterministic_debug": _NO_BUILD,
    "enable_graph_capture_module_load_by_default": _NO_BUILD,
    "enable_mempools_at_init": _NO_BUILD,
    "extra_build_options": "its value is an object, which cannot be written as text",
    "kernel_cache_dir": "each run has a kernel cache of its own",
    "launch_array_access_mode": _NO_BUILD,
    "legacy_scalar_return_types": _NO_BUILD,
    "log_level": _NO_BUILD,
    "print_launches": _NO_BUILD,
    "quiet": _NO_BUILD,
    "strip_hash": "without hashes nothing tells which modules it reached",
    "track_memory": _NO_BUILD,
    "verbose": _NO_BUILD,
    "verbose_warnings": _NO_BUILD,
    "verify_cuda": _NO_BUILD,
    "version": _NO_BUILD,
}
"""Options that are none, each with the reason."""
