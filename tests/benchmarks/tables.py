"""Prints figures as a Markdown table with the machine named, or as JSON. Computes nothing but medians."""

import argparse
import json
import os
import platform
import statistics
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options every benchmark has."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--json", action="store_true", help="print JSON instead of a Markdown table")
    made.add_argument(
        "--quick", action="store_true", help="fewer repetitions: to see that it works, not to quote"
    )
    return made


def processor() -> str:
    """Name of the processor, as far as it can be told."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def machine() -> str:
    """Processor, cores, Python and Warp in one line."""
    versions = f"Python {platform.python_version()}, warp-lang {version('warp-lang')}"
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()}, {versions}"


def show(title: str, rows: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """Print rows of equal keys."""
    if as_json:
        print(json.dumps({"title": title, "machine": machine(), "rows": list(rows)}, indent=1))
        return
    print(f"\n{title} ({machine()})\n")
    names = list(rows[0])
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    for row in rows:
        print("| " + " | ".join(str(row[name]) for name in names) + " |")


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation, not scaled."""
    middle = median(values)
    return median([abs(value - middle) for value in values])
