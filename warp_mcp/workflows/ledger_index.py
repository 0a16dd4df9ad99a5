"""The ledgers of the state directory, found by project: for whoever asks without naming a directory."""

from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.ledger import LedgerListing
from warp_mcp.storage.ledger_index import ledger_paths
from warp_mcp.workflows import ledger


class UnknownProject(UsageError):
    """No ledger is kept for a project of this name: exit code 2. The message names those that there are."""

    def __init__(self, asked: str, names: list[str]) -> None:
        there = f"There are ledgers of: {', '.join(names)}." if names else "No ledger is kept yet."
        super().__init__("unknown_project", f"No ledger is kept for a project “{asked}”.", there)


def projects() -> list[str]:
    """Names of the projects that have a ledger; the one that was appended to last first."""
    return list(ledger_paths())


def project_ledger(project: str) -> LedgerListing:
    """The ledger of a project by its name, which never means a path.

    Raises `UnknownProject`, or `UnreadableReport` when it is no ledger or cannot be read.
    """
    paths = ledger_paths()
    if project not in paths:
        raise UnknownProject(project, list(paths))
    # A project's name is not its directory: only the file is known here.
    listing = ledger.list_entries(project="/", path=str(paths[project]))
    return listing.model_copy(update={"project": project})


def nearest_ledger() -> LedgerListing:
    """The ledger of the project in whose directory this process runs, else the one appended to last.

    Empty where no ledger is kept. Raises `UnreadableReport` when it is no ledger or cannot be read.
    """
    try:
        own: LedgerListing | None = ledger.list_entries()
    except UsageError:
        own = None  # the directory is gone
    if own is not None and own.exists:
        return own
    names = projects()
    return project_ledger(names[0]) if names else own or ledger.list_entries(project="/")


def ledger_of(directory: str) -> LedgerListing | None:
    """The ledger of the project that a directory is in; `None` where that cannot be told or read."""
    try:
        return ledger.list_entries(project=directory)
    except ProbeError:
        return None
