"""Append to a ledger, list it, check its chain. Each may wait for another process that appends, up to 10 s.

`check_path`, where given, is called with every path that the user chose (the ledger, the project's
directory, report files), symbolic links followed, before it is used; it raises what is to be answered. The
project's own ledger in the state directory is not such a path.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from warp_mcp import storage
from warp_mcp.errors import UnreadableReport
from warp_mcp.models.ledger import (
    Effect,
    LedgerAppended,
    LedgerCheck,
    LedgerContent,
    LedgerDraft,
    LedgerListing,
    LeversAppended,
    MeasuredEffect,
)
from warp_mcp.storage import ledger as files
from warp_mcp.storage.ledger_chain import Chain
from warp_mcp.storage.ledger_places import LedgerPlace, place_of, project_directory, project_name
from warp_mcp.workflows import ledger_effect as effects
from warp_mcp.workflows.ledger_effect import CheckPath, NamedReport
from warp_mcp.workflows.ledger_request import check_content, check_estimate, key_for

SHOWS = [
    "Each entry is as it was written: no byte of it was changed since.",
    "The entries are in the order in which they were appended; none was removed from between them or before "
    "them, none was put in between, and none changed places.",
]
CANNOT_SHOW = [
    "That the last entries were not cut off together: a shorter chain holds as well. Keep the number of "
    "entries and the last hash elsewhere, such as in a commit message, and that shows too.",
    "Who wrote an entry, and whether what it says is true.",
    "That the whole file was not written anew: whoever can write to it can make another chain that holds.",
]


def append(
    *,
    what: str,
    where: str,
    scope: str,
    status: str,
    why: str,
    how_to_take: str,
    how_to_undo: str,
    layer: str | None = None,
    verify: Sequence[str] = (),
    baseline: str | None = None,
    candidate: str | None = None,
    estimate: str | None = None,
    key: str | None = None,
    project: str | None = None,
    path: str | None = None,
    check_path: CheckPath | None = None,
) -> LedgerAppended:
    """Record an option, on the disk when this returns; fields and limits are in `models/ledger.py`.

    `baseline` and `candidate` name reports as in `compare`; what they say of the option is worked out here.
    The same again (the same `key`, or no key and the same content) is the entry that is there. Raises
    `UsageError` (also `KeyInUse`), `UnreadableReport` or `CannotWrite`.
    """
    content = check_content(
        what=what,
        where=where,
        scope=scope,
        status=status,
        why=why,
        how_to_take=how_to_take,
        how_to_undo=how_to_undo,
        layer=layer,
        verify=verify,
    )
    effects.check_given(baseline, candidate, estimate)
    guess = effects.estimated(check_estimate(estimate))
    place = _place(project, path, check_path)
    chain = files.read_ledger(place.path) or Chain()
    reports: list[NamedReport] = []
    if baseline is not None and candidate is not None:
        recorded = effects.recorded_in(chain.entries)
        reports = effects.reports_of(baseline, candidate, recorded, check_path)
    draft = _draft(content, effects.placeholder(*reports) if reports else guess, key, place)
    found = files.entry_of_key(draft, chain)
    if reports:
        # Reports that this entry rests on already are not compared again.
        effect = found.effect if found else effects.measured(*reports)
        draft = draft.model_copy(update={"effect": effect})
    return _append(place, draft)


def append_content(
    texts: Mapping[str, object],
    effect: MeasuredEffect | None,
    *,
    key: str,
    project: str | None = None,
    path: str | None = None,
    check_path: CheckPath | None = None,
) -> LedgerAppended:
    """Record an entry whose effect is worked out already. Checks and raises as `append`."""
    content = check_content(**cast("dict[str, Any]", texts))
    place = _place(project, path, check_path)
    return _append(place, _draft(content, effect, key, place))


def _draft(content: LedgerContent, effect: Effect | None, key: str | None, place: LedgerPlace) -> LedgerDraft:
    draft = LedgerDraft(
        **content.model_dump(),
        effect=effect,
        key="",
        project=place.project,
        created_at=storage.created_at(storage.now()),
    )
    return draft.model_copy(update={"key": key_for(key, draft)})


def _append(place: LedgerPlace, draft: LedgerDraft) -> LedgerAppended:
    entry, created, torn = files.append(place, draft)
    return LedgerAppended(
        created=created, entry=entry, path=str(place.path), set_aside=str(torn) if torn else None
    )


def list_entries(
    *, project: str | None = None, path: str | None = None, check_path: CheckPath | None = None
) -> LedgerListing:
    """The entries of a ledger, oldest first; none where nothing has been recorded.

    Raises `UsageError`, or `UnreadableReport` when it is no ledger or cannot be read.
    """
    place = _place(project, path, check_path)
    chain = files.read_ledger(place.path)
    kept = chain or Chain()
    return LedgerListing(
        path=str(place.path),
        project=place.project,
        exists=chain is not None,
        entries=kept.entries,
        problem=kept.problem,
        cut_bytes=len(kept.tail),
    )


def verify(
    *, project: str | None = None, path: str | None = None, check_path: CheckPath | None = None
) -> LedgerCheck:
    """Whether the chain of a ledger holds, with what that shows and what it cannot show.

    Raises `UsageError`, or `UnreadableReport` when there is no ledger, or it cannot be read.
    """
    place = _place(project, path, check_path)
    chain = files.read_ledger(place.path)
    if chain is None:
        raise UnreadableReport(
            "no_ledger",
            f"There is no ledger {place.path}: nothing was recorded there, or the file was removed.",
            "Record something with: warp-mcp ledger append --help",
        )
    return LedgerCheck(
        path=str(place.path),
        intact=chain.problem is None and not chain.tail,
        entries=chain.sound,
        last_hash=chain.last_hash if chain.sound else None,
        problem=chain.problem,
        cut_bytes=len(chain.tail),
        shows=SHOWS,
        cannot_show=CANNOT_SHOW,
    )


def to_json(value: LedgerAppended | LeversAppended | LedgerListing | LedgerCheck) -> str:
    """The public JSON text."""
    return storage.to_json(value)


def _place(project: str | None, path: str | None, check_path: CheckPath | None) -> LedgerPlace:
    directory = project_directory(project)
    place = place_of(project_name(directory), path)
    if check_path is not None:
        if project is not None:
            check_path(directory)
        if not place.own:
            check_path(place.path)
    return place
