"""Every test of the server runs in both eras of the protocol."""

from collections.abc import Generator

import pytest

from tests.server import clients


@pytest.fixture(params=clients.ERAS, autouse=True)
def both_eras(request: pytest.FixtureRequest) -> None:
    """Choose the era of all clients of the test."""
    clients.speak(request.param)


@pytest.fixture
def raw(both_eras: None) -> Generator[clients.Raw, None, None]:
    """A client of a real server process that writes its lines itself."""
    with clients.raw_client() as client:
        yield client
