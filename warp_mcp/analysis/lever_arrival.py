"""Whether a lever was what ran: the receipts that its runs left, and why there are none."""

from warp_mcp.analysis.grounds import overlap_grounds
from warp_mcp.analysis.lever_words import lever_value, setting_words
from warp_mcp.analysis.options import EFFECTS, effect
from warp_mcp.models.lever import Lever, Setting
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording


def arrived(unchanged: Report, report: Report, arm: ArmRecording, lever: Lever, *, moved: bool) -> bool:
    """Other hashes or options (`moved`) for a setting, more builds at once for a preload.

    A setting that no hash and no module holds is there when the runs say that they set it to another value,
    and the program did not set it again.
    """
    if lever.settings and moved:
        return True
    if any(_took_hold(setting, unchanged, report, arm) for setting in lever.settings):
        return True
    return bool(lever.preload) and any(one.direction < 0 for one in overlap_grounds(unchanged, report))


def _took_hold(setting: Setting, unchanged: Report, report: Report, arm: ArmRecording) -> bool:
    return (
        _shows_nowhere(setting, unchanged, report)
        and setting.option in arm.changed
        and not _overridden(setting, arm)
    )


def _shows_nowhere(setting: Setting, unchanged: Report, report: Report) -> bool:
    """Whether no module would show that an option of the process took hold, although it concerns some.

    Before Warp 1.15 modules record `None` for some options, and builds read `warp.config` in its place.
    """
    option = setting.option
    entries = [*unchanged.modules, *report.modules]
    concerned = [one for one in entries if option not in EFFECTS or effect(option, one.device)]
    silent = all(one.options.get(option, "None") == "None" for one in concerned)
    return setting.module is None and bool(concerned) and silent


def _overridden(setting: Setting, arm: ArmRecording) -> bool:
    """Whether the program assigned another value; the lever itself is in no record."""
    assigned = {
        change.new.lower()
        for sample in arm.samples
        for process in sample.cold_recording.processes
        for change in process.config
        if change.name == setting.option
    }
    return bool(assigned - {lever_value(setting.value)})


def not_taken(unchanged: Report, report: Report, arm: ArmRecording, lever: Lever) -> str:
    """Why there is no receipt of a lever of which the runs themselves tell no problem."""
    if lever.preload:
        return "no more builds overlapped than without it, so nothing was built ahead side by side"
    already = [one for one in lever.settings if _is_so(unchanged, report, arm, one)]
    if len(already) == len(lever.settings):
        words = " and ".join(setting_words(setting) for setting in already)
        return f"no module took it: the unchanged run has {words} already"
    return "no module took it: the program sets the option itself, or builds nothing that it reaches"


def _is_so(unchanged: Report, report: Report, arm: ArmRecording, setting: Setting) -> bool:
    """Whether every module that records the option, of those it is for, has this value without the lever.

    Where no module would show it: whether the runs found the value there, and the program left it alone.
    """
    values = {
        entry.options[setting.option].lower()
        for entry in unchanged.modules
        if setting.option in entry.options and setting.module in (None, entry.name)
    }
    if values == {lever_value(setting.value)}:
        return True
    untouched = setting.option not in arm.changed and not _overridden(setting, arm)
    return bool(arm.samples) and untouched and _shows_nowhere(setting, unchanged, report)
