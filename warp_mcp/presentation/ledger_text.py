"""A ledger for a terminal or a pipe: its entries, what became of an append, whether its chain holds."""

from warp_mcp.models.ledger import LedgerAppended, LedgerCheck, LedgerEntry, LedgerListing, LeversAppended
from warp_mcp.presentation import ledger_words as words
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import Page

_LABEL_WIDTH = 10
REPAIR = (
    "Restore the file from where it was whole. Where two branches of a repository each appended, keep one "
    "side's file and append the other side's entries again."
)


def appended_text(value: LedgerAppended, look: Look = PLAIN) -> str:
    """What was recorded, and where."""
    page = Page(look)
    if value.created:
        page.paragraph(f"Recorded as entry {value.entry.number}.", "bold green")
    else:
        page.paragraph(f"Entry {value.entry.number} says this already; nothing was added.", "bold yellow")
    if value.set_aside:
        page.sentence(f"A cut last line was set aside in {value.set_aside}", "yellow")
    page.sentence(f"It is on the disk, in {value.path}", "dim")
    page.gap()
    _entry(page, value.entry)
    return str(page)


def levers_text(value: LeversAppended, look: Look = PLAIN) -> str:
    """Which levers of a report were recorded, and why the others were not."""
    page = Page(look)
    count = plural(len(value.appended), "lever")
    page.paragraph(
        f"Recorded {count} of report {value.report_id}.", "bold green" if value.appended else "bold"
    )
    for one in value.left:
        page.item("·", f"{one.lever}: left out. {one.why}")
    if value.appended:
        page.sentence(f"It is on the disk, in {value.appended[0].path}", "dim")
    for appended in value.appended:
        page.gap()
        _entry(page, appended.entry)
    return str(page)


def ledger_text(value: LedgerListing, look: Look = PLAIN) -> str:
    """All entries, oldest first; what is wrong with the file comes before them."""
    page = Page(look)
    if value.problem:
        page.paragraph(f"This ledger is not intact. {value.problem.message}", "bold red")
        page.paragraph("Entries from there on may not say what was recorded.", "red")
    if value.cut_bytes:
        page.paragraph(words.cut_words(value.cut_bytes), "yellow")
    if not value.entries:
        page.paragraph("Nothing is recorded yet. Record something with: `warp-mcp ledger append --help`")
    else:
        count = plural(len(value.entries), "entry", "entries")
        page.paragraph(f"{count}: {words.totals(value.entries)}.", "bold")
    page.sentence(value.path, "dim")
    for entry in value.entries:
        page.gap()
        _entry(page, entry)
    return str(page)


def _entry(page: Page, entry: LedgerEntry) -> None:
    page.paragraph(f"{entry.number}. {words.one_line(entry.what)}: {words.status_words(entry)}", "bold")
    page.paragraph(f"{words.date_words(entry)} · {entry.project} · key {entry.key}", style="dim", indent=3)
    _field(page, "where", words.one_line(entry.where))
    _field(page, "scope", words.one_line(entry.scope))
    _field(page, "effect", words.effect_words(entry))
    evidence = words.evidence_words(entry)
    if evidence:
        _field(page, "", evidence)
    _field(page, "why", entry.why)
    _field(page, "to take", entry.how_to_take)
    _field(page, "to undo", entry.how_to_undo)
    for number, text in enumerate(words.verify_words(entry)):
        _field(page, "" if number else "to verify", text)


def _field(page: Page, label: str, text: str) -> None:
    page.item(f" {label:<{_LABEL_WIDTH}}", text, mark_style="dim")


def check_text(value: LedgerCheck, look: Look = PLAIN) -> str:
    """Whether the chain holds, and what that shows and cannot show."""
    page = Page(look)
    count = plural(value.entries, "entry", "entries")
    if value.intact:
        page.paragraph(f"Intact: {count}, chained from the first to the last.", "bold green")
    elif value.problem is None:
        page.paragraph(
            f"Cut: {count} chained as they should be, and a line that is not whole.", "bold yellow"
        )
        page.paragraph(words.cut_words(value.cut_bytes))
    else:
        page.paragraph(f"Not intact: the chain holds for {count}, and not beyond.", "bold red")
        page.paragraph(value.problem.message)
        page.paragraph(REPAIR)
    page.sentence(value.path, "dim")
    if value.last_hash:
        page.sentence(f"last hash  {value.last_hash}", "dim")
    page.heading("What this shows" if value.intact else "What an intact chain shows")
    for sentence in value.shows:
        page.item("·", sentence)
    page.heading("What no such chain can show")
    for sentence in value.cannot_show:
        page.item("·", sentence)
    return str(page)
