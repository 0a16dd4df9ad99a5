"""What the runs with a lever say could not be applied: sentences from `<pid>.levers` and `pass.json`.

What belongs here: reading the lines that `interventions/` wrote (see `levers.py` and `preload.py` there). A
setting that took hold in one process of the run is applied: a child need not have every module.
"""

import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_MOST_NAMES = 4
_SCRIPT = "__main__"
_Key = tuple[str, str | None]
"""Option and module."""


def read_lever_problems(record_dir: str) -> list[str]:
    """What of the lever could not be applied in one run, each once; empty when all was, or there was none.

    Lines that cannot be read are counted in a sentence of their own. Never raises.
    """
    told = _told(Path(record_dir))
    if told is None:
        return []
    lines, broken = _lines(Path(record_dir))
    problems = [str(line["problem"]) for line in lines if "problem" in line]
    if broken:
        lines_read = "1 line" if broken == 1 else f"{broken} lines"
        problems.append(f"{lines_read} about what the lever did could not be read.")
    if not any("problem" in line and "option" not in line for line in lines):
        problems += _missing_settings(told, lines)
        problems += _missing_preload(told, lines)
    return list(dict.fromkeys(problems))


def read_lever_changes(record_dir: str) -> list[str]:
    """Options for the process that had another value in some process before the lever. Never raises."""
    lines, _ = _lines(Path(record_dir))
    keys = [_key(line.get("applied")) for line in lines if line.get("changed") is True]
    return list(dict.fromkeys(key[0] for key in keys if key is not None and key[1] is None))


def _told(directory: Path) -> dict[str, Any] | None:
    """What the run was asked to apply; None when it was asked nothing."""
    try:
        told: Any = json.loads((directory / "pass.json").read_text(encoding="utf-8"))
        levers = told["levers"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return levers if isinstance(levers, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _lines(directory: Path) -> tuple[list[dict[str, Any]], int]:
    """All lines of all processes, and how many could not be read."""
    parsed = [_parsed(line) for path in sorted(directory.glob("*.levers")) for line in _raw(path)]
    return [line for line in parsed if line is not None], parsed.count(None)


def _raw(path: Path) -> Iterator[bytes]:
    try:
        yield from filter(None, path.read_bytes().split(b"\n"))
    except OSError:
        yield b""


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        value: Any = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _key(about: Any) -> _Key | None:
    if not isinstance(about, dict) or not isinstance(about.get("option"), str):  # pyright: ignore
        return None
    return about["option"], about.get("module")  # pyright: ignore


def _missing_settings(told: dict[str, Any], lines: list[dict[str, Any]]) -> Iterator[str]:
    """A sentence for each setting that took hold nowhere, and about which no process says why."""
    heard = {_key(line["applied"]) for line in lines if "applied" in line}
    heard |= {_key(line) for line in lines if "problem" in line}
    for setting in told.get("settings") or ():
        key = _key(setting)
        if key is None or key in heard:
            continue
        option, module = key
        if module is None:
            yield f"`{option}` was set in no process: none imported Warp with the lever attached."
        else:
            there = _modules_there(module, lines)
            yield f"No module named `{module}` was made, so `{option}` was set on none{there}."


def _modules_there(wanted: str, lines: list[dict[str, Any]]) -> str:
    """The names of the modules that were made, the nearest first; empty where no process tells."""
    told = [name for line in lines if isinstance(line.get("made"), list) for name in line["made"]]
    names = list(dict.fromkeys(name for name in told if isinstance(name, str)))
    near = difflib.get_close_matches(wanted, names, n=_MOST_NAMES, cutoff=0.5)
    shown = list(dict.fromkeys(near + names))[:_MOST_NAMES]
    if not shown:
        return ""
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return f"; made were {', '.join(f'`{name}`' for name in shown)}{more}{_of_a_script(wanted, shown)}"


def _of_a_script(wanted: str, names: Sequence[str]) -> str:
    """The kernels of the script that is run are in a module that is not named as its file is."""
    return " (that of the script itself)" if names == [_SCRIPT] and wanted != _SCRIPT else ""


def _missing_preload(told: dict[str, Any], lines: list[dict[str, Any]]) -> Iterator[str]:
    if not told.get("preload") or ("preload", None) in {_key(line) for line in lines}:
        return
    done = [line["preloaded"] for line in lines if isinstance(line.get("preloaded"), dict)]
    if not done:
        yield "Nothing was built ahead: no process launched anything."
    elif not any(one.get("loaded") for one in done):
        yield "Nothing was built ahead: no module of the unchanged run existed at the first launch."
