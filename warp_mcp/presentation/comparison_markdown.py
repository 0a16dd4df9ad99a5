"""A comparison as Markdown: the report that a person sends to their team.

What it has to say, in which order, is in the reference under "Reporting a result". It says what was measured
and promises nothing. What only the reports of both sides tell is left out, and said to be, when one is not
kept any more. Each part has a file of its own.
"""

from shlex import quote

from warp_mcp.models.comparison import Comparison
from warp_mcp.models.ledger import LedgerListing
from warp_mcp.models.report import Report
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.comparison_changes_markdown import changed, module_table, same_work
from warp_mcp.presentation.comparison_ledger_markdown import entries, revert
from warp_mcp.presentation.comparison_mechanisms_markdown import mechanisms
from warp_mcp.presentation.comparison_text import VERDICT_WORDS, judged_words
from warp_mcp.presentation.markdown import bullets, code, section, shell, words
from warp_mcp.presentation.measure_command import measure_command
from warp_mcp.presentation.outputs_markdown import outputs_comparison
from warp_mcp.presentation.rehearsal_comparison_words import rehearsal_lines
from warp_mcp.presentation.shared_report_complaint import complaint_lines
from warp_mcp.presentation.shared_report_constraints import constraints
from warp_mcp.presentation.shared_report_environment import environment, measured
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.shared_report_times import left, times
from warp_mcp.presentation.shared_report_trade_offs import not_verified, trade_offs
from warp_mcp.presentation.shared_report_words import ROOMS, WHOLE, Room
from warp_mcp.presentation.steady_state_markdown import steady_comparison

MOST_CHARACTERS = 15_800
"""Under the 4,000 tokens that a page may cost a model, at four characters each."""
MEANS = {
    "improved": "This holds for this command on this machine; what was not checked is listed below.",
    "inconclusive": "The change shows no effect, so nothing is claimed for it.",
    "regressed": "The change made it slower: undo it, or find below what is built more.",
    "invalid": "Nothing is claimed: make both sides do the same work on one machine, and measure again.",
    "unverified": "Nothing is claimed until what the reasons name is checked.",
}
"""What follows from each verdict."""


def comparison_markdown(
    comparison: Comparison,
    baseline: Report | None = None,
    candidate: Report | None = None,
    ledger: LedgerListing | None = None,
) -> str:
    """The page in the size that a model can afford."""
    return fitted_page(Shared(comparison, baseline, candidate, ledger))


def fitted_page(shared: Shared) -> str:
    """The document with its lists and sentences cut until a model can afford it."""
    pages = (page(shared, room) for room in ROOMS)
    text = next(pages)
    for smaller in pages:
        if len(text) <= MOST_CHARACTERS:
            break
        text = smaller
    return text


def page(shared: Shared, room: Room = WHOLE) -> str:
    """The whole document."""
    comparison = shared.comparison
    of = f" of {setting.command(shared.told)}" if shared.told else ""
    judged = room.said(judged_words(comparison))
    what = "CUDA, rehearsed: start" if comparison.rehearsal.alone else "Cold start"
    lines = [
        f"# {what}{of}: {comparison.verdict}",
        "",
        f"**{_verdict(comparison)}** {judged} {MEANS[comparison.verdict]}".replace("  ", " "),
        "",
        *complaint_lines(shared.complaint, comparison, room),
        *section("What was measured", measured(shared)),
        *section("Before and after", times(shared)),
        *section("What is gone, and what is left", left(shared)),
        *section("Why this verdict", bullets(_reasons(comparison, room))),
        *section("Is it the same work?", same_work(shared, room)),
        *outputs_comparison(comparison.outputs),
        *steady_comparison(comparison.steady_state),
        *section("CUDA, rehearsed", bullets(map(words, rehearsal_lines(comparison)))),
        *section("Mechanisms", mechanisms(shared, room)),
        *section("Trade-offs", trade_offs(shared, room)),
        *section("Not verified", not_verified(shared, room)),
        *section("What was changed", changed(shared, room)),
        *section("Ledger", entries(shared, room)),
        *section("What relaxing a constraint would buy", constraints(shared, room)),
        *section("Modules before and after", module_table(shared, room)),
        *section("Environment", environment(shared, room)),
        *section("How to revert", revert(shared, room)),
        *section("How to repeat it", _repeat(shared)),
        f"{setting.NOT_ELSEWHERE} Comparison {code(comparison.comparison_id)}.",
    ]
    return "\n".join(lines) + "\n"


def _verdict(comparison: Comparison) -> str:
    """The verdict in one sentence, for readers who have not heard of baselines and candidates."""
    return VERDICT_WORDS[comparison.verdict][0].replace("the candidate", "the changed program")


def _reasons(comparison: Comparison, room: Room) -> list[str]:
    told_of = " ".join(comparison.reasons)
    more = [cause for cause in comparison.causes if cause not in told_of]
    causes = [f"On record: {room.said(cause.rstrip('.'))}." for cause in more]
    if not comparison.causes:
        causes = ["On record: nothing that explains a difference in this direction."]
    told = [room.said(reason) for reason in comparison.reasons]
    return [*room.cut(told, "the comparison"), *room.cut(causes, "the comparison")]


def _repeat(shared: Shared) -> list[str]:
    compare = ("warp-mcp", "compare", quote(shared.comparison.baseline), "latest")
    if shared.baseline is None:
        return shell(compare)
    if shared.candidate is None or _runs(shared.baseline) == _runs(shared.candidate):
        measure = measure_command(shared.candidate or shared.baseline, None, "again")
        return ["In the directory the program runs in:", "", *shell(measure, compare)]
    return _repeat_both(shared.baseline, shared.candidate)


def _runs(report: Report) -> tuple[list[str], str]:
    return report.command, report.cwd


def _repeat_both(before: Report, after: Report) -> list[str]:
    """Two directories, or two commands: neither repeats the other."""
    apart = before.cwd != after.cwd
    here = "In the directory the program runs in" if not apart else "In its directory"
    return [
        f"Before and after ran {'in two directories' if apart else 'by two commands'}: measure both again. "
        f"{here}, the program before the change:",
        "",
        *shell(measure_command(before, None, "again-before")),
        f"{here}, the program after it:",
        "",
        *shell(
            measure_command(after, None, "again-after"),
            ("warp-mcp", "compare", "again-before", "again-after"),
        ),
    ]
