"""An explanation in the size a model can afford: its own numbers first, then what fits of the section."""

from warp_mcp.models.answers import ExplainAnswer, PartLine
from warp_mcp.models.explanation import Explanation, Part
from warp_mcp.models.uris import mechanism_uri, topic_uri
from warp_mcp.presentation.cutting import LIMIT_CHARACTERS, Cutter, bounded
from warp_mcp.presentation.evidence_lines import evidence_lines, relative
from warp_mcp.presentation.numbers import duration

FIRST_PARTS = ("what it is", "the fix", "when it does not", "confirmed", "what to verify")
"""Beginnings of the headings that are told first when there is no room for all."""

MOST_CHARACTERS = 15_000
"""Of one part that was asked for by name: under the 4,000 tokens that no answer may pass."""

MARGIN = 0.55
"""Share of the room that the text of the parts may take: JSON escapes line ends."""


def explain_summary(explanation: Explanation, asked: list[Part] | None = None) -> ExplainAnswer:
    """What `explain_mechanism` answers: of the parts that were `asked` for, or of as many as fit."""
    own = _own(explanation)
    size = len(own.model_dump_json())
    if asked is not None:
        told = [_cut(one, MOST_CHARACTERS - size) for one in asked]
    else:
        told = _fitting(explanation.parts, LIMIT_CHARACTERS - size)
    shown = {one.heading for one in told}
    others = [one.heading for one in explanation.parts if one.heading and one.heading not in shown]
    left = [f"{len(others)} more parts: ask with part, or read {own.resource}"] if others else []
    if any(one.text.endswith("…") for one in told):
        left.append(f"the end of a part: read {own.resource}")
    return own.model_copy(update={"parts": told, "other_parts": others, "left_out": left})


def _own(explanation: Explanation) -> ExplainAnswer:
    """Everything but the text of the reference."""
    cutter = Cutter(8, 240)
    cwd = explanation.cwd or ""
    own = ExplainAnswer(
        answer=_answer(explanation),
        slug=explanation.slug,
        mechanism=explanation.mechanism,
        report_id=explanation.report_id,
        status=explanation.status,
        evidence=cutter.sentences("evidence", evidence_lines(explanation.evidence, cwd)),
        cost_ms=explanation.cost_ms,
        cost_kind=explanation.cost_kind,
        ceiling=cutter.words(explanation.ceiling_words),
        where=explanation.where,
        owner=explanation.owner,
        fix=relative(explanation.fix, cwd),
        scope=explanation.scope,
        questions=explanation.questions,
        parts=[],
        other_parts=[],
        resource=_resource(explanation),
        next=_next(explanation),
        left_out=[],
    )
    return bounded(own, LIMIT_CHARACTERS)


def _answer(explanation: Explanation) -> str:
    if explanation.title:
        arch = f" (rehearsed for {explanation.rehearsed_for})" if explanation.rehearsed_for else ""
        return f"{explanation.title.rstrip('.')}{arch}."
    label = f"{explanation.mechanism}: " if explanation.mechanism else ""
    return f"{label}{explanation.name}."


def _resource(explanation: Explanation) -> str:
    if explanation.mechanism:
        return mechanism_uri(explanation.mechanism)
    return topic_uri(explanation.slug)


def _next(explanation: Explanation) -> list[str]:
    if explanation.next_experiment:
        return [explanation.next_experiment]
    if explanation.mechanism and explanation.report_id is None:
        return ["Give `report` to see whether this program has it, at which line, and what is at stake."]
    return ["Measure the command the user waits for, and read which mechanisms fired."]


def _rank(part: Part) -> int:
    heading = part.heading.lower()
    ranks = [place for place, words in enumerate(FIRST_PARTS) if heading.startswith(words)]
    return ranks[0] if ranks else len(FIRST_PARTS)


def _fitting(parts: list[Part], room: int) -> list[PartLine]:
    """Whole parts as far as they fit, the most useful first, told in the order of the section."""
    left = int(room * MARGIN)
    chosen: list[int] = []
    for index in sorted(range(len(parts)), key=lambda index: (_rank(parts[index]), index)):
        if len(parts[index].text) <= left:
            left -= len(parts[index].text)
            chosen.append(index)
        elif not chosen:
            return [_cut(parts[index], left)]
    return [PartLine(heading=parts[index].heading, text=parts[index].text) for index in sorted(chosen)]


def _cut(part: Part, room: int) -> PartLine:
    text = part.text if len(part.text) <= room else part.text[: max(0, room - 1)] + "…"
    return PartLine(heading=part.heading, text=text)


def explain_summary_text(answer: ExplainAnswer) -> str:
    """The same as text, for clients that show a model nothing else."""
    lines = [answer.answer]
    if answer.status is not None:
        cost = "" if answer.cost_ms is None else f", {duration(answer.cost_ms)} ({answer.cost_kind})"
        lines.append(f"{answer.mechanism} in report {answer.report_id}: {answer.status}{cost}")
    lines += [f"evidence: {line}" for line in answer.evidence]
    for name, words in (
        ("ceiling", answer.ceiling),
        ("at", answer.where),
        ("whose code", answer.owner),
        ("try first", answer.fix),
        ("scope", answer.scope),
    ):
        lines += [f"{name}: {words}"] if words else []
    lines += [f"ask the user first: {question}" for question in answer.questions]
    for part in answer.parts:
        lines += [f"\n### {part.heading}" if part.heading else "", part.text]
    lines += [f"other parts: {'; '.join(answer.other_parts)}"] if answer.other_parts else []
    lines += [f"left out here: {', '.join(answer.left_out)}"] if answer.left_out else []
    lines += [f"next: {step}" for step in answer.next]
    return "\n".join(lines)
