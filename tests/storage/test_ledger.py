"""A ledger file whatever happens to it: several writers, kills, cut lines, what is no ledger."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.ledger_made import lines, record, three
from warp_mcp.errors import CannotWrite, ProbeError, UnreadableReport, UsageError
from warp_mcp.storage import ledger_file
from warp_mcp.storage.ledger import read_ledger

WRITER = """
import sys
from tests.ledger_made import record
print("ready", flush=True)
sys.stdin.readline()
for number in range(15):
    record(f"{sys.argv[2]} {number}", path=sys.argv[1])
"""

KILLED = """
import os, signal, sys
from tests.ledger_made import record
def kill(*_): os.kill(os.getpid(), signal.SIGKILL)
write = os.write
if sys.argv[2] == "write":
    os.write = lambda descriptor, data: kill(write(descriptor, data[: len(data) // 2]))
else:
    os.fsync = kill
record("two", path=sys.argv[1])
"""

HOLDER = """
import sys
from pathlib import Path
from warp_mcp.storage.ledger_file import opened
with opened(Path(sys.argv[1]), write=True):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "team.jsonl"


def start(code: str, *arguments: object) -> "subprocess.Popen[str]":
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )


def whats(path: Path) -> list[str]:
    """What the entries of an intact ledger are about."""
    chain = read_ledger(path)
    assert chain is not None and chain.problem is None and not chain.tail
    return [entry.what for entry in chain.entries]


def torn_files(path: Path) -> list[Path]:
    """What was set aside beside a ledger."""
    return sorted(one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}.torn-"))


def test_two_processes_that_append_at_once_lose_nothing(path: Path) -> None:
    writers = [start(WRITER, path, name) for name in ("a", "b")]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.communicate("go\n", timeout=60)

    assert [writer.returncode for writer in writers] == [0, 0]
    assert sorted(whats(path)) == sorted(f"{name} {number}" for name in "ab" for number in range(15))


def test_two_threads_of_one_process_append_one_after_the_other(path: Path) -> None:
    threads = [threading.Thread(target=record, args=(str(n),), kwargs={"path": str(path)}) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(whats(path)) == [str(number) for number in range(8)]


def test_the_same_entry_from_many_at_once_is_recorded_once(path: Path) -> None:
    created: list[bool] = []
    threads = [
        threading.Thread(target=lambda: created.append(record("one", path=str(path)).created))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(created) == [False] * 5 + [True]
    assert whats(path) == ["one"]


def test_an_entry_whose_writer_was_killed_before_it_was_flushed_is_flushed_by_the_retry(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record("one", path=str(path))
    writer = start(KILLED, path, "fsync")
    writer.communicate(timeout=60)
    assert writer.returncode == -signal.SIGKILL
    flushed: list[bool] = []
    fsync = os.fsync

    def spy(descriptor: int) -> None:
        flushed.append(os.path.samestat(os.fstat(descriptor), path.stat()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", spy)

    retried = record("two", path=str(path))

    assert (retried.created, retried.entry.number, retried.set_aside) == (False, 2, None)
    assert True in flushed and whats(path) == ["one", "two"]


def test_a_line_whose_writer_was_killed_in_the_middle_is_set_aside(path: Path) -> None:
    record("one", path=str(path))
    writer = start(KILLED, path, "write")
    writer.communicate(timeout=60)
    assert writer.returncode == -signal.SIGKILL
    cut = path.read_bytes().rpartition(b"\n")[2]
    assert cut

    after = record("three", path=str(path))

    (torn,) = torn_files(path)
    assert after.set_aside == str(torn)
    assert torn.read_bytes() == cut + b"\n"
    assert torn.stat().st_mode == path.stat().st_mode
    assert whats(path) == ["one", "three"]


@pytest.mark.parametrize("length", [1, 20, 100, -2])
def test_wherever_a_line_is_cut_the_others_stay(path: Path, length: int) -> None:
    written = three(path)
    path.write_bytes(b"".join(written[:2]) + written[2][:length])

    set_aside = record("four", path=str(path)).set_aside
    assert whats(path) == ["one", "two", "four"]
    assert [set_aside] == [str(torn) for torn in torn_files(path)]
    assert torn_files(path)[0].read_bytes() == written[2][:length] + b"\n"


def test_the_only_line_may_be_the_one_that_is_cut(path: Path) -> None:
    whole = three(path)[0]
    path.write_bytes(whole[:60])

    record("again", path=str(path))

    assert whats(path) == ["again"]


def test_several_cut_lines_are_kept_each_in_a_file_of_its_own(path: Path) -> None:
    for _ in range(2):
        record("one", path=str(path))
        with path.open("ab") as stream:
            stream.write(b"half a line")
        record("two", path=str(path))

    assert [torn.read_bytes() for torn in torn_files(path)] == [b"half a line\n"] * 2


def test_a_line_that_lacks_only_its_end_is_kept(path: Path) -> None:
    written = three(path)
    path.write_bytes(b"".join(written)[:-1])

    assert record("four", path=str(path)).set_aside is None
    assert whats(path) == ["one", "two", "three", "four"]


def test_nothing_is_appended_where_the_chain_does_not_hold(path: Path) -> None:
    written = three(path)
    path.write_bytes(written[0] + written[2])

    with pytest.raises(UsageError) as raised:
        record("four", path=str(path))

    assert raised.value.code == "ledger_broken" and "Line 2" in raised.value.message
    assert path.read_bytes() == written[0] + written[2]


@pytest.mark.parametrize("content", ['{"secret": 1}\n', '{"secret": 1}', "secret\n", "\n", "\0secret"])
def test_a_file_that_is_no_ledger_is_left_as_it_is_and_not_quoted(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UnreadableReport) as raised:
        record(path=str(path))

    assert raised.value.code == "not_a_ledger"
    assert "secret" not in raised.value.message + raised.value.next_step
    assert path.read_text(encoding="utf-8") == content
    assert not torn_files(path)


def test_a_ledger_of_a_later_release_is_told_from_none(path: Path) -> None:
    path.write_bytes(three(path)[0].replace(b"ledger/1", b"ledger/2"))

    with pytest.raises(UnreadableReport) as raised:
        record(path=str(path))

    assert raised.value.code == "other_schema" and "warp-mcp/ledger/2" in raised.value.message


def test_an_empty_file_is_a_new_ledger(path: Path) -> None:
    path.touch()

    assert record("one", path=str(path)).entry.number == 1


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path, path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(path.name)

    appended = record("one", path=str(link))

    assert link.is_symlink() and appended.path == os.path.realpath(path)
    assert whats(path) == ["one"]


def test_a_file_of_the_users_is_as_readable_as_their_files_and_the_own_one_is_private(path: Path) -> None:
    earlier = os.umask(0o022)
    try:
        record(path=str(path))
        own = record().path
    finally:
        os.umask(earlier)

    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert stat.S_IMODE(Path(own).stat().st_mode) == 0o600


@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path, path: Path, kind: str) -> None:
    if kind == "directory":
        path.mkdir()
    else:
        os.mkfifo(path)

    with pytest.raises(UsageError) as raised:
        record("two", path=str(path))

    assert raised.value.code == "not_a_file"


@pytest.mark.parametrize("kind", ["link", "directory", "file", "hard link"])
def test_nothing_that_lies_beside_a_ledger_stands_in_the_way_or_is_written_to(
    tmp_path: Path, path: Path, kind: str
) -> None:
    record("one", path=str(path))
    with path.open("ab") as stream:
        stream.write(b"half")
    other, beside = tmp_path / "elsewhere", Path(f"{path}.torn")
    other.write_bytes(b"not ours")
    if kind == "link":
        beside.symlink_to(other)
    elif kind == "directory":
        beside.mkdir()
    elif kind == "file":
        beside.write_bytes(b"not ours")
    else:
        os.link(other, beside)

    set_aside = record("two", path=str(path)).set_aside

    assert whats(path) == ["one", "two"]
    assert set_aside is not None and Path(set_aside).read_bytes() == b"half\n"
    assert other.read_bytes() == b"not ours"
    assert beside.is_dir() or beside.read_bytes() == b"not ours"


@pytest.mark.parametrize("name", ["a" * 249 + ".jsonl", "水" * 83 + ".jsonl"])
def test_a_cut_line_of_a_ledger_with_the_longest_name_is_set_aside(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    record("one", path=str(path))
    with path.open("ab") as stream:
        stream.write(b"half")

    set_aside = record("two", path=str(path)).set_aside

    assert set_aside is not None and Path(set_aside).read_bytes() == b"half\n"


@pytest.mark.parametrize("call", ["mkstemp", "fsync"])
def test_a_cut_line_that_cannot_be_set_aside_stays_where_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    record("one", path=str(path))
    with path.open("ab") as stream:
        stream.write(b"half")
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ledger_file.tempfile if call == "mkstemp" else os, call, full)

    with pytest.raises(CannotWrite) as raised:
        record("two", path=str(path))

    assert raised.value.code == "cannot_write"
    assert path.read_bytes() == before and not torn_files(path)


def test_a_missing_directory_is_named_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite) as raised:
        record(path=str(tmp_path / "no" / "team.jsonl"))

    assert f"mkdir -p {tmp_path / 'no'}" in raised.value.next_step


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_what_the_disk_has_no_room_for_is_taken_back_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    written = three(path)
    write = os.write

    def full(descriptor: int, data: bytes = b"") -> int:
        if data:
            write(descriptor, data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)

    with pytest.raises(CannotWrite) as raised:
        record("four", path=str(path))

    assert (raised.value.code, raised.value.exit_code) == ("cannot_write", 74)
    assert lines(path) == written


def test_a_directory_that_cannot_be_flushed_on_its_own_does_not_prevent_an_append(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def picky(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", picky)

    assert record(path=str(path)).created


def test_a_lock_that_is_held_too_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holder = start(HOLDER, path)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        monkeypatch.setattr(ledger_file, "WAIT_S", 0.05)
        with pytest.raises(ProbeError) as raised:
            record(path=str(path))
        assert raised.value.code == "ledger_busy"
    finally:
        holder.kill()
        holder.communicate()
    assert record(path=str(path)).created


def test_a_file_that_was_put_in_the_place_of_the_one_waited_for_is_used(path: Path, tmp_path: Path) -> None:
    three(path)
    other = tmp_path / "other.jsonl"
    record("of another branch", path=str(other))
    holder = start(HOLDER, path)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    appending = threading.Thread(target=record, args=("four",), kwargs={"path": str(path)})
    appending.start()
    os.replace(other, path)
    holder.communicate("")
    appending.join(30)

    assert whats(path) == ["of another branch", "four"]


def test_a_far_too_large_file_is_not_read(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(ledger_file.MOST_BYTES + 1)

    with pytest.raises(UnreadableReport) as raised:
        record(path=str(path))

    assert raised.value.code == "too_large"


def test_reading_makes_nothing_and_repairs_nothing(path: Path, own_state_dir: Path) -> None:
    assert read_ledger(path) is None and not path.exists()

    data = b"".join(three(path)) + b"half"
    path.write_bytes(data)
    chain = read_ledger(path)

    assert chain is not None and chain.tail == b"half"
    assert path.read_bytes() == data
    assert not own_state_dir.exists()
