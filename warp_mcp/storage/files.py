"""Writing a file whole or not at all, and reading a versioned one back. Knows nothing of reports."""

import contextlib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from warp_mcp.errors import CannotWrite, UnreadableReport

WHAT = {"report": "a report of warp-mcp", "comparison": "a comparison of warp-mcp"}


def to_json(value: BaseModel) -> str:
    """The JSON text that is stored and handed out: public key names, one line, a final newline."""
    return value.model_dump_json(by_alias=True) + "\n"


def write_atomic(path: Path, text: str) -> None:
    """Write `text` so that `path` holds either what it held before or all of it; mode 0600.

    Raises `CannotWrite`: the directory does not exist, is not writable, or the disk is full.
    """
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise CannotWrite(
            "cannot_write",
            f"{path} could not be written: {error.strerror or error}.",
            _how_to_write(path, error),
        ) from error


def write_named(path: Path, text: str) -> None:
    """Write to a file the user named: whole or not at all, or straight into a device or pipe (`/dev/stdout`).

    Raises `CannotWrite`.
    """
    # A rename would replace a symbolic link by a file, and a device by one too.
    target = Path(os.path.realpath(path))
    if not target.exists() or target.is_file() or target.is_dir():
        write_atomic(target, text)
        return
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotWrite("cannot_write", f"{path}: {error.strerror or error}.", "Name a file.") from error


def _how_to_write(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"Make the directory first: mkdir -p {path.parent}"
    if isinstance(error, IsADirectoryError):
        return "Name a file, not a directory."
    return "Free some space, or name a place you can write to."


def read_versioned(path: Path, kind: str, schema: str) -> dict[str, Any]:
    """Read the JSON object in `path` and check that its `schema` is the one this release reads.

    Raises `UnreadableReport`: missing, a directory, not text, cut, not JSON, or of another schema version.
    """
    what = WHAT[kind]
    value = _parse(path, _read(path), what)
    found = cast(dict[str, Any], value).get("schema") if isinstance(value, dict) else None
    if found == schema:
        return cast(dict[str, Any], value)
    if isinstance(found, str) and found.startswith(schema.rsplit("/", 1)[0] + "/"):
        raise UnreadableReport(
            "other_schema",
            f"{path} has the schema {found}; this release reads {schema}.",
            "Measure again with this release, or read it with the release that wrote it.",
        )
    raise UnreadableReport("not_a_report", f"{path} is JSON but not {what}.", _list_hint())


MOST_BYTES = 256 * 1024 * 1024
"""A thousand times the largest report this program writes; more is not one."""

_OPEN_PIPES = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Pipes that are open already, as a shell's `<(command)` gives them. Opening any other may wait for ever."""


def _read(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or str(path).startswith(_OPEN_PIPES)):
            raise UnreadableReport("not_a_file", f"{path} is a device or a pipe.", "Name a file.")
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise UnreadableReport("too_large", f"{path} is far too large for a report.", _list_hint())
        return data.decode("utf-8")
    except FileNotFoundError as error:
        raise UnreadableReport("no_such_file", f"There is no file {path}.", _list_hint()) from error
    except IsADirectoryError as error:
        raise UnreadableReport("is_a_directory", f"{path} is a directory.", "Name a file in it.") from error
    except UnicodeDecodeError as error:
        raise UnreadableReport("not_text", f"{path} is not a text file.", _list_hint()) from error
    except OSError as error:
        raise UnreadableReport(
            "cannot_read", f"{path} cannot be read: {error.strerror or error}.", "Check its permissions."
        ) from error


def _whole_number(text: str) -> int:
    """A number as reports have them; Python would read any number of digits."""
    if len(text) > 20:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _parse(path: Path, text: str, what: str) -> object:
    try:
        return json.loads(text, parse_int=_whole_number, parse_constant=_no_number)
    except ValueError as error:
        if text.lstrip().startswith("{"):
            raise UnreadableReport(
                "cut", f"{path} is cut short or damaged: it is not whole JSON.", "Measure again."
            ) from error
        raise UnreadableReport("not_json", f"{path} is not {what}: it is not JSON.", _list_hint()) from error
    except RecursionError as error:
        raise UnreadableReport("not_json", f"{path} is not {what}.", _list_hint()) from error


def _list_hint() -> str:
    return "See what is kept with: warp-mcp list"
