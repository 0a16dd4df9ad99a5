"""Whether a lever was what ran: without that, its figures are those of the unchanged program, or of none."""

from warp_mcp.models.lever import LeverResult


def not_applied(lever: LeverResult) -> str:
    """Why nothing that was measured is an effect of the lever, one sentence; empty where something may be."""
    if lever.samples == 0:
        return _sentence("no run with it completed", lever.failures)
    if lever.applied is not False:
        return ""
    reasons = [reason for reason in lever.reasons if reason not in lever.failures]
    return _sentence("it was not applied", [*lever.problems, *reasons])


def _sentence(what: str, why: list[str]) -> str:
    reason = f": {why[0].rstrip('.')}" if why else ""
    return f"{what[0].upper()}{what[1:]}{reason}."
