"""What an agent is told of an entry that it had recorded."""

from warp_mcp.models.answers import LedgerAnswer
from warp_mcp.models.ledger import LedgerAppended, MeasuredEffect
from warp_mcp.presentation.ledger_words import change_words, one_line


def ledger_summary(appended: LedgerAppended) -> LedgerAnswer:
    """What `ledger_append` answers."""
    entry = appended.entry
    did = "Recorded" if appended.created else "Already recorded, unchanged"
    aside = f" A cut last line was set aside in {appended.set_aside}." if appended.set_aside else ""
    return LedgerAnswer(
        answer=f"{did} as entry {entry.number}: {_short(entry.what)}.{aside}",
        created=appended.created,
        number=entry.number,
        key=entry.key,
        hash=entry.hash,
        path=appended.path,
        effect=entry.effect.model_dump(mode="json") if entry.effect else None,
        next=[
            "Tell the user what was declined or left unverified, and that the ledger holds how to "
            "take and undo it.",
            *(f"Still to verify: {_short(one)}" for one in entry.verify[:5]),
        ],
    )


def _short(text: str) -> str:
    text = one_line(text)
    return text.rstrip(".") if len(text) <= 160 else f"{text[:159]}…"


def ledger_summary_text(answer: LedgerAnswer) -> str:
    """The same as text."""
    lines = [answer.answer, f"ledger: {answer.path}; key: {answer.key}; hash: {answer.hash}"]
    if answer.effect is not None:
        lines.append(f"effect: {_effect(answer.effect)}")
    return "\n".join([*lines, *(f"next: {step}" for step in answer.next)])


def _effect(effect: dict[str, object]) -> str:
    if effect.get("kind") != "measured":
        return f"an estimate: {one_line(str(effect.get('text')))}"
    measured = MeasuredEffect.model_validate(effect)
    return f"measured, {measured.verdict} on {measured.judged_on}{change_words(measured)}: {measured.reason}"
