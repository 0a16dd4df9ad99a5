"""The workload part of a comparison: preserved, changed or not verified, and where it first differs."""

from dataclasses import replace

from warp_mcp.analysis.differences import launch_differences, unit_difference
from warp_mcp.analysis.equivalence import by_signature, common_part
from warp_mcp.analysis.kernel_changes import KernelChanges, compare_kernels, content_token, work_at
from warp_mcp.analysis.matching import Numbering, Parting, Side, Token, pair_up, unmatched
from warp_mcp.analysis.thresholds import MOST_NAMED
from warp_mcp.models.comparison import Divergence, Workload
from warp_mcp.models.report import Launches, Report, Work


def compare_workloads(baseline: Report, candidate: Report) -> Workload:
    """What ran on both sides. Names of kernels do not count; an order does, within each thread."""
    changes = compare_kernels(baseline, candidate)
    notes = [f"the code of {name} is not in a record, so it is compared by name" for name in changes.unknown]
    before, after = baseline.launches, candidate.launches
    unrecorded = _not_recorded(baseline, candidate)
    if unrecorded:
        return _workload("unverified", changes, unrecorded + notes)
    if before.sequence_sha256 == after.sequence_sha256:
        ended = (
            [_common(before.total, before, after)] if open_ended(baseline) and open_ended(candidate) else []
        )
        return _same(changes, ended + _signatures_only(before) + notes)
    if open_ended(baseline) and open_ended(candidate):
        common = common_part(before, after)
        if common:
            changes = replace(changes, changed=changes.changed + _replaced(before, after, changes))
            return _same(changes, [_common(common, before, after), *notes])
    return _different(baseline, candidate, changes, notes)


def _same(changes: KernelChanges, notes: list[str]) -> Workload:
    """Equal launches: preserved, unless a kernel computes something else."""
    return _workload("unverified" if changes.changed else "preserved", changes, notes)


def _signatures_only(launches: Launches) -> list[str]:
    """Said where the record tells signatures further than which kernel each launch ran."""
    known = [one.known for one in launches.sequences if not one.content_digest and one.known < one.length]
    if not known:
        return []
    return [f"after the first {min(known)} launches of a thread, launches are compared by signature only"]


def _replaced(before: Launches, after: Launches, changes: KernelChanges) -> list[str]:
    """Kernels that took another one's place within the common part of runs that were ended."""
    pairs, _, _ = _partings(before, after, changes)
    apart = [pair for pair in pairs if not pair.cut_short and pair.differs_at is not None]
    names = [work_at(pair.right.sequence, after.work, pair.agreed) for pair in apart]
    return list(dict.fromkeys(work.kernel for work in names if work))


def open_ended(report: Report) -> bool:
    """Whether the program was ended at a moment that differs from run to run."""
    return report.stop.startswith(("when_quiet", "until_output"))


def _workload(
    status: str, changes: KernelChanges, differences: list[str], divergence: Divergence | None = None
) -> Workload:
    return Workload.model_validate(
        {
            "status": status,
            "first_divergence": divergence,
            "differences": _shortened(differences),
            "renames": _shortened([f"{old} → {new}" for new, old in sorted(changes.renamed.items())]),
            "kernels_changed": _shortened(changes.changed),
        }
    )


def _shortened(sentences: list[str], most: int = 5 * MOST_NAMED) -> list[str]:
    if len(sentences) <= most:
        return sentences
    return [*sentences[: most - 1], f"and {len(sentences) - most + 1} more"]


def _not_recorded(baseline: Report, candidate: Report) -> list[str]:
    found: list[str] = []
    for side, report in (("baseline", baseline), ("candidate", candidate)):
        if report.launches.sequence_sha256 is None:
            found.append(f"the launches of the {side} were not recorded")
        elif not report.launches.complete:
            found.append(f"the record of the {side}'s launches is incomplete")
    return found


def _common(common: int, before: Launches, after: Launches) -> str:
    return (
        f"judged on the first {common} launches, which both sides have in common: the baseline was "
        f"ended after {before.total}, the candidate after {after.total}"
    )


def _different(baseline: Report, candidate: Report, changes: KernelChanges, notes: list[str]) -> Workload:
    before, after = baseline.launches, candidate.launches
    pairs, alone, others = _partings(before, after, changes)
    divergence = _divergence(pairs, before, after)
    if divergence is None and not pairs:
        divergence = _of_one_side(alone, before, "baseline") or _of_one_side(others, after, "candidate")
    sentences = launch_differences(before, after, changes.renamed)
    sentences += _where(pairs, divergence, before, after)
    if not sentences:
        sentences = ["the launches of both sides differ beyond what the reports keep"]
    shaky = [side for side, launches in (("baseline", before), ("candidate", after)) if not launches.stable]
    if shaky:
        sides = " and of the ".join(shaky)
        sentences.insert(
            0,
            f"the samples of the {sides} did not launch the same themselves, so a difference proves nothing",
        )
    return _workload("unverified" if shaky else "changed", changes, sentences + notes, divergence)


def _partings(
    before: Launches, after: Launches, changes: KernelChanges
) -> tuple[list[Parting], list[Side], list[Side]]:
    """Pairs of unlike threads. Located by what kernels compute where that is known of all."""
    token: Token = by_signature if changes.unknown else content_token(changes)
    ours, theirs = unmatched(before, after)
    numbering = Numbering(token)
    return pair_up(
        [numbering.side(sequence, before.work) for sequence in ours],
        [numbering.side(sequence, after.work) for sequence in theirs],
    )


def _divergence(pairs: list[Parting], before: Launches, after: Launches) -> Divergence | None:
    for pair in pairs:
        if pair.differs_at is not None:
            old = work_at(pair.left.sequence, before.work, pair.differs_at)
            new = work_at(pair.right.sequence, after.work, pair.differs_at)
            return Divergence(launch=pair.differs_at + 1, baseline=_text(old), candidate=_text(new))
    return None


def _of_one_side(sides: list[Side], launches: Launches, side: str) -> Divergence | None:
    """A thread that only one side has: its first launch is where they differ."""
    if not sides:
        return None
    text = _text(work_at(sides[0].sequence, launches.work, 0))
    return Divergence(
        launch=1,
        baseline=text if side == "baseline" else None,
        candidate=text if side == "candidate" else None,
    )


def _text(work: Work | None) -> str | None:
    return f"{work.kernel} {work.signature}" if work else None


def _where(
    pairs: list[Parting], divergence: Divergence | None, before: Launches, after: Launches
) -> list[str]:
    """Sentences on the place: the unit that differs, or the stretch within which the difference lies."""
    if divergence is not None:
        found = [pair for pair in pairs if pair.differs_at is not None][:1]
        units = [
            (
                work_at(pair.left.sequence, before.work, pair.agreed),
                work_at(pair.right.sequence, after.work, pair.agreed),
            )
            for pair in found
        ]
        return [
            text
            for old, new in units
            if old and new and (text := unit_difference(old, new, divergence.launch))
        ]
    return [_bound(pair) for pair in pairs]


def _bound(pair: Parting) -> str:
    if pair.bound is not None:
        place = f"between launch {pair.agreed + 1} and launch {pair.bound}"
    else:
        place = "after them"
    return f"the first {pair.agreed} launches of a thread agree; the first difference is {place}"
