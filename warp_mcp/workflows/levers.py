"""What a person types as a lever, to the settings it stands for.

enable_backward=false                one option, for the whole process
enable_backward=false,max_unroll=4   several, applied together
pkg.solver:enable_backward=false     for one module, named as in the report; the prefix holds for this one
preload=4                            no option: build the modules of the unchanged run side by side
"""

import difflib
from typing import NamedTuple, NoReturn

from warp_mcp.errors import UsageError
from warp_mcp.models.lever import Lever, Setting
from warp_mcp.models.lever_options import MOST_WORKERS, NO_LEVERS, OPTIONS, LeverOption

PRELOAD = "preload"
_MOST_DIGITS = 40
_SHOWN = 80
"""Characters of a value that a refusal repeats."""
_NOTHING = ("none", "null")
_TRUTH = {"true": True, "false": False}
_FORM = "Write `option=value`, `module:option=value` or `preload=N`; join several with commas."


def parse_lever(text: str) -> Lever:
    """The lever that a text stands for.

    Raises UsageError, code `bad_lever`, for what no run could apply.
    """
    settings: list[Setting] = []
    preload: int | None = None
    for part in text.split(","):
        name, value, module = _split(part, text)
        if name == PRELOAD:
            if preload is not None:
                _refuse(f"The lever `{text}` names `preload` twice.", "Name it once.")
            preload = _workers(value, module)
        else:
            settings.append(_setting(name, value, module))
    _refuse_twice(settings, text)
    return Lever(text=text, settings=settings, preload=preload)


class _Part(NamedTuple):
    name: str
    value: str
    module: str | None


def _split(part: str, text: str) -> _Part:
    left, equals, value = part.partition("=")
    module, colon, name = left.rpartition(":")
    name, module = name.strip(), module.strip()
    if not name or not equals or (colon and not module):
        shown = part.strip() or "nothing"
        where = "" if part == text else f" in the lever `{text}`"
        _refuse(f"`{shown}`{where} is not an option with a value.", _FORM)
    return _Part(name, value.strip(), module or None)


def _workers(value: str, module: str | None) -> int:
    if module is not None:
        _refuse(
            f"`preload` cannot be given for one module (`{module}`).",
            "It builds all modules of the unchanged run: write `preload=N`.",
        )
    workers = _whole(value)
    if workers is None or not 2 <= workers <= MOST_WORKERS:
        _refuse(
            f"`preload={value[:_SHOWN]}` names no number of workers.",
            f"Give a whole number from 2 to {MOST_WORKERS}.",
        )
    return workers


def _setting(name: str, value: str, module: str | None) -> Setting:
    option = OPTIONS.get(name)
    if option is None:
        _refuse_option(name)
    if module is not None and option.place == "process":
        _refuse(
            f"`{name}` exists for the whole process only, so it cannot be set for the module `{module}`.",
            f"Write `{name}={value}`, which every module gets.",
        )
    return Setting(option=name, value=_value(name, value, option), module=module)


def _refuse_option(name: str) -> NoReturn:
    if name in NO_LEVERS:
        _refuse(
            f"`{name}` is no lever: {NO_LEVERS[name]}.", f"Options that builds read: {', '.join(OPTIONS)}."
        )
    near = difflib.get_close_matches(name.lower(), [*OPTIONS, PRELOAD], n=3, cutoff=0.6)
    known = f"Did you mean {_listed(near)}?" if near else f"Known: {', '.join(OPTIONS)}."
    _refuse(f"Warp has no option `{name}` that a build reads.", known)


def _value(name: str, text: str, option: LeverOption) -> bool | int | str | None:
    if option.none and text.lower() in _NOTHING:
        return None
    value: bool | int | str | None = None
    if option.kind == "boolean":
        value = _TRUTH.get(text.lower())
    elif option.kind == "integer":
        number = _whole(text)
        value = number if number is not None and option.least <= number <= option.most else None
    elif option.values:
        value = text.lower() if text.lower() in option.values else None
    else:
        value = text
    if value is None:
        _refuse(f"`{name}` cannot be `{text[:_SHOWN]}`.", f"It takes {_takes(option)}.")
    return value


def _whole(text: str) -> int | None:
    """The whole number that a text is; none where it has more digits than any option."""
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > _MOST_DIGITS:
        return None
    return int(text)


def _takes(option: LeverOption) -> str:
    """The values that an option has, in words."""
    nothing = ["none"] if option.none else []
    if option.kind == "boolean":
        return _listed(["true", "false", *nothing])
    if option.values:
        return _listed([*option.values, *nothing])
    number = f"a whole number from {option.least} to {option.most}"
    return number + (" or `none`" if option.none else "")


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _refuse_twice(settings: list[Setting], text: str) -> None:
    seen: set[tuple[str, str | None]] = set()
    for one in settings:
        if (one.option, one.module) in seen:
            of = f" for the module `{one.module}`" if one.module else ""
            _refuse(f"The lever `{text}` sets `{one.option}` twice{of}.", "Give each option one value.")
        seen.add((one.option, one.module))


def _refuse(message: str, next_step: str) -> NoReturn:
    raise UsageError("bad_lever", message, next_step)
