"""Of a report for a team: what was given for the change, and what nobody verified."""

from collections.abc import Iterator

from warp_mcp.models.comparison import Comparison, Delta
from warp_mcp.models.uris import comparison_json_uri
from warp_mcp.presentation.comparison_mechanisms_markdown import by_label
from warp_mcp.presentation.markdown import bullets, code
from warp_mcp.presentation.numbers import number
from warp_mcp.presentation.outputs_words import uncovered_words
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.shared_report_words import Room, unlabelled
from warp_mcp.presentation.words import METRIC_NAMES, relative

LOWER_IS_BETTER = ("identities", "modules", "builds", "rebuilds", "generated_source_bytes", "lto_artifacts")
"""Figures of structure whose growth somebody pays for; `warm_builds` is told apart."""
SCOPE = (
    "Anything but this command on this machine: other commands, devices, sizes and machines were not "
    "measured."
)


def trade_offs(shared: Shared, room: Room) -> list[str]:
    """What got slower or larger, what was given up, and what has to be asked; from the record alone."""
    told = [*_grown(shared.comparison), *_slower(shared.comparison, room), *_given_up(shared, room)]
    lines = bullets(room.cut(told, "the comparison"))
    if not told:
        lines = ["No figure that was recorded got worse outside the noise.", ""]
    asked = _questions(shared, room)
    if asked:
        lines += ["To be answered by whoever knows the program, before this is relied on:", ""]
        lines += bullets(room.cut(asked, "the report before"))
    speed = (
        ""
        if shared.comparison.steady_state.status not in ("not_recorded", "within_noise")
        else (", how fast the program runs after its start")
    )
    return [
        *lines,
        f"What the record cannot show: what became harder to edit, which capability is gone{speed}.",
        "",
    ]


def _grown(comparison: Comparison) -> Iterator[str]:
    for delta in comparison.timing:
        if delta.metric in METRIC_NAMES and delta.outside_noise and (delta.delta or 0.0) > 0:
            yield f"Slower: {unlabelled(delta.metric)}, {_share(delta)}, outside the noise."
    for line in comparison.structure:
        if line.candidate > line.baseline and line.name in LOWER_IS_BETTER:
            name = line.name.replace("_", " ")
            yield f"More {name}: {number(line.baseline)} → {number(line.candidate)}."
        if line.candidate > line.baseline and line.name == "warm_builds":
            yield f"The warm start builds more: {number(line.baseline)} → {number(line.candidate)}."


def _share(delta: Delta) -> str:
    return "more" if delta.delta_percent is None else f"{delta.delta_percent:+.0f} %"


def _slower(comparison: Comparison, room: Room) -> Iterator[str]:
    """Kernels that run slower once everything is built."""
    for kernel in comparison.steady_state.kernels:
        if kernel.outside_noise and kernel.delta_percent > 0:
            change = f"{kernel.baseline_us:,.1f} → {kernel.candidate_us:,.1f} µs a launch"
            yield f"Runs slower: {room.names([kernel.kernel])}, {change} ({kernel.delta_percent:+.0f} %)."


def _given_up(shared: Shared, room: Room) -> Iterator[str]:
    """What the levers that were taken take away, as it was found when they were priced."""
    for lever in shared.levers:
        if lever.taken == "none":
            continue
        part = "" if lever.taken == "all" else ", taken in part"
        for sentence in lever.result.takes_away:
            yield f"{code(lever.result.lever)}{part}: {room.said(sentence)}"


def _questions(shared: Shared, room: Room) -> list[str]:
    before = by_label(shared.baseline)
    fixed = [before[label] for label in shared.comparison.mechanisms.fixed if label in before]
    asked = dict.fromkeys(question for finding in fixed for question in finding.questions)
    return [room.said(relative(question, shared.cwd)) for question in asked]


def not_verified(shared: Shared, room: Room) -> list[str]:
    """What nobody checked, and what is to be doubted."""
    comparison = shared.comparison
    told = [room.said(check) for check in comparison.next_checks]
    known = {check.partition(":")[0] for check in comparison.next_checks}
    told += [sentence for topic, sentence in _unknown(shared) if topic not in known]
    where = code(comparison_json_uri(comparison.comparison_id))
    doubts = room.cut([room.said(f"Doubt: {_by_side(one)}") for one in comparison.warnings], where)
    return bullets([*told, SCOPE, *doubts])


_NO_GRADIENTS = "Gradients: unknown; none were recorded on both sides."
_NO_BACKWARD = "Gradients: this command ran no backward pass; what one would compute is unknown."


def _by_side(warning: str) -> str:
    """A warning with its side in the words of this page."""
    side, colon, rest = warning.partition(": ")
    named = {"baseline": "before the change", "candidate": "after the change"}.get(side, side)
    return f"{named}{colon}{rest}"


def _unknown(shared: Shared) -> Iterator[tuple[str, str]]:
    """What was not recorded, with the topic that a check of the comparison would have in front."""
    outputs, steady = shared.comparison.outputs, shared.comparison.steady_state
    if outputs.status == "not_recorded":
        yield "Outputs", "Outputs: unknown; what the launches computed was not recorded on both sides."
    elif outputs.status == "not_deterministic":
        yield "Outputs", "Outputs: unknown; the program differs from itself, so they could not be compared."
    elif outputs.status == "incomplete":
        yield "Outputs", f"Outputs: known in part; {uncovered_words(outputs)}."
    elif outputs.left_out:
        yield "Outputs", f"Outputs of {outputs.left_out:,} launches were not recorded."
    if steady.status == "not_recorded":
        yield "Steady state", "Steady state: unknown; launches were not timed on both sides after the start."
    elif steady.status == "within_noise":
        yield "Steady state", f"Steady state: launches were timed, but {steady.hidden or 'noise hides much'}."
    if not _gradients(shared):
        yield "Gradients", _NO_BACKWARD if _no_backward(shared) else _NO_GRADIENTS


def _no_backward(shared: Shared) -> bool:
    """Whether both sides are known to have run no backward pass."""
    sides = [side for side in (shared.baseline, shared.candidate) if side is not None]
    return len(sides) == 2 and all(
        side.launches.complete and not any(module.adjoint_launches for module in side.modules)
        for side in sides
    )


def _gradients(shared: Shared) -> bool:
    """Whether both sides recorded gradients."""
    sides = [side.outputs for side in (shared.baseline, shared.candidate) if side is not None]
    return len(sides) == 2 and all(
        side is not None and any(record.kind == "gradients" for record in side.records) for side in sides
    )
