"""Reports of made recordings, and the finding of one mechanism in them."""

from typing import Any

from tests.analysis import factories
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import Phase, ProcessRecord
from warp_mcp.models.run import SampleRecording


def finding(label: str, *processes: ProcessRecord, **changes: Any) -> Finding:
    """What a report of one sample of these processes says of a mechanism."""
    return of(label, factories.sample(*processes, **changes))


def of(label: str, *samples: SampleRecording, **request: Any) -> Finding:
    """What a report of these samples says of a mechanism."""
    report = factories.report(*samples, **request)
    return next(one for one in report.findings if one.mechanism == label)


def phases(native: float, **others: float) -> dict[str, Phase]:
    """Phases with these wall times in milliseconds, all of it spent computing."""
    told = {"native_compile": native, **others}
    return {name: Phase(wall_ms=ms, cpu_ms=ms) for name, ms in told.items()}


def modules(count: int, **changes: Any) -> dict[str, Any]:
    """`count` modules, each with one kernel of its own and built once for 150 ms, and each launched."""
    each: list[dict[str, Any]] = [{"name": f"m{i}", "module": i, "kernels": [i]} for i in range(count)]
    load = {"phases": phases(130.0), "ms": 150.0, **changes}
    return {
        "modules": [factories.module(i, f"m{i}") for i in range(count)],
        "kernels": [factories.kernel(i, f"k{i}", module=i) for i in range(count)],
        "loads": [factories.load(f"h{i}", 1000 + 500 * i, **{**load, **one}) for i, one in enumerate(each)],
        "signatures": [
            factories.signature(i, f"k{i}", module=i, hash=f"h{i}", **_variant(load)) for i in range(count)
        ],
        "streams": factories.launched(*range(count)),
    }


def _variant(load: dict[str, Any]) -> dict[str, Any]:
    return {key: load[key] for key in ("device", "block_dim") if key in load}
