"""Writes the recordings of this folder: runs on a GPU that no machine recorded, in the recorder's format.

    python -m tests.recordings.making

Each first line carries `"made": true`. A recording of the same name that a machine has made takes its place.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
APP = "/app/simulate.py"
START = 5_000_000_000_000
"""Nanoseconds of the monotonic clock at which every made process starts."""
MS = 1_000_000

OPTIONS = {
    "max_unroll": "16",
    "enable_backward": "False",
    "enable_mathdx_gemm": "True",
    "fast_math": "False",
    "fuse_fp": "True",
    "lineinfo": "False",
    "mode": "release",
    "use_precompiled_headers": "True",
    "verify_autograd_array_access": "False",
}

Event = dict[str, Any]


@dataclass
class Run:
    """One process: its modules and builds, each launched kernel once or more."""

    events: list[Event] = field(default_factory=list[Event])
    modules: int = 0
    kernels: int = 0
    launches: list[int] = field(default_factory=list[int])

    def module(self, name: str, *kernels: str, made: str = "file", **options: str) -> "Module":
        number, self.modules = self.modules, self.modules + 1
        born = {**OPTIONS, **options, "block_dim": "256"}
        where = f"/app/{name}.py:4"
        self.say("module", id=number, name=name, t=_at(400), options=born, made=made, where=where, via=None)
        ids: dict[str, int] = {}
        for line, kernel in enumerate(kernels):
            ids[kernel], self.kernels = self.kernels, self.kernels + 1
            self.kernel(ids[kernel], number, name, kernel, 6 + 8 * line)
        return Module(self, number, name, ids, {**OPTIONS, **options})

    def kernel(self, number: int, module: int, file: str, name: str, line: int) -> None:
        self.say(
            "kernel",
            id=number,
            object=number,
            module=module,
            key=name,
            name=name,
            defined_at=f"/app/{file}.py:{line}",
            generic=False,
            signature="",
            arg_types=["array1d[float32]"],
            digest=f"{number:016x}",
            constants={},
            uses={},
            uses_at={},
            constants_at={},
            options={},
        )

    def say(self, kind: str, **fields: Any) -> None:
        self.events.append({"e": kind, **fields})

    @property
    def end(self) -> int:
        """When the last build was complete."""
        return max(event["t1"] for event in self.events if event["e"] == "load")

    def lines(self) -> list[str]:
        first: Event = {
            "e": "process",
            "wire": 1,
            "made": True,
            "run": "",
            "pid": 4000,
            "ppid": 3999,
            "argv": ["/usr/bin/python3", APP],
            "python": "3.12.4",
            "executable": "/usr/bin/python3",
            "cwd": "/app",
            "forked": False,
            "t": _at(20),
            "started": START,
        }
        before: list[Event] = [
            {"e": "mark", "name": "warp_import_begin", "t": _at(50)},
            {"e": "warp", "version": "1.19.0", "path": "/site/warp"},
            {"e": "mark", "name": "warp_import_end", "t": _at(350)},
        ]
        after: list[Event] = [
            {"e": "thread", "thread": 0, "area": 1},
            {
                "e": "fold",
                "thread": 0,
                "gen": 1,
                "closed": [[self.launches, len(self.launches)]],
                "open": None,
                "end": True,
            },
            {"e": "exit", "t": self.end + _ns(200), "hook_ns": 9 * MS},
        ]
        return [json.dumps(event) for event in (first, *before, *self.events, *after)]


@dataclass(frozen=True)
class Module:
    """One module of a run."""

    run: Run
    number: int
    name: str
    ids: dict[str, int]
    options: dict[str, str]

    def builds(
        self,
        begin_ms: float,
        ms: float,
        *,
        block_dim: int = 256,
        device: str = "cuda:0",
        thread: int = 1,
        lto: dict[str, tuple[int, float]] | None = None,
        adjoint_bytes: int = 0,
        forced: bool = False,
        line: int = 30,
    ) -> "Module":
        """One build. `lto`: by side the number of links and their milliseconds, within `ms`."""
        links = lto or {}
        linking = sum(spent for _, spent in links.values())
        phases = {"hash": 1.0, "codegen": 12.0, "native_compile": ms - linking - 17.0, "load": 4.0}
        phases |= {"lto": linking} if links else {}
        identity = self.identity(block_dim)
        times = {"t0": _at(begin_ms), "t1": _at(begin_ms + ms), "cpu_ns": _ns(ms)}
        self.run.say(
            "load",
            module=self.number,
            name=self.name,
            hash=identity,
            device=device,
            block_dim=block_dim,
            status="compiled",
            **times,
            nested_ns=0,
            within=False,
            thread=thread,
            phases={name: [_ns(spent), _ns(spent)] for name, spent in phases.items()},
            kernels=list(self.ids.values()),
            options=self.options,
            source_bytes=6000 * len(self.ids) + adjoint_bytes,
            adjoint_bytes=adjoint_bytes,
            statements=60 * len(self.ids),
            unrolled=0,
            lto=sum(count for count, _ in links.values()),
            lto_parts={side: [count, _ns(spent)] for side, (count, spent) in links.items()},
            headers=0,
            where=f"{APP}:{line}",
            via=None,
            error=None,
            forced=forced,
            hook_ns=MS,
        )
        return self

    def launches(self, kernel: str, *, block_dim: int = 256, device: str = "cuda:0", times: int = 1) -> None:
        """Launch a kernel, forward."""
        slot = len(set(self.run.launches))
        self.run.say(
            "launched",
            id=slot,
            module=self.number,
            hash=self.identity(block_dim),
            kernel=kernel,
            digest=f"{self.ids[kernel]:016x}",
            device=device,
            block_dim=block_dim,
            types=["array1d[float32]"],
            adjoint=False,
        )
        self.run.say("signature", slot=slot, launched=slot, dim=[4096])
        self.run.launches += [slot] * times

    def identity(self, block_dim: int) -> str:
        return f"{self.number + 1:032x}{block_dim:032x}"


def _ns(ms: float) -> int:
    return round(ms * MS)


def _at(ms: float) -> int:
    return START + _ns(ms)


# --- the runs -----------------------------------------------------------------------------------


def one_module_at_three_block_dims() -> Run:
    """CS-5: each of three kernels has a block_dim of its own, and the module of all is built at each."""
    run = Run()
    solver = run.module("solver", "assemble", "solve", "scatter")
    for step, (kernel, block_dim) in enumerate((("assemble", 64), ("solve", 128), ("scatter", 256))):
        solver.builds(1000 + 1000 * step, 900, block_dim=block_dim, line=30 + step)
        solver.launches(kernel, block_dim=block_dim)
    return run


def one_module_for_each_block_dim() -> Run:
    """CS-5 repaired: a module for each block_dim, loaded side by side before the first launch."""
    run = Run()
    named = (("assemble", 64), ("solve", 128), ("scatter", 256))
    modules = [
        run.module(f"solver_{kernel}", kernel).builds(
            1000 + 2 * thread, 420 + thread, block_dim=block_dim, thread=thread + 1, forced=True, line=20
        )
        for thread, (kernel, block_dim) in enumerate(named)
    ]
    for module, (kernel, block_dim) in zip(modules, named, strict=True):
        module.launches(kernel, block_dim=block_dim)
    return run


def one_module_on_two_devices() -> Run:
    """No fault: one module for two GPUs, at one block_dim."""
    run = Run()
    solver = run.module("solver", "assemble", "solve")
    for step in (0, 1):
        solver.builds(1000 + 900 * step, 800, device=f"cuda:{step}")
        solver.launches("solve", device=f"cuda:{step}")
    solver.launches("assemble")
    return run


def tiles_linked_forward_and_backward() -> Run:
    """CS-7, and CS-10: MathDx links of a tile product, two of them for backward code that is never used."""
    run = Run()
    gemm = run.module("gemm", "multiply", enable_backward="True")
    gemm.builds(
        1000, 8900, lto={"forward": (1, 2600.0), "adjoint": (2, 5300.0)}, adjoint_bytes=5000
    ).launches("multiply")
    return run


def tiles_linked_forward() -> Run:
    """CS-10 repaired, CS-7 left: the module has no backward code, so one link is left."""
    run = Run()
    gemm = run.module("gemm", "multiply")
    gemm.builds(1000, 3480, lto={"forward": (1, 2600.0)}).launches("multiply")
    return run


def tiles_whose_kernel_alone_goes_without_backward() -> Run:
    """CS-10, and CS-7: `enable_backward=False` of the kernel takes the adjoint source away, not the links."""
    run = Run()
    gemm = run.module("gemm", "multiply", enable_backward="True")
    run.events[-1]["options"] = {"enable_backward": "False"}
    gemm.builds(1000, 8950, lto={"forward": (1, 2600.0), "adjoint": (2, 5300.0)}).launches("multiply")
    return run


def tiles_without_links() -> Run:
    """CS-7 repaired: Warp's own product of tiles."""
    run = Run()
    gemm = run.module("gemm", "multiply", enable_mathdx_gemm="False")
    gemm.builds(1000, 560).launches("multiply")
    return run


