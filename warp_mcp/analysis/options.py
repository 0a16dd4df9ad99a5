"""Which options change what is built, on which devices, and how. One table, with its source.

Read in the source of Warp 1.10.1, 1.15.0 and 1.19.0 (`context.py`: `resolve_options`, `_compile`; `build.py`:
`build_cpu`, `build_cuda`). What is not in the table (a misspelt option moves the hash too) is no cause.
"""

from typing import Literal, NamedTuple

How = Literal["compiler", "source"]
"""`compiler`: handed to the compiler, so the same source builds otherwise. `source`: only through the
generated source; where that is the same to the byte, nothing is built otherwise."""


class Effect(NamedTuple):
    """How an option takes part in building."""

    cpu: How | None
    cuda: How | None
    cheaper: str | None = None
    """The value that can only make a build cheaper; `None` when that depends on the program."""


EFFECTS: dict[str, Effect] = {
    "enable_backward": Effect("source", "source", cheaper="False"),
    "max_unroll": Effect("source", "source"),
    "verify_autograd_array_access": Effect("source", "source"),
    "enable_vector_component_overwrites": Effect("source", "source"),
    "deterministic": Effect("source", "source"),
    "deterministic_max_records": Effect("source", "source"),
    "mode": Effect("compiler", "compiler"),
    "optimization_level": Effect("compiler", "compiler"),
    "verify_fp": Effect("compiler", "compiler"),
    "fuse_fp": Effect("compiler", "compiler"),
    "use_precompiled_headers": Effect("compiler", "compiler"),
    "enable_tiles_in_stack_memory": Effect("compiler", "compiler"),
    "cpu_compiler_flags": Effect("compiler", None),
    "extra_cpu_include_dirs": Effect("compiler", None),
    "extra_cpu_preamble": Effect("source", None),
    # `build_cpu` takes `fast_math` and hands it to nothing, in every release read.
    "fast_math": Effect(None, "compiler"),
    # On the CPU these two only add `#line`, which costs nothing measurable.
    "lineinfo": Effect(None, "compiler"),
    "line_directives": Effect(None, None),
    "default_grid_stride": Effect(None, "source"),
    "compile_time_trace": Effect(None, "compiler"),
    "llvm_cuda": Effect(None, "compiler"),
    "cuda_output": Effect(None, "compiler"),
    "output_arch": Effect(None, "compiler"),
    "enable_mathdx_gemm": Effect(None, "compiler"),
    "enable_mathdx_solver": Effect(None, "compiler"),
    "enable_mathdx_fft": Effect(None, "compiler"),
    "extra_cuda_include_dirs": Effect(None, "compiler"),
    "extra_cuda_preamble": Effect(None, "source"),
}


def effect(option: str, device: str) -> How | None:
    """How an option affects building for a device ("cpu", "cuda:0", "aot:sm_90"); `None` when it does not."""
    known = EFFECTS.get(option)
    if known is None:
        return None
    return known.cpu if device == "cpu" else known.cuda


def direction(option: str, old: set[str], new: set[str]) -> int:
    """-1 when the change can only make building cheaper, 1 dearer, 0 when that depends on the program."""
    known = EFFECTS.get(option)
    if known is None or known.cheaper is None or len(old) != 1 or len(new) != 1:
        return 0
    return -1 if new == {known.cheaper} else 1
