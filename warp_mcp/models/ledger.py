"""The ledger of options that were declined, deferred, or applied without being fully verified.

One line of a ledger file is one `LedgerEntry`: schema `warp-mcp/ledger/1`. The rest tells what reading,
appending to and checking such a file gave. How lines are chained and written is the storage's.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field

from warp_mcp.models.base import Model
from warp_mcp.models.comparison import Verdict

SCHEMA = "warp-mcp/ledger/1"
CHECK_SCHEMA = "warp-mcp/ledger-check/1"
LISTING_SCHEMA = "warp-mcp/ledger-list/1"
APPENDED_SCHEMA = "warp-mcp/ledger-appended/1"
LEVERS_SCHEMA = "warp-mcp/ledger-levers/1"

NO_HASH = "0" * 64
"""What the first entry has in place of the hash of the one before it."""

EntryStatus = Literal["declined", "applied_unverified", "deferred"]
STATUSES: tuple[str, ...] = get_args(EntryStatus)

LINE_LIMIT = 500
"""Characters of `what`, `where`, `scope`, `layer` and each of `verify`: a long sentence."""
TEXT_LIMIT = 4_000
"""Characters of `why`, `how_to_take`, `how_to_undo` and an estimate: a page. What is longer is a document."""
KEY_LIMIT = 100
VERIFY_LIMIT = 20
"""Things left to verify in one entry: more is a plan of its own."""


class LedgerSide(Model):
    """One report of a measured effect, with the metric that the verdict was judged on."""

    report_id: str
    label: str | None
    median_ms: float | None
    """Null where this report does not tell the metric."""
    mad_ms: float | None
    count: int
    lever: str | None = None
    """The lever of that report that these runs had, as typed; null for the program as it is."""


class MeasuredEffect(Model):
    """What two reports, or a report and one of its levers, say: worked out, never taken from the user."""

    kind: Literal["measured"] = "measured"
    baseline: LedgerSide
    """Without the option."""
    candidate: LedgerSide
    """With the option."""
    judged_on: str
    delta_ms: float | None
    """Candidate minus baseline."""
    delta_percent: float | None
    verdict: Verdict
    reason: str
    """The comparison's first sentence: why the verdict is what it is."""
    comparison_id: str | None
    """The kept comparison; null for a lever, and when it could not be kept."""


class EstimatedEffect(Model):
    """A number or a guess without reports behind it."""

    kind: Literal["estimate"] = "estimate"
    text: str


Effect = Annotated[MeasuredEffect | EstimatedEffect, Field(discriminator="kind")]


class LedgerContent(Model):
    """What a user says of one option."""

    what: str
    """The option."""
    where: str
    """Where it would go, or went: a file and line, a module, a setting."""
    scope: str
    """How far it reaches: one kernel, one module, the process, every program that imports a library."""
    status: EntryStatus
    layer: str | None
    """Of `applied_unverified`: the layer at which it is not verified (outputs, gradients, …); else null."""
    why: str
    how_to_take: str
    how_to_undo: str
    verify: list[str]
    """What still must be verified."""


class LedgerDraft(LedgerContent):
    """An entry that has no place in a ledger yet."""

    effect: Effect | None
    """Null when nothing was measured or estimated."""
    key: str
    project: str
    """Readable name of the project's directory with a digest of its path."""
    created_at: str
    """ISO 8601, UTC."""

    def differences(self, other: "LedgerDraft") -> list[str]:
        """Names of the fields in which two drafts say something else; key and time are not said.

        Measured effects are the same when they rest on the same two reports, or the same lever of one.
        """
        names = [*LedgerContent.model_fields, "project"]
        differing = [name for name in names if getattr(self, name) != getattr(other, name)]
        return differing if rests_on(self.effect) == rests_on(other.effect) else [*differing, "effect"]


def rests_on(effect: MeasuredEffect | EstimatedEffect | None) -> list[str]:
    """What a user gave for an effect: two report ids, one with a lever, an estimate's words, or nothing."""
    if isinstance(effect, MeasuredEffect):
        lever = [effect.candidate.lever] if effect.candidate.lever else []
        return ["measured", effect.baseline.report_id, effect.candidate.report_id, *lever]
    return ["estimate", effect.text] if effect else []


class LedgerEntry(LedgerDraft):
    """One line of a ledger file."""

    schema_: Literal["warp-mcp/ledger/1"] = Field(alias="schema", serialization_alias="schema")
    number: int
    """1 = first."""
    previous: str
    """Hash of the entry before, in hexadecimal; `NO_HASH` for the first."""
    hash: str
    """SHA-256, in hexadecimal, of the bytes of the line up to this field (without the comma before it)."""


class LedgerProblem(Model):
    """The first place at which a chain does not hold."""

    line: int
    """1 = first."""
    code: Literal["not_an_entry", "edited", "not_in_order"]
    message: str


class LedgerAppended(Model):
    """What became of an append."""

    schema_: str = Field(default=APPENDED_SCHEMA, alias="schema", serialization_alias="schema")
    created: bool
    """False when an entry with this key said the same already; it is `entry`, and nothing was written."""
    entry: LedgerEntry
    path: str
    set_aside: str | None
    """The file that a cut last line was moved to; null when there was none."""


class LeverLeft(Model):
    """A lever that was not recorded."""

    lever: str
    why: str
    """One sentence."""


class LeversAppended(Model):
    """What became of appending every lever of a report that was not taken."""

    schema_: str = Field(default=LEVERS_SCHEMA, alias="schema", serialization_alias="schema")
    report_id: str
    appended: list[LedgerAppended]
    left: list[LeverLeft]


class LedgerListing(Model):
    """The entries of one ledger, oldest first."""

    schema_: str = Field(default=LISTING_SCHEMA, alias="schema", serialization_alias="schema")
    path: str
    project: str
    exists: bool
    """False when nothing has been recorded there yet."""
    entries: list[LedgerEntry]
    """All that can be read, also behind a problem."""
    problem: LedgerProblem | None
    cut_bytes: int
    """Length of a cut last line, which is not an entry; 0 when there is none."""


class LedgerCheck(Model):
    """Whether the chain of one ledger holds, and what that shows."""

    schema_: str = Field(default=CHECK_SCHEMA, alias="schema", serialization_alias="schema")
    path: str
    intact: bool
    """The chain holds from the first to the last line, and no line is cut."""
    entries: int
    """Entries whose chain holds, from the first on."""
    last_hash: str | None
    """Hash of the last of them; null when there is none."""
    problem: LedgerProblem | None
    cut_bytes: int
    shows: list[str]
    """Sentences: what an intact chain shows."""
    cannot_show: list[str]
    """Sentences: what no such chain can show."""