PARTS = ("contact", "integrator", "collision", "sensors")


def modules_built_in_turn() -> Run:
    """CS-13: four modules, each built at its first launch."""
    run = Run()
    for step, name in enumerate(PARTS):
        part = run.module(name, f"{name}_begin", f"{name}_end")
        part.builds(1000 + 1500 * step, 1400, line=30 + step)
        part.launches(f"{name}_begin")
        part.launches(f"{name}_end")
    return run


def modules_built_side_by_side() -> Run:
    """CS-13 repaired: the four modules are loaded by four threads before the first launch."""
    run = Run()
    parts = [
        run.module(name, f"{name}_begin", f"{name}_end").builds(
            1000 + 2 * thread, 1900 + thread, thread=thread + 1, forced=True, line=20
        )
        for thread, name in enumerate(PARTS)
    ]
    for name, part in zip(PARTS, parts, strict=True):
        part.launches(f"{name}_begin")
        part.launches(f"{name}_end")
    return run


RUNS = (
    one_module_at_three_block_dims,
    one_module_for_each_block_dim,
    one_module_on_two_devices,
    tiles_linked_forward_and_backward,
    tiles_linked_forward,
    tiles_whose_kernel_alone_goes_without_backward,
    tiles_without_links,
    modules_built_in_turn,
    modules_built_side_by_side,
)


def text_of(run: Run) -> str:
    """The record file of a made run."""
    return "\n".join(run.lines()) + "\n"


def main() -> None:
    """Write every recording."""
    for make in RUNS:
        directory = HERE / make.__name__
        directory.mkdir(exist_ok=True)
        (directory / f"4000-{_at(20)}.jsonl").write_text(text_of(make()), encoding="utf-8")


if __name__ == "__main__":
    main()
