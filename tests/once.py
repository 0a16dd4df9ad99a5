"""Something slow that is made once for all tests that look at it, also when they run in several processes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A directory that `make` has filled, in the first process that asks for it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        directory = factory.mktemp(name)
        make(directory)
        return directory
    directory = factory.getbasetemp().parent / f"{name}-{run}"
    with FileLock(f"{directory}.lock"):
        if not directory.exists():
            directory.mkdir()
            make(directory)
    return directory
