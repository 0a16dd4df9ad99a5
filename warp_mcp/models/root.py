"""Why modules were built again: kinds of causes, and the lines of code behind the rebuilds."""

from typing import Literal

from warp_mcp.models.base import Model

CauseKind = Literal[
    "kernel_added",
    "kernel_redefined",
    "option_changed",
    "overload_added",
    "dependency_changed",
    "constant_changed",
    "block_dim",
    "unknown",
]


class Victim(Model):
    """One rebuild that a root caused."""

    module: str
    from_hash: str
    to_hash: str
    ms: float
    other_causes: int = 0
    """Causes of this rebuild beside its root: while they stay, the rebuild stays."""


class Root(Model):
    """One line of code and the rebuilds that happened because of it. Each rebuild has exactly one root."""

    kind: CauseKind
    detail: str
    """What happened there, in words."""
    subjects: list[str] = []
    """Names of what changed or came there: kernels, options, constants, functions, structs; the first few."""
    where: str | None
    """`file:line`; null where no line is known."""
    near: str | None = None
    """Where it showed, when `where` is null: the `def` of what refers to it, or the launch that built."""
    owner: str
    """`application`, or the name of the installed library the line is in."""
    cost_ms: float
    victims: list[Victim]
