"""Folding a sequence of numbers: repeated blocks of any length become a pattern and a length.

Pure functions on bytes, four bytes an entry; comparing slices of bytes is what keeps this cheap.
"""

WIDTH = 4
"""Bytes of one entry."""

MAX_PERIOD = 65536
"""Longest block, in entries, whose repetition is recognised."""

MIN_RUN = 32
"""Entries that must repeat before a stretch counts as periodic: shorter ones are kept as they are."""


def common_prefix(left, right):
    """Length in bytes, a multiple of WIDTH, of the longest common prefix."""
    limit = min(len(left), len(right)) // WIDTH
    if left[: limit * WIDTH] == right[: limit * WIDTH]:
        return limit * WIDTH
    low, high = 0, limit
    while high - low > 1:
        middle = (low + high) // 2
        if left[low * WIDTH : middle * WIDTH] == right[low * WIDTH : middle * WIDTH]:
            low = middle
        else:
            high = middle
    return low * WIDTH


def repeated(pattern, offset, length):
    """`length` bytes of `pattern` repeated, beginning `offset` bytes into it."""
    offset %= len(pattern)
    return (pattern * ((offset + length) // len(pattern) + 1))[offset : offset + length]


def periodic_suffix(data, period):
    """Bytes of the longest suffix of `data` in which every entry equals the one `period` bytes earlier.

    The first `period` bytes of that suffix are free, so the result is at least `period`.
    """
    left, right = data[period:], data[:-period]
    if left == right:
        return len(data)
    low, high = 0, len(left) // WIDTH
    while high - low > 1:
        middle = (low + high) // 2
        if left[len(left) - middle * WIDTH :] == right[len(right) - middle * WIDTH :]:
            low = middle
        else:
            high = middle
    return low * WIDTH + period


def find_period(data, candidates, wanted):
    """(period, covered): the period whose repetition covers most of the last `wanted` bytes of `data`.

    `candidates` are periods in bytes to try beside those that the last entries of `data` suggest.
    (0, 0) when nothing repeats for at least two periods and MIN_RUN entries.
    """
    best, covered = 0, 0
    for period in _suggested(data) + [c for c in candidates if c <= MAX_PERIOD * WIDTH]:
        if not _ends_periodic(data, period):
            continue
        gain = min(periodic_suffix(data[-(wanted + period) :], period), wanted)
        if gain > covered or (gain == covered and period < best):
            best, covered = period, gain
    return best, covered


def _ends_periodic(data, period):
    """True when the last two periods, and at least MIN_RUN entries, repeat with this period."""
    needed = max(period, MIN_RUN * WIDTH - period)
    if not 0 < needed + period <= len(data):
        return False
    return data[-needed:] == data[-needed - period : -period]


def _suggested(data, most=8):
    """Distances in bytes between places of `data` that look like its end, or like its last change."""
    ends = [(data[-entries * WIDTH :], len(data) - entries * WIDTH) for entries in (1, 16)]
    change = _last_change(data)
    if change:
        begin = max(0, change - 8 * WIDTH)
        ends.append((data[begin : change + 8 * WIDTH], begin))
    found = set()
    for key, place in ends:
        position = place
        for _ in range(most):
            position = _find_before(data, key, position)
            if position < 0:
                break
            found.add(place - position)
    return sorted(found)


def _last_change(data):
    """Place of the last entry that differs from the one before it; 0 when all are equal."""
    last = data[-WIDTH:]
    return len(data) - common_suffix_of_one(data, last)


def common_suffix_of_one(data, entry):
    """Bytes at the end of `data` that are nothing but `entry`."""
    low, high = 1, len(data) // WIDTH + 1
    while high - low > 1:
        middle = (low + high) // 2
        if data[-middle * WIDTH :] == entry * middle:
            low = middle
        else:
            high = middle
    return low * WIDTH


def _find_before(data, key, position):
    """Last aligned place of `key` in `data` that begins before `position`; -1 when there is none."""
    lowest = max(0, len(data) - MAX_PERIOD * WIDTH - len(key))
    while True:
        position = data.rfind(key, lowest, position + len(key) - 1)
        if position < 0 or position % WIDTH == 0:
            return position


def compress(data):
    """[(pattern, length)] in bytes that tell `data` exactly, repetition folded from left to right."""
    segments, literal, position, seen = [], 0, 0, {}
    while position < len(data):
        earlier = seen.get(data[position : position + 4 * WIDTH], -1)
        seen[data[position : position + 4 * WIDTH]] = position
        length = _run_length(data, earlier, position) if earlier >= literal else 0
        if length:
            if earlier > literal:
                segments.append((data[literal:earlier], earlier - literal))
            segments.append((data[earlier:position], length))
            literal = position = earlier + length
        else:
            position += WIDTH
    if literal < len(data):
        segments.append((data[literal:], len(data) - literal))
    return segments


def _run_length(data, begin, second):
    """Bytes from `begin` on that repeat with period `second - begin`; 0 when too few to be worth it."""
    period = second - begin
    if data[begin:second] != data[second : second + period]:
        return 0
    length = period + common_prefix(data[second:], data[begin:])
    return length if length >= MIN_RUN * WIDTH else 0
