"""What a user asks to have recorded in a ledger, checked before anything is read or written."""

import hashlib
import json
import unicodedata
from collections.abc import Sequence

from warp_mcp.errors import UsageError
from warp_mcp.models.ledger import (
    KEY_LIMIT,
    LINE_LIMIT,
    STATUSES,
    TEXT_LIMIT,
    VERIFY_LIMIT,
    LedgerContent,
    LedgerDraft,
    rests_on,
)

REQUIRED = ("what", "where", "scope", "status", "why", "how_to_take", "how_to_undo")
SHORT = ("what", "where", "scope", "layer")
_LAYERS = "outputs, gradients, steady-state speed, another device, paths the command did not run"


def check_content(
    *,
    what: str,
    where: str,
    scope: str,
    status: str,
    why: str,
    how_to_take: str,
    how_to_undo: str,
    layer: str | None,
    verify: Sequence[str],
) -> LedgerContent:
    """The content without blanks around it.

    Raises `UsageError`: something is missing, too long, not text, or does not go with the status.
    """
    given = {
        "what": what,
        "where": where,
        "scope": scope,
        "status": status,
        "why": why,
        "how_to_take": how_to_take,
        "how_to_undo": how_to_undo,
        "layer": layer or "",
    }
    texts = {name: _text(name, value) for name, value in given.items()}
    _check_missing(texts)
    if texts["status"] not in STATUSES:
        known = ", ".join(STATUSES)
        raise UsageError("bad_status", "That is no status an entry can have.", f"Use one of: {known}.")
    left = _verify(verify)
    _check_layer(texts["status"], texts["layer"], left)
    return LedgerContent.model_validate({**texts, "layer": texts["layer"] or None, "verify": left})


def _check_missing(texts: dict[str, str]) -> None:
    missing = [name for name in REQUIRED if not texts[name]]
    if missing:
        raise UsageError(
            "missing",
            f"An entry needs {', '.join(REQUIRED)}; missing: {', '.join(missing)}.",
            "Give each in a sentence; write “unknown, because …” where it is unknown.",
        )


def _check_layer(status: str, layer: str, verify: list[str]) -> None:
    applied = status == "applied_unverified"
    if applied and not (layer and verify):
        missing = "layer" if not layer else "verify"
        raise UsageError(
            "missing",
            f"What was applied without being verified needs {missing}.",
            f"Name the layer that is not verified ({_LAYERS}) and, in verify, what would verify it.",
        )
    if layer and not applied:
        raise UsageError(
            "layer_without_need",
            f"A layer goes with applied_unverified; the status is {status}.",
            "Leave it out, or say in verify what must be verified before the option is taken.",
        )


def _verify(items: Sequence[str]) -> list[str]:
    if len(items) > VERIFY_LIMIT:
        raise UsageError(
            "too_long",
            f"verify has {len(items):,} entries; {VERIFY_LIMIT} at most.",
            "Name a document instead.",
        )
    return [text for text in (_text("verify", item) for item in items) if text]


def limit_of(name: str) -> int:
    """Characters that a field may have."""
    if name == "key":
        return KEY_LIMIT
    return LINE_LIMIT if name in (*SHORT, "verify", "status") else TEXT_LIMIT


def _text(name: str, value: str) -> str:
    """The text without blanks around it and with plain line ends. Raises `UsageError`."""
    value = value.strip().replace("\r\n", "\n")
    limit = limit_of(name)
    if len(value) > limit:
        raise UsageError(
            "too_long",
            f"{name} has {len(value):,} characters; {limit:,} at most.",
            "Shorten it, or keep it in a file and name that.",
        )
    if any(_unfit(mark) for mark in value):
        raise UsageError(
            "not_plain_text",
            f"{name} holds control characters or what is no Unicode text.",
            "Use plain text; lines may end, and tabs are fine.",
        )
    return value


def _unfit(mark: str) -> bool:
    return mark not in "\n\t" and unicodedata.category(mark) in ("Cc", "Cs")


def check_estimate(text: str | None) -> str | None:
    """The estimate, `None` for none. Raises `UsageError`: too long, or no text."""
    return _text("estimate", text or "") or None


def key_for(key: str | None, draft: LedgerDraft) -> str:
    """The key a user gave; else one made of what the entry says, so that saying it again adds nothing.

    Raises `UsageError`: it is too long or not printable.
    """
    if key is not None:
        text = _text("key", key)
        if not text or not text.isprintable():
            raise UsageError(
                "bad_key", "A key is printable characters on one line.", "Use: no-backward, say."
            )
        return text
    said = draft.model_dump(exclude={"key", "created_at", "effect"})
    digest = hashlib.sha256(json.dumps([said, rests_on(draft.effect)], sort_keys=True).encode()).hexdigest()
    return f"auto-{digest[:16]}"
