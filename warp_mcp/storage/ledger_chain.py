r"""Lines of a ledger: how entries are chained, written as text, and found not to hold. Opens no file.

A line is an object of JSON in UTF-8 whose last field is `hash`: the SHA-256 of all bytes before
`,"hash":`. It covers `previous`, the hash of the line before. Anybody can check a line without this program:

    sed -n 3p ledger.jsonl | sed 's/,"hash":"[0-9a-f]*"}$//' | tr -d '\n' | sha256sum
"""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError

from warp_mcp.models.ledger import NO_HASH, SCHEMA, LedgerDraft, LedgerEntry, LedgerProblem

_BEGINNING = f'{{"schema":"{SCHEMA}",'.encode()
"""Every line begins so; what does not is nothing that was appended by this program."""
_FAMILY = SCHEMA.rsplit("/", 1)[0] + "/"
_HASH_FIELD = b',"hash":"'
_END = b'"}'


@dataclass(frozen=True)
class Chain:
    """What the bytes of a file hold."""

    entries: list[LedgerEntry] = field(default_factory=list[LedgerEntry])
    """All lines that are entries, in the order of the file, also behind a problem."""
    sound: int = 0
    """How many of them, from the first on, are chained as they should be."""
    problem: LedgerProblem | None = None
    whole_bytes: int = 0
    """Up to and with the last end of a line."""
    tail: bytes = b""
    """What stands behind that: the last line of an append that was cut."""
    other_schema: str | None = None
    """The first schema of a ledger that this release does not read."""

    @property
    def last_hash(self) -> str:
        """What the next entry is chained to."""
        return self.entries[self.sound - 1].hash if self.sound else NO_HASH

    @property
    def foreign(self) -> bool:
        """The bytes are no ledger: there are some, but no entry and no beginning of one."""
        if self.entries or self.other_schema:
            return False
        return self.problem is not None or not _is_beginning(self.tail)


def _is_beginning(tail: bytes) -> bool:
    shared = min(len(tail), len(_BEGINNING))
    return tail[:shared] == _BEGINNING[:shared]


def make_entry(draft: LedgerDraft, chain: Chain) -> tuple[LedgerEntry, bytes]:
    """The entry that comes next in `chain`, with its line, the end of the line included."""
    value = {
        "schema": SCHEMA,
        "number": chain.sound + 1,
        **draft.model_dump(by_alias=True),
        "previous": chain.last_hash,
    }
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    body = text[:-1].encode()
    digest = hashlib.sha256(body).hexdigest()
    return LedgerEntry.model_validate({**value, "hash": digest}), line_of(body, digest)


def line_of(body: bytes, digest: str) -> bytes:
    """A line from what is hashed and its hash."""
    return body + _HASH_FIELD + digest.encode() + _END + b"\n"


def completed(chain: Chain) -> bool:
    """Whether the cut last line lacks nothing but its end: then it is an entry, and can be kept."""
    return not chain.problem and _link(chain.tail, len(chain.entries) + 1, chain.last_hash)[1] is None


def read_chain(data: bytes) -> Chain:
    """Take the bytes of a ledger apart and check how its entries are chained."""
    whole_bytes = data.rfind(b"\n") + 1
    entries: list[LedgerEntry] = []
    problem: LedgerProblem | None = None
    other: str | None = None
    sound, previous = 0, NO_HASH
    for number, line in enumerate(data[:whole_bytes].split(b"\n")[:-1], start=1):
        entry, wrong = _link(line, number, previous)
        if entry is None:
            other = other or _other_schema(line)
        else:
            entries.append(entry)
            previous = entry.hash
        problem = problem or wrong
        sound += problem is None
    return Chain(entries, sound, problem, whole_bytes, data[whole_bytes:], other)


def _link(line: bytes, number: int, previous: str) -> tuple[LedgerEntry | None, LedgerProblem | None]:
    """The entry in a line, and what is wrong with it as the `number`-th, behind the hash `previous`."""
    entry = _entry(line)
    if entry is None:
        return None, _problem(number, "not_an_entry", f"Line {number} is no entry of a ledger.")
    body, digest = line[: line.rfind(_HASH_FIELD)], hashlib.sha256
    if line + b"\n" != line_of(body, entry.hash) or digest(body).hexdigest() != entry.hash:
        message = f"Line {number} was changed after it was written: its hash is that of another text."
        return entry, _problem(number, "edited", message)
    if entry.previous != previous or entry.number != number:
        return entry, _problem(number, "not_in_order", _order_words(entry, number))
    return entry, None


def _problem(line: int, code: str, message: str) -> LedgerProblem:
    return LedgerProblem.model_validate({"line": line, "code": code, "message": message})


def _order_words(entry: LedgerEntry, line: int) -> str:
    if entry.number > line:
        gone = entry.number - line
        words = "1 entry is" if gone == 1 else f"{gone} entries are"
        return f"Line {line} is entry {entry.number}: {words} missing before it, or lines changed places."
    if entry.number < line:
        return f"Line {line} is entry {entry.number}: lines were put in before it, or changed places."
    before = "the start of a ledger" if line == 1 else f"line {line - 1}"
    return f"Line {line} was not written to follow {before}."


def _entry(line: bytes) -> LedgerEntry | None:
    try:
        return LedgerEntry.model_validate(json.loads(line))
    except (ValueError, ValidationError, RecursionError):
        return None


def _other_schema(line: bytes) -> str | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = cast(dict[str, Any], value).get("schema") if isinstance(value, dict) else None
    version = found.removeprefix(_FAMILY) if isinstance(found, str) and found != SCHEMA else ""
    return f"{_FAMILY}{version}" if version.isdecimal() and len(version) < 10 else None
