"""What an option takes from a program, option by option, and whether the measured run used it.

Sources: the descriptions of the options in `warp/config.py` and `set_module_options` (Warp 1.19.0), and the
chapter on trade-offs in `references/mechanisms.md`. An option that is not in the table is said to be unknown.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from warp_mcp.analysis.lever_words import setting_words
from warp_mcp.analysis.texts import counted, listed
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.lever import Lever, Setting
from warp_mcp.models.report import Report

_OFF = (False, None, 0)
"""Values that switch an option off."""


@dataclass(frozen=True)
class _Used:
    """One setting, with what is known of the runs it was tried in."""

    setting: Setting
    unchanged: Report
    compared: Comparison

    @property
    def name(self) -> str:
        """As typed."""
        return setting_words(self.setting)

    @property
    def off(self) -> bool:
        """Whether it takes something off, rather than switching it on."""
        return self.setting.value in _OFF


_Told = Callable[[_Used], Iterator[str]]


def takes_away(lever: Lever, unchanged: Report, compared: Comparison) -> list[str]:
    """Sentences: for each setting what it would take away, and whether the unchanged run used that.

    Each begins with its setting where there are several.
    """
    found: list[str] = []
    for setting in lever.settings:
        found += _told(setting.option)(_Used(setting, unchanged, compared))
    if lever.preload:
        found.append(
            f"preload={lever.preload}: nothing of what the program computes. Builds side by side take more "
            "work in all and more memory at once. Here only what the unchanged run builds was built ahead; "
            "in the program, `wp.force_load` without `modules` builds also what a run would not have reached."
        )
    return found if len(found) > 1 else [_alone(sentence) for sentence in found]


def _alone(sentence: str) -> str:
    """A sentence without its setting."""
    rest = sentence.partition("=")[2].partition(": ")[2]
    return f"{rest[:1].upper()}{rest[1:]}"


def _told(option: str) -> _Told:
    for beginning, told in _TABLE.items():
        if option.startswith(beginning):
            return told
    return _unknown


def _gradients(used: _Used) -> Iterator[str]:
    if not used.off:
        yield f"{used.name}: nothing; builds hold backward code too, and take longer."
        return
    entries = [one for one in used.unchanged.modules if used.setting.module in (None, one.name)]
    adjoint = sum(one.adjoint_launches for one in entries)
    if adjoint:
        names = listed([one.name for one in entries if one.adjoint_launches])
        launches = counted(adjoint, "adjoint kernel")
        yield f"{used.name}: gradients. This run launched {launches}, of {names}: lost without an error."
        return
    told = (
        "this run used none" if used.unchanged.launches.complete else "whether this run used any is not known"
    )
    yield (
        f"{used.name}: gradients; {told}. Programs that import these modules may: there a backward pass "
        "leaves zeros without an error."
    )


def _digits(used: _Used) -> Iterator[str]:
    if used.off:
        yield f"{used.name}: speed of the launches, and with it the last digits change. {_speed(used)}"
    else:
        yield f"{used.name}: exactness: results differ in the last digits, or more. {_numbers(used)}"


def _run_time(used: _Used) -> Iterator[str]:
    yield f"{used.name}: launches may be slower. {_speed(used)}"


def _mode(used: _Used) -> Iterator[str]:
    what = "bounds checks and assertions" if used.setting.value == "release" else "speed of the launches"
    yield f"{used.name}: {what}. {_speed(used)}"


def _mathdx(used: _Used) -> Iterator[str]:
    how = "Warp's own code stands in for MathDx" if used.off else "MathDx stands in for Warp's own code"
    yield (
        f"{used.name}: {how}, so launches take another time and results differ in the last digits, or more. "
        f"{_speed(used)} {_numbers(used)}"
    )


def _headers(used: _Used) -> Iterator[str]:
    if not used.off:
        yield f"{used.name}: nothing of what the program computes; the first CPU build pays for the header."
        return
    yield (
        f"{used.name}: a setting of the whole process, for an entry point only: a program that builds "
        "more CPU modules than this one pays for each of them."
    )


def _cache(used: _Used) -> Iterator[str]:
    if used.off:
        yield f"{used.name}: reuse of the cache: every start builds all its modules again."
    else:
        yield f"{used.name}: nothing of what the program computes; what was built before is not built again."


def _profiling(used: _Used) -> Iterator[str]:
    if used.off:
        yield f"{used.name}: line numbers in profilers and debuggers."
    else:
        yield f"{used.name}: nothing of what the program computes; builds may take longer."


def _checks(used: _Used) -> Iterator[str]:
    if used.off:
        yield f"{used.name}: the checks it makes: what they would find goes unseen."
    else:
        yield f"{used.name}: speed: every launch is checked. {_speed(used)}"


def _repeatable(used: _Used) -> Iterator[str]:
    if used.off:
        yield f"{used.name}: results that are the same to the bit from run to run. {_numbers(used)}"
    else:
        yield f"{used.name}: launches may be slower. {_speed(used)}"


def _unknown(used: _Used) -> Iterator[str]:
    yield f"{used.name}: what it takes away is not known here; read what Warp's documentation says of it."


_TABLE: dict[str, _Told] = {
    "cache_kernels": _cache,
    "enable_backward": _gradients,
    "fast_math": _digits,
    "fuse_fp": _digits,
    "max_unroll": _run_time,
    "optimization_level": _run_time,
    "enable_tiles_in_stack_memory": _run_time,
    "default_grid_stride": _run_time,
    "mode": _mode,
    "enable_mathdx_": _mathdx,
    "use_precompiled_headers": _headers,
    "lineinfo": _profiling,
    "line_directives": _profiling,
    "verify_": _checks,
    "deterministic": _repeatable,
}
"""Beginnings of option names."""


def _numbers(used: _Used) -> str:
    """Whether outputs were compared, and what came of it."""
    return {
        "identical": "Outputs were compared: identical.",
        "within_tolerance": "Outputs were compared: within the tolerance.",
        "incomplete": "Outputs were compared: equal as far as recorded; a kernel that changed is not in it.",
        "different": "Outputs were compared: they differ.",
        "not_deterministic": "Outputs were compared, but the program differs from itself.",
        "not_recorded": "Outputs were not compared.",
    }[used.compared.outputs.status]


def _speed(used: _Used) -> str:
    """Whether launches were timed, and what came of it."""
    times = used.compared.steady_state
    unsure = f"; {times.hidden}" if times.hidden else ""
    return {
        "same": "Launches were timed: the same, within the noise.",
        "within_noise": f"Launches were timed: none stands out, but {times.hidden or 'noise hides much'}.",
        "faster": f"Launches were timed: some are faster{unsure or ', none slower'}.",
        "slower": "Launches were timed: some are slower.",
        "mixed": "Launches were timed: some are slower, some faster.",
        "not_recorded": "Launches were not timed.",
    }[times.status]
