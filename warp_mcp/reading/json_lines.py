"""Files of JSON lines that interventions leave beside the records: one object a line, one file a process."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast


def objects(paths: list[Path], problems: dict[str, None]) -> Iterator[dict[str, Any]]:
    """The object on each line of the files; an empty one for a line that is cut or damaged.

    A file that cannot be read is named in `problems`. Never raises.
    """
    for path in paths:
        try:
            lines = path.read_bytes().splitlines()
        except OSError as error:
            problems[f"{path.name} could not be read: {error.strerror or error}"] = None
            continue
        yield from (_object(line) for line in lines if line.strip())


def _object(line: bytes) -> dict[str, Any]:
    try:
        value: object = json.loads(line)
    except ValueError:
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
