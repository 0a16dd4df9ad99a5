"""Names of reports and comparisons: short, unique, in the order of time. The clock is read here only."""

import secrets
from datetime import datetime, timezone

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(timezone.utc)


def created_at(moment: datetime) -> str:
    """ISO 8601 to the second, in UTC: `2026-12-01T10:15:30Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def new_id(prefix: str, moment: datetime) -> str:
    """`r-20261201-101530-ab12`: date, time, then a thousandth of a second and two random characters.

    Two base-36 digits tell 1296 parts of a second, so that names made within one second still sort by time.
    """
    part = moment.microsecond * 1296 // 1_000_000
    tail = _DIGITS[part // 36] + _DIGITS[part % 36] + secrets.choice(_DIGITS) + secrets.choice(_DIGITS)
    return f"{prefix}-{moment.strftime('%Y%m%d-%H%M%S')}-{tail}"
