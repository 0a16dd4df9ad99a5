"""A thread's launches can be read back exactly at any moment, without the thread's help."""

import random
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from _warp_mcp_recorder import _state, record, sequence, wire

from warp_mcp.models.launching import LaunchStream
from warp_mcp.reading.lines import read_lines
from warp_mcp.reading.sequences import Threads, read_threads


@pytest.fixture
def open_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[record.Record]:
    monkeypatch.setenv("WARP_MCP_RECORD_DIR", str(tmp_path))
    opened = record.Record.open()
    assert opened is not None
    monkeypatch.setattr(_state, "record", opened)
    yield opened


def begin(opened: record.Record, thread: int = 0) -> sequence.Sequence:
    path = f"{opened.path.removesuffix('.jsonl')}.{thread}.launches"
    codes = array("Q", range(1000))
    return sequence.Sequence(sequence.Area(path, thread), thread, codes)


def read(opened: record.Record) -> Threads:
    events, broken = read_lines(Path(opened.path))
    assert broken == 0
    return read_threads(events, Path(opened.path))


def unfolded(stream: LaunchStream) -> list[int]:
    told: list[int] = []
    for segment in stream.segments:
        whole, rest = divmod(segment.length, len(segment.pattern))
        told += segment.pattern * whole + segment.pattern[:rest]
    return told


def structured(chance: random.Random, length: int) -> list[int]:
    """Warm-up, loops, loops in loops, and stretches without order, as programs have them."""
    slots: list[int] = []
    while len(slots) < length:
        kind = chance.randrange(4)
        if kind == 0:
            slots += [chance.randrange(50) for _ in range(chance.randrange(1, 400))]
        elif kind == 1:
            slots += [chance.randrange(50)] * chance.randrange(1, 6000)
        elif kind == 2:
            slots += [chance.randrange(50) for _ in range(chance.randrange(1, 1500))] * chance.randrange(
                1, 12
            )
        else:
            inner = [1] * chance.randrange(1, 900) + [2] * chance.randrange(1, 900)
            slots += inner * chance.randrange(1, 9)
    return slots[:length]


@pytest.mark.parametrize("seed", range(12))
def test_launches_are_told_exactly_at_any_moment(open_record: record.Record, seed: int) -> None:
    chance = random.Random(seed)
    slots = structured(chance, 30000)
    moments = sorted(chance.sample(range(1, len(slots) + 1), 12)) + [len(slots)]
    own = begin(open_record)
    done = 0
    for moment in moments:
        for slot in slots[done:moment]:
            own.append(slot)
        done = moment
        result = read(open_record)
        assert unfolded(result.streams[0]) == slots[:moment]
        assert result.counts == Counter(slots[:moment])
        assert own.length() == moment


@pytest.mark.parametrize("period", [1, 2, 7, 100, 1201])
def test_a_long_loop_takes_no_more_room_than_a_short_one(open_record: record.Record, period: int) -> None:
    own = begin(open_record)
    sizes = []
    for _ in range(2):
        for index in range(100_000):
            own.append(index % period)
        sizes.append(Path(open_record.path).stat().st_size)
    assert sizes[1] - sizes[0] < 20 * period + 400
    assert read(open_record).streams[0].length == 200_000


def test_a_loop_in_a_loop_is_folded_as_one(open_record: record.Record) -> None:
    own = begin(open_record)
    for _ in range(200):
        for slot in (0, 1):
            for _ in range(1500):
                own.append(slot)
    stream = read(open_record).streams[0]
    assert stream.length == stream.known == 600_000
    assert len(stream.segments) < 20


def test_without_order_counts_and_a_digest_stay(open_record: record.Record) -> None:
    chance = random.Random(3)
    slots = [chance.randrange(900) for _ in range(wire.MAX_PATTERN_ENTRIES + 30000)]
    own = begin(open_record)
    for slot in slots:
        own.append(slot)
    result = read(open_record)
    stream = result.streams[0]
    assert stream.length == len(slots) and stream.known < len(slots)
    assert unfolded(stream) == slots[: stream.known]
    assert stream.tail_digest
    assert result.counts == Counter(slots)


def test_a_thread_that_ended_leaves_its_map_to_another(open_record: record.Record) -> None:
    own = begin(open_record, 0)
    for slot in range(100):
        own.append(slot % 7)
    own.fold(end=True)
    other = sequence.Sequence(own.area, 1, own.codes)
    for _ in range(5000):
        other.append(3)
    streams = read(open_record).streams
    assert [unfolded(stream) for stream in streams] == [[slot % 7 for slot in range(100)], [3] * 5000]


def test_a_fold_that_was_written_but_not_made_valid_is_not_counted_twice(
    open_record: record.Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = begin(open_record)
    slots = structured(random.Random(5), 4096)
    for slot in slots:
        own.append(slot)

    class Killed(BaseException):
        pass

    def killed(line: dict[str, object], counted: bool = True) -> bool:
        record.Record.write(open_record, line, counted)
        raise Killed

    monkeypatch.setattr(_state, "record", type("R", (), {"write": staticmethod(killed)}))
    with pytest.raises(Killed):
        own.append(1)
    assert unfolded(read(open_record).streams[0]) == slots
