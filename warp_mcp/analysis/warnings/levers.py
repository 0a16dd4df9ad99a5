"""Warnings of levers that were to be chosen by what the findings point to; not drawn from evidence."""

from collections.abc import Sequence
from math import ceil

from warp_mcp.analysis.texts import counted, listed
from warp_mcp.models.finding import Warning


def levers_not_tried(found: Sequence[str], tried: int, each_s: float, budget_s: float) -> Warning:
    """Not all levers that findings point to were tried: `tried` of `found`, which come in this order.

    `each_s`: seconds that one takes, `budget_s`: those that all may take. None found: nothing points to any.
    """
    if not found:
        message = "No lever was chosen: no finding of the first sample points to one that was not named."
        step = "Name one, as in --lever max_unroll=4, to try it all the same."
    else:
        named = listed([f"`{one}`" for one in found[tried:]])
        holds = f"{tried} of the {len(found)}" if tried else "none of the " + str(len(found))
        message = (
            f"The time for levers ({budget_s:g} s) holds {holds} that the findings point to, of about "
            f"{ceil(each_s)} s each. Not tried: {named}."
        )
        step = f"Give --lever-budget {ceil(1.1 * each_s * len(found))} for {counted(len(found), 'lever')}."
    return Warning(code="levers_not_tried", message=message, next=step)


def levers_not_chosen() -> Warning:
    """The first sample did not complete, so that there are no findings to choose by."""
    return Warning(
        code="levers_not_chosen",
        message="No lever was chosen: the first sample did not complete, so no finding points to any.",
        next="Make the command succeed by itself, or name a lever, as in --lever max_unroll=4.",
    )
