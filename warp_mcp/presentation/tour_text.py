"""The words of `warp-mcp demo`: what is shown, why, and what to do with one's own program."""

import difflib
from pathlib import PurePath
from shlex import join

from rich.text import Text

from warp_mcp.models.report import Report
from warp_mcp.presentation.headline import answer
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.page import Page

FAULTY = """\
`simulate.py` is a fountain: 4096 drops that fall, drift in the wind and bounce. Each of its three
samples runs cold, with empty caches as on a fresh machine, and then warm, on the caches the cold run
has filled: what the two differ by is the wait for compilation. The program itself is not changed in any
way."""
REPAIR = """\
Warp builds a module as a whole, and builds it again when a kernel or an option arrives after its first
launch. So the kernels are made before the first launch, the option is set at the top, and the backward
code, which this program never uses, is left out. One module is left: a precompiled header would cost it
more than it saves. The kernels themselves stay as they are:"""
REPAIRED = """\
Nothing else differs: the same command, in the directory of the repaired program."""
COMPARE = """\
A verdict is given only when the difference is outside the noise, both sides did the same launches with
the same kernels, and the record holds the cause. The hashes of the modules are the receipts that an
option arrived."""
OPENING = """\
This tour measures a small program that is built again and again while it starts, repairs it, and proves
the repair. It takes about a minute. Every number you will see is measured now, on this machine."""


def opening(look: Look = PLAIN) -> str:
    """What the tour is."""
    page = Page(look)
    page.paragraph("Why does a Warp program start slowly, what would fix it, and did the fix work?", "bold")
    page.paragraph(OPENING)
    return str(page)


def step(number: int, title: str, words: str, command: str, look: Look = PLAIN) -> str:
    """The heading of one step of the loop, and the command that does the same by hand."""
    page = Page(look)
    page.gap()
    page.rule(f"{number}  {title}")
    page.paragraph(words)
    if command:
        page.gap()
        page.paragraph(f"  $ {command}", "bold cyan")
    page.gap()
    return str(page)


def measure_command(label: str, directory: str) -> str:
    """The command of a step, as one would type it."""
    return f"cd {PurePath(directory).name} && warp-mcp measure --label {label} -- python simulate.py"


def diff(before: str, after: str, name: str, look: Look = PLAIN) -> str:
    """What was edited, as a unified diff with a line of context."""
    page = Page(look)
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"faulty/{name}", f"repaired/{name}", n=1, lineterm=""
    )
    for line in lines:
        page.line(Text("  " + line, style=_diff_style(line)))
    return str(page)


def _diff_style(line: str) -> str:
    if line.startswith(("+++", "---", "@@")):
        return "dim"
    return {"+": "green", "-": "red"}.get(line[:1], "")


def short_report(report: Report, look: Look = PLAIN) -> str:
    """The answer of a report, in the place where the whole report would say the same again."""
    page = Page(look)
    for line in answer(report):
        page.paragraph(line, "bold")
    rebuilds = len(report.rebuilds)
    page.paragraph("Nothing was built twice." if not rebuilds else f"{rebuilds} rebuilds are left.")
    page.paragraph(f"Report {report.report_id}.", "dim")
    return str(page)


def closing(baseline: Report, candidate: Report, took_ms: float, look: Look = PLAIN) -> str:
    """What to remember, and the commands for the reader's own program."""
    page = Page(look)
    page.gap()
    page.rule("Your own program")
    page.paragraph("The same loop, with the command you start it with:")
    page.gap()
    for command in (
        "warp-mcp measure --label before -- python your_program.py",
        "… edit the lines that the report names …",
        "warp-mcp measure --label after -- python your_program.py",
        "warp-mcp compare before after",
    ):
        page.paragraph(f"  $ {command}" if command.startswith("warp") else f"    {command}", "bold cyan")
    page.gap()
    page.paragraph(
        f"The reports of this tour are kept as `{baseline.label}` and `{candidate.label}` (`warp-mcp list`), "
        f"its programs lie in {PurePath(baseline.cwd).parent}. It took {duration(took_ms)}.",
        "dim",
    )
    return str(page)


def failed(report: Report, look: Look = PLAIN) -> str:
    """What is said when the bundled program could not be measured on this machine."""
    page = Page(look)
    page.paragraph("The tour ends here: its program did not run through on this machine.", "bold red")
    page.paragraph(f"Run it by itself to see why: `cd {report.cwd} && {join(report.command)}`")
    return str(page)
