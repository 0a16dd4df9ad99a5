"""Runs `warp-mcp` as a user does, in a home, temp and state directory of one test, and reads the report JSON.

Holds no expectation: what a situation must show stands in the tests.
"""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parents[1] / "samples"
PROBE = Path(sysconfig.get_path("scripts")) / "warp-mcp"
LEFT_BY_WARP = ("wp_pch", "warp_pch")
"""Header folders a target leaves in the temp directory when it crashes, also without the probe."""


@dataclass(frozen=True)
class Measured:
    """A report as parsed JSON, and how the command line ended."""

    report: dict[str, Any]
    process: "subprocess.CompletedProcess[str]"

    @property
    def text(self) -> str:
        """Everything the command line printed, on one line, so that a wrapped sentence can be found."""
        return " ".join((self.process.stdout + self.process.stderr).split())

    @property
    def sample(self) -> dict[str, Any]:
        return self.report["samples"][0]

    @property
    def launches(self) -> dict[str, Any]:
        return self.report["launches"]

    def modules(self, status: str | None = "compiled") -> list[dict[str, Any]]:
        return [entry for entry in self.report["modules"] if status is None or entry["status"] == status]

    def builds(self) -> int:
        return sum(entry["builds"] for entry in self.modules())

    def causes(self) -> list[dict[str, Any]]:
        return [cause for rebuild in self.report["rebuilds"] for cause in rebuild["causes"]]

    def warnings(self) -> dict[str, dict[str, Any]]:
        return {warning["code"]: warning for warning in self.report["warnings"]}

    def finding(self, mechanism: str) -> dict[str, Any]:
        return next(entry for entry in self.report["findings"] if entry["mechanism"] == mechanism)


@dataclass
class Probe:
    """The command line, in a world of its own: the developer's home and temp directory are not touched."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("home", "tmp"):
            (self.root / name).mkdir(exist_ok=True)
        dropped = ("PYTHONPATH", "WARP_CACHE_PATH", "XDG_CACHE_HOME", "COLUMNS")
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in dropped},
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"),
            "WARP_MCP_STATE_DIR": str(self.root / "state"),
        }

    def run(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        limit_s: float = 280,
    ) -> "subprocess.CompletedProcess[str]":
        """Run `warp-mcp ARGUMENTS` to its end, with something on standard input that no target may see."""
        return subprocess.run(
            [str(PROBE), *arguments],
            env={**self.environment, **(env or {})},
            cwd=cwd or self.root,
            input="typed by the user\nand more\n",
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=limit_s,
            check=False,
        )

    def measure(
        self,
        *command: str,
        samples: int = 1,
        options: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        name: str = "report",
        limit_s: float = 280,
    ) -> Measured:
        """Measure a command; fail when no report was written."""
        target = self.root / f"{name}.json"
        arguments = ("measure", "--samples", str(samples), "--json", str(target), *options, "--", *command)
        process = self.run(*arguments, env=env, cwd=cwd, limit_s=limit_s)
        shown = f"{process.stdout[-3000:]}\n{process.stderr[-3000:]}"
        assert target.exists(), f"no report; exit {process.returncode}\n{shown}"
        assert "Traceback (most recent call last)" not in process.stderr.replace("│", ""), shown
        return Measured(json.loads(target.read_text(encoding="utf-8")), process)

    def leftovers(self, *, warps_own: bool = True) -> list[str]:
        """What lies in the temp directory; without Warp's own header folders unless asked."""
        names = sorted(path.name for path in (self.root / "tmp").iterdir())
        return [name for name in names if warps_own or not name.startswith(LEFT_BY_WARP)]


def sample(name: str) -> str:
    """Path of a sample, by its name without `.py`."""
    return str(SAMPLES / (name if name.endswith(".sh") else f"{name}.py"))


def python(name: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a sample with our own interpreter."""
    return (sys.executable, sample(name), *arguments)


def marked(name: str, marker: str) -> str:
    """`file:line` of the line of a sample that carries the comment `# here: MARKER`."""
    path = Path(sample(name))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.endswith(f"# here: {marker}"):
            return f"{path.name}:{number}"
    raise LookupError(f"{path} has no line marked {marker}")


def alive(pid: int) -> bool:
    """Whether a process still runs; a zombie does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"
