"""Levers and their settings as they are typed."""

from collections.abc import Sequence

from warp_mcp.models.lever import Lever, Setting


def lever_value(value: bool | int | float | str | None) -> str:
    """A value as it is typed: `false`, `none`, `4`."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def setting_words(setting: Setting) -> str:
    """`max_unroll=4`, `app.solver:enable_backward=false`."""
    prefix = f"{setting.module}:" if setting.module else ""
    return f"{prefix}{setting.option}={lever_value(setting.value)}"


def make_lever(settings: Sequence[Setting], preload: int | None = None) -> Lever:
    """A lever with the text that a person would type for it."""
    words = [setting_words(setting) for setting in settings] + ([f"preload={preload}"] if preload else [])
    return Lever(text=",".join(words), settings=list(settings), preload=preload)
