"""The chain of a ledger: what it catches, and that a line can be checked without this program."""

import hashlib
from pathlib import Path

import pytest

from tests.ledger_made import lines, parsed, record, three
from warp_mcp.models.ledger import NO_HASH
from warp_mcp.storage.ledger_chain import read_chain


@pytest.fixture
def written(tmp_path: Path) -> list[bytes]:
    return three(tmp_path / "team.jsonl")


def test_a_hash_is_the_sha256_of_the_bytes_before_it(written: list[bytes]) -> None:
    for line in written:
        body, rest = line.rsplit(b',"hash":"', 1)
        assert rest == hashlib.sha256(body).hexdigest().encode() + b'"}\n'


def test_each_entry_names_the_hash_of_the_one_before(written: list[bytes]) -> None:
    entries = [parsed(line) for line in written]

    assert [entry["previous"] for entry in entries] == [NO_HASH, entries[0]["hash"], entries[1]["hash"]]
    assert [entry["number"] for entry in entries] == [1, 2, 3]


def test_a_chain_as_it_was_written_holds(written: list[bytes]) -> None:
    chain = read_chain(b"".join(written))

    assert (chain.sound, chain.problem, chain.tail) == (3, None, b"")
    assert chain.last_hash == parsed(written[2])["hash"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"A notebook", b"No notebook"),
        (b'"number":2', b'"number": 2'),
        (b'"status":"declined"', b'"status":"deferred"'),
        (b'"hash":"', b'"hash": "'),
    ],
)
def test_an_edited_line_is_found_even_where_it_means_the_same(
    written: list[bytes], old: bytes, new: bytes
) -> None:
    written[1] = written[1].replace(old, new)

    chain = read_chain(b"".join(written))

    assert chain.problem is not None
    assert (chain.sound, chain.problem.line, chain.problem.code) == (1, 2, "edited")


def test_an_edited_line_with_a_new_hash_breaks_at_the_line_behind_it(written: list[bytes]) -> None:
    body = written[1].replace(b"A notebook", b"No notebook").rsplit(b',"hash":"', 1)[0]
    written[1] = body + b',"hash":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'

    chain = read_chain(b"".join(written))

    assert chain.problem is not None
    assert (chain.sound, chain.problem.line, chain.problem.code) == (2, 3, "not_in_order")


@pytest.mark.parametrize(
    ("order", "line", "words"),
    [
        ([0, 2], 2, "Line 2 is entry 3: 1 entry is missing before it, or lines changed places."),
        ([1, 2], 1, "Line 1 is entry 2: 1 entry is missing before it, or lines changed places."),
        ([2], 1, "Line 1 is entry 3: 2 entries are missing before it, or lines changed places."),
        ([1, 0, 2], 1, "Line 1 is entry 2: 1 entry is missing before it, or lines changed places."),
        ([0, 0, 1, 2], 2, "Line 2 is entry 1: lines were put in before it, or changed places."),
    ],
)
def test_removed_repeated_and_moved_lines_are_found(
    written: list[bytes], order: list[int], line: int, words: str
) -> None:
    chain = read_chain(b"".join(written[index] for index in order))

    assert chain.problem is not None
    assert (chain.problem.line, chain.problem.code, chain.problem.message) == (line, "not_in_order", words)
    assert len(chain.entries) == len(order)


def test_entries_of_another_ledger_do_not_fit_in(tmp_path: Path, written: list[bytes]) -> None:
    record("something else", path=str(tmp_path / "other.jsonl"))
    first = lines(tmp_path / "other.jsonl")[0]

    chain = read_chain(b"".join([first, *written[1:]]))

    assert chain.problem is not None
    assert chain.problem.message == "Line 2 was not written to follow line 1."


def test_a_line_that_is_no_entry_is_found_and_the_others_are_kept(written: list[bytes]) -> None:
    chain = read_chain(written[0] + b"hello\n" + written[1] + written[2])

    assert chain.problem is not None
    assert (chain.problem.line, chain.problem.code) == (2, "not_an_entry")
    assert [entry.what for entry in chain.entries] == ["one", "two", "three"]


def test_last_entries_cut_off_together_are_not_found(written: list[bytes]) -> None:
    assert read_chain(written[0] + written[1]).problem is None


@pytest.mark.parametrize(
    ("data", "foreign"),
    [
        (b"", False),
        (b'{"sch', False),
        (b'{"schema":"warp-mcp/ledger/1","number":1,"wh', False),
        (b'{"a":1}', True),
        (b'{"a":1}\n', True),
        (b"\n", True),
        (b"\xff\xfe\x00", True),
        (b"[" * 100_000 + b"\n", True),
    ],
)
def test_what_is_no_ledger_is_told_from_one_whose_first_line_is_cut(data: bytes, foreign: bool) -> None:
    assert read_chain(data).foreign is foreign
