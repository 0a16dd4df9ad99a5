"""Whether two reports can be compared at all: the same command, on the same machine, with the same Warp."""

import re
from collections.abc import Iterator

from warp_mcp.analysis.processes import base_name, is_python
from warp_mcp.models.report import Environment, Report

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def incomparable(baseline: Report, candidate: Report) -> list[str]:
    """Sentences why nothing can be said; empty when the two can be compared."""
    found: list[str] = []
    if not same_command(baseline, candidate):
        found.append(f"the commands differ: {' '.join(baseline.command)} and {' '.join(candidate.command)}")
    if baseline.stop != candidate.stop:
        found.append(f"the runs were ended otherwise: {baseline.stop} and {candidate.stop}")
    return found + list(_machine(baseline.environment, candidate.environment))


def _machine(before: Environment, after: Environment) -> Iterator[str]:
    for name in ("cpu", "cores", "gpu", "driver", "cuda_toolkit", "platform"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"the machines differ: {name} {old} and {new}"
    if before.warp != after.warp and before.warp and after.warp:
        yield f"Warp differs: {before.warp} and {after.warp}"
    # Code generation runs in the interpreter and is a part of every build; a patch release leaves it alone.
    if before.python and after.python and _feature(before.python) != _feature(after.python):
        yield f"Python differs: {before.python} and {after.python}"


def _feature(version: str) -> str:
    return ".".join(version.split(".")[:2])


def environment_differences(baseline: Report, candidate: Report) -> list[str]:
    """Everything of the environment that differs, whether or not it forbids the comparison."""
    before, after = baseline.environment, candidate.environment
    found = list(_machine(before, after))
    if before.python != after.python and not any(text.startswith("Python differs") for text in found):
        found.append(f"Python: {before.python} → {after.python}")
    if before.executable != after.executable:
        found.append(f"interpreter: {before.executable} → {after.executable}")
    for name in sorted({*before.variables, *after.variables}):
        old, new = before.variables.get(name), after.variables.get(name)
        if old != new:
            found.append(f"{name}: {_shown(old)} → {_shown(new)}")
    return found


def _shown(value: str | None) -> str:
    return "not set" if value is None else value


def same_command(baseline: Report, candidate: Report) -> bool:
    """Whether the two ran the same command, the checkout and the program's own variables apart."""
    old, new = _words(baseline.command), _words(candidate.command)
    if old == new:
        return True
    if len(old) != len(new):
        return False
    prefixes = _checkouts(old, new, baseline.cwd, candidate.cwd)
    return all(
        _same_word(*words, baseline.cwd, candidate.cwd, prefixes) for words in zip(old, new, strict=True)
    )


def _words(command: list[str]) -> list[str]:
    """The command without `env` and its assignments, and with the interpreter by its bare name."""
    words = list(command)
    if words and base_name(words[0]) == "env":
        words = words[1:]
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    if is_python(words[:1]):
        return ["python", *words[1:]]
    return [base_name(word) for word in words[:1]] + words[1:]


_Prefixes = tuple[str, str]


def _checkouts(old: list[str], new: list[str], before: str, after: str) -> _Prefixes:
    """The directories above what the first differing program path has in common on both sides."""
    for one, other in zip(old, new, strict=True):
        if one != other and one.endswith(".py") and other.endswith(".py"):
            return _prefixes(_absolute(one, before), _absolute(other, after))
    return before, after


def _prefixes(one: str, other: str) -> _Prefixes:
    left, right = one.split("/"), other.split("/")
    common = 0
    while common < min(len(left), len(right)) and left[-1 - common] == right[-1 - common]:
        common += 1
    return "/".join(left[: len(left) - common]), "/".join(right[: len(right) - common])


def _absolute(path: str, cwd: str) -> str:
    if path.startswith("/"):
        return path
    return f"{cwd.rstrip('/')}/{path.removeprefix('./')}"


def _same_word(one: str, other: str, before: str, after: str, prefixes: _Prefixes) -> bool:
    """Equal as they are, relative to the working directories, or relative to the checkouts."""
    if one == other or _below(one, before) == _below(other, after):
        return True
    left, right = _resolved(one, before), _resolved(other, after)
    return _below(left, prefixes[0]) == _below(right, prefixes[1])


def _resolved(word: str, cwd: str) -> str:
    looks_like_path = not word.startswith("-") and ("/" in word or word.endswith(".py"))
    return _absolute(word, cwd) if looks_like_path else word


def _below(word: str, directory: str) -> str:
    """A word with the directory taken out wherever it stands, as in `--out=/checkout/results`."""
    prefix = directory.rstrip("/")
    return word.replace(f"{prefix}/", "") if prefix else word
