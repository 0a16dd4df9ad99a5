"""Names that sort by time and are unique."""

import re
from datetime import datetime, timedelta, timezone

from warp_mcp import storage

MOMENT = datetime(2026, 12, 1, 10, 15, 30, 999_999, tzinfo=timezone.utc)


def test_an_id_holds_the_time_and_four_characters() -> None:
    assert re.fullmatch(r"r-20261201-101530-[0-9a-z]{4}", storage.new_id("r", MOMENT))


def test_ids_sort_by_time_even_within_a_second() -> None:
    moments = [MOMENT.replace(microsecond=0) + timedelta(milliseconds=7 * step) for step in range(400)]
    ids = [storage.new_id("r", moment) for moment in moments]

    assert ids == sorted(ids)


def test_ids_of_one_moment_differ() -> None:
    assert len({storage.new_id("r", MOMENT) for _ in range(20)}) > 10


def test_the_date_of_a_report_is_iso_8601_in_utc() -> None:
    assert storage.created_at(MOMENT) == "2026-12-01T10:15:30Z"
