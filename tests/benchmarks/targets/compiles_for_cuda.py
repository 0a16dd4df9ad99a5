"""Compiles two versions of a program for sm_90, in turn: `compiles_for_cuda.py BEFORE AFTER ROUNDS`.

Neither program runs. Warp generates the source of each and calls its compiler once; that call is made again
in every round, on the first version without and with the compiler's trace, on the second without. All are in
one process, so that each round has the same caches and headers, in an order that turns round each time. A
round is printed as one JSON object: {side: {"cpu_ms", "wall_ms"}} with the trace's stages at side "traced".
"""

import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp
from warp._src import build

from warp_mcp.interventions._warp_mcp_interventions import compile_trace_events

ARCH = 90


@dataclass(frozen=True)
class Call:
    """One call of Warp's compiler, that can be made again."""

    source: Path
    output: str
    options: dict[str, Any]

    def made(self, *, traced: bool = False) -> dict[str, Any]:
        """Times of one build, with what its trace tells."""
        trace = compile_trace_events.expected(self.output) if traced else None
        wall, cpu = time.perf_counter(), time.thread_time()
        compiler(cu_path=str(self.source), output_path=self.output, compile_time_trace=traced, **self.options)
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        times: dict[str, Any] = {"cpu_ms": 1000 * cpu, "wall_ms": 1000 * wall}
        if trace is None:
            return times
        told = compile_trace_events.read(trace, self.source.read_bytes())
        for path in (trace, f"{trace}.json"):
            Path(path).unlink()
        return {**times, **told}


compiler: Callable[..., None] = build.build_cuda


def main() -> None:
    before, after, rounds = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as directory:
        wp.config.kernel_cache_dir = directory
        first, second = call(before), call(after)
        sides: list[tuple[str, Callable[[], dict[str, Any]]]] = [
            ("before", first.made),
            ("traced", lambda: first.made(traced=True)),
            ("after", second.made),
        ]
        for _ in range(rounds):
            print("round", json.dumps({side: made() for side, made in sides}), flush=True)
            sides.reverse()


def call(program: Path) -> Call:
    """The call that Warp makes for the module of a program; what it reads is kept beside the program."""
    seen: list[Call] = []

    def build_cuda(cu_path: str, arch: int, output_path: str, **options: Any) -> None:
        source = program.with_suffix(".cu")
        source.write_bytes(Path(cu_path).read_bytes())
        again = {name: value for name, value in options.items() if name != "compile_time_trace"}
        seen.append(Call(source, str(program.with_suffix(".cubin")), {"arch": arch, **again}))
        compiler(cu_path, arch, output_path, **options)

    build.build_cuda = build_cuda
    wanted = importlib.util.spec_from_file_location(program.stem, program)
    assert wanted is not None and wanted.loader is not None
    module = importlib.util.module_from_spec(wanted)
    sys.modules[program.stem] = module
    wanted.loader.exec_module(module)
    wp.compile_aot_module(module, arch=ARCH, module_dir=str(program.parent))
    build.build_cuda = compiler
    (made,) = seen
    return made


main()
