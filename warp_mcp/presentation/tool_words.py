"""Words of the command line in the words of the tools, for what is said of a report at both doors."""

import re

from warp_mcp.models.finding import Warning

_ARGUMENTS = {
    "--against": "against",
    "--cwd": "cwd",
    "--floor": "floor",
    "--force": "rehearse_force",
    "--label": "label",
    "--lever": "levers",
    "--lever-budget": "lever_budget_s",
    "--outputs": "outputs",
    "--outputs-budget": "outputs_budget_mb",
    "--rehearse-cuda": "rehearse_cuda",
    "--rehearse-workers": "rehearse_workers",
    "--rehearsals": "rehearsals",
    "--samples": "samples",
    "--steady-state": "steady_state",
    "--stop-after-launches": "stop_after_launches",
    "--stop-when-quiet": "stop_when_quiet_s",
    "--timeout": "timeout_s",
    "--until-output": "until_output",
}
_OPTION = re.compile(rf"(?<!\S)`?({'|'.join(_ARGUMENTS)})(?![\w-])")


def in_tool_words(warning: Warning) -> Warning:
    """The same warning, whose next step names arguments of the tool `measure`, not options."""
    step = _OPTION.sub(lambda found: found[0].replace(found[1], _ARGUMENTS[found[1]]), warning.next)
    return warning.model_copy(update={"next": step})
