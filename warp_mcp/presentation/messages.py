"""Errors, the list of kept reports, and what was pruned, as text."""

from collections.abc import Sequence
from shlex import join

from warp_mcp.models.stored import StoredReport
from warp_mcp.presentation.look import Look
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import Page


def error_text(message: str, next_step: str, look: Look) -> str:
    """What went wrong, and the step to take next."""
    page = Page(look)
    page.sentence(f"warp-mcp: {message}", "red")
    page.step(f"Next: {next_step}", indent=2)
    return str(page)


def listing_text(entries: Sequence[StoredReport], look: Look) -> str:
    """The kept reports, newest first."""
    page = Page(look)
    if not entries:
        page.paragraph("No report is kept yet. Make one with: `warp-mcp measure -- python your_program.py`")
        return str(page)
    _table(page, entries)
    return str(page)


def _table(page: Page, entries: Sequence[StoredReport]) -> None:
    columns = ("report", "date (UTC)", "label", "command")
    page.listing(columns, [_row(entry) for entry in entries])


def _row(entry: StoredReport) -> tuple[str, str, str, str]:
    if entry.problem is not None:
        return entry.report_id, "", "", f"unreadable: {entry.problem}"
    date = (entry.created_at or "").replace("T", " ").removesuffix("Z")
    return entry.report_id, date, entry.label or "", join(entry.command)


def pruned_text(entries: Sequence[StoredReport], dry_run: bool, look: Look) -> str:
    """Which reports went, or would go."""
    page = Page(look)
    if not entries:
        page.paragraph("Nothing to remove.")
        return str(page)
    verb = "Would remove" if dry_run else "Removed"
    page.paragraph(f"{verb} {plural(len(entries), 'report')}:")
    _table(page, entries)
    return str(page)
