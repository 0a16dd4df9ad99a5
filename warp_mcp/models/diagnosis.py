"""What `warp-mcp doctor` finds, and how clients are told to start the server. Looks at nothing itself."""

from typing import Literal

from pydantic import Field

from warp_mcp.models.base import Model

SCHEMA = "warp-mcp/diagnosis/1"

CheckStatus = Literal["ok", "warning", "problem"]
"""`problem`: measuring or serving will not work. `warning`: it works, and something may surprise."""

ClientName = Literal["claude-code", "claude-desktop", "codex", "vscode", "cursor", "python"]


class InstalledWarp(Model):
    """What an interpreter says of the Warp it would import, without importing it."""

    path: str
    """Absolute path of the interpreter."""
    python: str | None = None
    """Its version; null when it could not be asked."""
    found: bool = False
    """Whether there is a package called `warp`."""
    warp: str | None = None
    """Version of the distribution `warp-lang`; null when there is none, as in a source checkout."""
    error: str | None = None
    """Why it could not be asked; one line."""


class StartedWarp(Model):
    """What Warp says of itself once it is imported and initialised, in a process of its own."""

    warp: str | None = None
    """`warp.config.version`; null when it did not start, or is no NVIDIA Warp."""
    gpus: list[str] = []
    """CUDA devices as Warp names them: `cuda:0 NVIDIA H200 (sm_90)`."""
    driver: str | None = None
    """The newest CUDA version that the driver supports, as Warp sees it; null without a GPU."""
    error: str | None = None
    """Why it did not start: the last line of what it wrote, or that it took too long."""


class Check(Model):
    """One thing that was looked at."""

    name: str
    """For programs; stays the same between releases."""
    title: str
    status: CheckStatus
    message: str
    """What was found: plain sentences."""
    next: str = ""
    """What to do; empty when it is `ok`."""


class ClientConfiguration(Model):
    """What tells one client to start this server, ready to be pasted."""

    client: ClientName
    title: str
    place: str
    """The file it goes into, or where else."""
    language: Literal["json", "toml", "sh", "python"]
    text: str


class ServeOption(Model):
    """An option of `warp-mcp serve` that limits what a client can do with it."""

    option: str
    example: list[str]
    """Words to add behind `serve`."""
    meaning: str


class Diagnosis(Model):
    """All checks, in the order they were made, and the configuration of clients."""

    schema_: str = Field(default=SCHEMA, alias="schema", serialization_alias="schema")
    version: str
    """Of warp-mcp."""
    command: list[str]
    """Absolute words that start this installation's `warp-mcp`."""
    checks: list[Check]
    configurations: list[ClientConfiguration]
    serve_options: list[ServeOption]

    @property
    def healthy(self) -> bool:
        """Whether nothing is a problem; warnings are none."""
        return all(check.status != "problem" for check in self.checks)
