"""Each test with a temp directory of its own, as for running."""

from tests.running.conftest import temp

__all__ = ["temp"]
