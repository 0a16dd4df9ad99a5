"""Global options that were assigned too late for modules that loaded afterwards."""

from collections.abc import Iterator
from dataclasses import dataclass

from warp_mcp.models.recording import ConfigChange, LoadRecord, ModuleRecord, ProcessRecord

INHERITED = (
    "enable_backward",
    "max_unroll",
    "lineinfo",
    "deterministic",
    "deterministic_max_records",
    "compile_time_trace",
)
"""Options that a module copies from `warp.config` when it is created (Warp 1.19, `Module.__init__`): a later
assignment does not reach it. The others are resolved when the module is hashed."""


@dataclass(frozen=True)
class LateOption:
    """A module that loaded after an assignment without getting it."""

    module: str
    option: str
    new: str
    """What was assigned."""
    kept: str
    """What the module was built with."""
    where: str | None


def late_options(process: ProcessRecord) -> Iterator[LateOption]:
    """The options that modules of one process missed, each once."""
    told: set[tuple[str, str]] = set()
    born = {module.id: module for module in process.modules}
    for load in sorted(process.loads, key=lambda load: load.begin_ms):
        module = born.get(load.module)
        for option in INHERITED:
            change = _in_force(process, option, load.begin_ms)
            if module is None or change is None or (load.name, option) in told:
                continue
            if _missed(process, module, load, change):
                told.add((load.name, option))
                yield LateOption(
                    load.name, option, change.new, load.options[option], change.where or change.via
                )


def _in_force(process: ProcessRecord, option: str, until_ms: float) -> ConfigChange | None:
    """The last assignment of an option before a time."""
    changes = [change for change in process.config if change.name == option and change.t_ms <= until_ms]
    return max(changes, key=lambda change: change.t_ms, default=None)


def _missed(process: ProcessRecord, module: ModuleRecord, load: LoadRecord, change: ConfigChange) -> bool:
    """Whether the module is older than the assignment and kept the value that it had copied, unasked."""
    kept = load.options.get(change.name)
    own = any(c.module == module.id and c.option == change.name for c in process.options)
    copied = kept is not None and kept == module.options.get(change.name)
    return module.t_ms < change.t_ms and copied and not own and kept != change.new
