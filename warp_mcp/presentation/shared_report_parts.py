"""What a report for a team is made from: a comparison with everything around it that is on record."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from warp_mcp.models.comparison import Comparison, Delta
from warp_mcp.models.ledger import LedgerEntry, LedgerListing, MeasuredEffect
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.report import Report

MeasuredOn = Literal["here", "this command", "another command", "unknown", "nothing"]
"""`here`: one of the two reports; `this command`: other reports of it; `nothing`: it was not measured."""


class PricedLever(NamedTuple):
    """A lever of one of the two reports."""

    result: LeverResult
    report_id: str
    side: Literal["before", "after"]
    """Which side it was priced beside."""
    taken: Literal["all", "some", "none"]
    """How much of it the modules after the change show."""


@dataclass(frozen=True)
class Shared:
    """Everything that is told."""

    comparison: Comparison
    baseline: Report | None = None
    """Null where the report is not kept any more."""
    candidate: Report | None = None
    ledger: LedgerListing | None = None
    """Of the project; null where it could not be looked up."""
    levers: tuple[PricedLever, ...] = ()
    complaint: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple)
    """What whoever made the change says of it."""
    same_command: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Of other kept reports that entries of the ledger rest on, by id: whether this command made them."""

    @property
    def told(self) -> Report | None:
        """A report that tells the command: the newer, where it is kept."""
        return self.candidate or self.baseline

    @property
    def cwd(self) -> str:
        """Where the program ran; empty where that is unknown."""
        return self.told.cwd if self.told else ""

    @property
    def deltas(self) -> dict[str, Delta]:
        """Times by the name of their metric."""
        return {delta.metric: delta for delta in self.comparison.timing}

    @property
    def entries(self) -> list[LedgerEntry]:
        """The ledger's entries, the newest first."""
        return list(reversed(self.ledger.entries)) if self.ledger else []

    def rests_here(self, entry: LedgerEntry) -> bool:
        """Whether the effect of an entry was measured on one of the two reports."""
        effect = entry.effect
        if not isinstance(effect, MeasuredEffect):
            return False
        ids = {self.comparison.baseline, self.comparison.candidate}
        return bool(ids & {effect.baseline.report_id, effect.candidate.report_id})

    def measured_on(self, entry: LedgerEntry) -> MeasuredOn:
        """What the effect of an entry was measured on, as far as it is known."""
        effect = entry.effect
        if not isinstance(effect, MeasuredEffect):
            return "nothing"
        if self.rests_here(entry):
            return "here"
        known = {self.same_command.get(side.report_id) for side in (effect.baseline, effect.candidate)}
        return "another command" if False in known else "unknown" if None in known else "this command"

    def entry_of(self, lever: PricedLever) -> LedgerEntry | None:
        """The newest entry that was made of a lever."""
        for entry in self.entries:
            effect = entry.effect
            if isinstance(effect, MeasuredEffect):
                if (effect.candidate.report_id, effect.candidate.lever) == (
                    lever.report_id,
                    lever.result.lever,
                ):
                    return entry
        return None
