"""Ledgers: append-only files of chained entries. Nothing in one is ever changed or removed by this program.

How lines are chained is in `ledger_chain.py`, how they reach the disk in `ledger_file.py`.
"""

from pathlib import Path

from warp_mcp.errors import UnreadableReport, UsageError
from warp_mcp.models.ledger import LedgerDraft, LedgerEntry
from warp_mcp.storage.ledger_chain import Chain, completed, make_entry, read_chain
from warp_mcp.storage.ledger_file import append_bytes, opened, read_all, secure, set_aside
from warp_mcp.storage.ledger_places import LedgerPlace


class KeyInUse(UsageError):
    """An entry with this key says something else: exit code 2."""

    def __init__(self, entry: LedgerEntry, fields: list[str]) -> None:
        super().__init__(
            "key_in_use",
            f"Entry {entry.number} has this key already and differs in: {', '.join(fields)}.",
            "An entry is never changed. To correct it, append one with another key that says so.",
        )


def read_ledger(path: Path) -> Chain | None:
    """What a ledger holds; `None` where there is no file.

    Raises `UnreadableReport`: it is no ledger, of another schema version, or cannot be read.
    """
    try:
        with opened(path, write=False) as descriptor:
            return _chain(descriptor, path)
    except FileNotFoundError:
        return None


def entry_of_key(draft: LedgerDraft, chain: Chain) -> LedgerEntry | None:
    """The entry that has the draft's key and says the same; `None` where no entry has that key.

    Raises `KeyInUse`: it says something else.
    """
    found = next((entry for entry in chain.entries if entry.key == draft.key), None)
    differing = found.differences(draft) if found else []
    if found and differing:
        raise KeyInUse(found, differing)
    return found


def append(place: LedgerPlace, draft: LedgerDraft) -> tuple[LedgerEntry, bool, Path | None]:
    """Append an entry and flush it to the disk, or find the one that has its key and says the same.

    Returns the entry, whether it is new, and the file that a cut last line was set aside in, if there was
    one. Raises `KeyInUse`, `UnreadableReport`, `UsageError` (the chain does not hold), or `CannotWrite`.
    """
    place.make_directory()
    # A team's file is as readable as any file of theirs; what is in the state directory is the owner's.
    with opened(place.path, write=True, mode=0o600 if place.own else 0o666) as descriptor:
        chain = _chain(descriptor, place.path)
        if chain.problem is not None:
            raise _broken(place.path, chain.problem.message)
        chain, torn = _repaired(descriptor, place.path, chain)
        entry, created = entry_of_key(draft, chain), False
        if entry is None:
            entry, line = make_entry(draft, chain)
            append_bytes(descriptor, place.path, line)
            created = True
        # Also what was there: its writer may have been killed before it was on the disk.
        secure(descriptor, place.path)
        return entry, created, torn


def _chain(descriptor: int, path: Path) -> Chain:
    chain = read_chain(read_all(descriptor, path))
    if chain.other_schema is not None:
        raise UnreadableReport(
            "other_schema",
            f"{path} holds entries of {chain.other_schema}, which this release does not read.",
            "Use the release that wrote it, or another file.",
        )
    if chain.foreign:
        raise UnreadableReport(
            "not_a_ledger",
            f"{path} is not a ledger of warp-mcp; it is left as it is.",
            "Name a new file, or a ledger.",
        )
    return chain


def _repaired(descriptor: int, path: Path, chain: Chain) -> tuple[Chain, Path | None]:
    """The chain without a cut last line: completed where only its end is missing, else set aside."""
    if not chain.tail:
        return chain, None
    if completed(chain):
        append_bytes(descriptor, path, b"\n")
        return _chain(descriptor, path), None
    torn = set_aside(descriptor, path, chain.whole_bytes, chain.tail)
    return _chain(descriptor, path), torn


def _broken(path: Path, what: str) -> UsageError:
    return UsageError(
        "ledger_broken",
        f"Nothing was appended to {path}: its chain does not hold. {what}",
        f"Restore the file, or keep it under another name and begin a new one: mv {path} {path}.broken",
    )
