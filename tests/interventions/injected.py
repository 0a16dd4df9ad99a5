"""Running a program with the recorder and with interventions, on a cache of its own, and what they left."""

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warp_mcp.models.recording import LoadRecord, Recording
from warp_mcp.reading import read_recording
from warp_mcp.running.environment import INTERVENTION, INTERVENTIONS, RECORD_DIR, RECORDER


@dataclass(frozen=True)
class Ran:
    """One run, after it."""

    code: int
    output: str
    errors: str
    records: Path
    cache: Path

    @property
    def recording(self) -> Recording:
        return read_recording(str(self.records), str(self.cache))

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """What an intervention wrote, of all processes."""
        files = sorted(self.records.glob(f"*.{kind}"))
        return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]

    def loads(self) -> list[LoadRecord]:
        return [load for process in self.recording.processes for load in process.loads]

    def load(self, module: str) -> LoadRecord:
        """The only load of a module."""
        (found,) = [load for load in self.loads() if load.name == module]
        return found


def run(
    directory: Path,
    program: str,
    parts: dict[str, Any] | None = None,
    *,
    name: str = "program.py",
    cache: Path | None = None,
    command: list[str] | None = None,
    python: str = sys.executable,
    env: dict[str, str] | None = None,
    timeout: float = 240,
) -> Ran:
    """Run a program, written to `name` in `directory`, with interventions as `running/` would inject them.

    `parts`: what each is told, by name, as in `pass.json`; without it only the recorder is there. `command`
    follows the interpreter, in place of the program's file.
    """
    number = len(list(directory.glob("records-*")))
    records, own = directory / f"records-{number}", directory / f"cache-{number}"
    records.mkdir()
    (directory / name).write_text(textwrap.dedent(program), encoding="utf-8")
    front, added = [RECORDER], {RECORD_DIR: str(records)}
    if parts is not None:
        (records / "pass.json").write_text(json.dumps(parts), encoding="utf-8")
        front.append(INTERVENTIONS)
        added[INTERVENTION] = ",".join(parts)
    environment = {
        **os.environ,
        "TMPDIR": str(directory),
        "WARP_CACHE_PATH": str(cache or own),
        **added,
        "PYTHONPATH": os.pathsep.join(front),
        **(env or {}),
    }
    done = subprocess.run(
        [python, *(command or [name])],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr, records, cache or own)


def settings(*given: tuple[str, object] | tuple[str, object, str]) -> dict[str, Any]:
    """What the intervention `levers` is told: (option, value) or (option, value, module)."""
    told = [{"option": one[0], "value": one[1], "module": one[2] if len(one) == 3 else None} for one in given]
    return {"levers": {"settings": told, "preload": None}}
