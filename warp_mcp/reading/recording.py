"""One run's record directory and cache to one `Recording`."""

from pathlib import Path

from warp_mcp.models.recording import ProcessRecord, Recording
from warp_mcp.reading.lines import DamagedRecord
from warp_mcp.reading.process import read_process


def read_recording(record_dir: str, cache_dir: str) -> Recording:
    """Every process that left a record, oldest first; records that cannot be read are named in `damaged`."""
    processes: list[ProcessRecord] = []
    damaged: list[str] = []
    for path in sorted(Path(record_dir).glob("*.jsonl")):
        try:
            processes.append(read_process(path))
        except DamagedRecord as error:
            damaged.append(str(error))
        except (OSError, KeyError, TypeError, ValueError) as error:
            damaged.append(f"{path.name}: {type(error).__name__}: {error}")
    processes.sort(key=lambda process: process.attached_ms)
    return Recording(
        processes=processes, damaged=damaged, cache_dir=cache_dir, lto_artifacts=_lto_artifacts(cache_dir)
    )


def _lto_artifacts(cache_dir: str) -> int:
    return sum(1 for path in Path(cache_dir).rglob("*.lto") if path.is_file())
