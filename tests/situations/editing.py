"""Measures and compares a small program before and after an edit of its text, as a user makes it."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.situations.measuring import SAMPLES, Measured, Probe

PROGRAM = "program.py"


@dataclass(frozen=True)
class Edit:
    """What is changed in a program: pieces of its text by what stands there afterwards."""

    says: str
    """The change in words: the name of the test."""
    changes: Mapping[str, str]
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further files that lie beside the edited program, by name."""


def text_of(name: str) -> str:
    """The text of a sample, by its path under `samples` without `.py`."""
    return (SAMPLES / f"{name}.py").read_text(encoding="utf-8")


def edited(text: str, edit: Edit) -> str:
    """The text after the edit. A piece that is not there is a mistake in the test."""
    for old, new in edit.changes.items():
        assert old in text, f"not in the program: {old}"
        text = text.replace(old, new)
    return text


def measured(
    root: Path, text: str, *options: str, samples: int = 1, files: Mapping[str, str] | None = None
) -> Measured:
    """Write the program into a directory and measure it there, as `program.py`."""
    probe = Probe(root)
    for name, content in {**(files or {}), PROGRAM: text}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    found = probe.measure(sys.executable, PROGRAM, samples=samples, options=options)
    assert found.sample["exit_code"] == 0, found.sample
    return found


def compared(root: Path, before: Path, after: Path) -> tuple[dict[str, Any], int]:
    """The comparison of the reports in two directories as parsed JSON, and the exit code."""
    target = root / "comparison.json"
    reports = [str(directory / "report.json") for directory in (before, after)]
    process = Probe(root).run("compare", *reports, "--json", str(target))
    assert target.exists(), process.stderr
    return json.loads(target.read_text(encoding="utf-8")), process.returncode
