"""Tails of output, and finding a text in it."""

import pytest

from warp_mcp.running.output import Finder, Tail, cleaned


def tail_of(*chunks: bytes, limit: int = 64) -> str:
    tail = Tail(limit)
    for chunk in chunks:
        tail.feed(chunk)
    return tail.text()


def test_short_output_is_kept_whole() -> None:
    assert tail_of(b"one\n", b"two\n") == "one\ntwo\n"


def test_long_output_keeps_whole_last_lines() -> None:
    assert tail_of(*(b"line %d\n" % n for n in range(100)), limit=20) == "line 98\nline 99\n"


def test_one_endless_line_keeps_its_end() -> None:
    assert tail_of(b"a" * 50, b"b" * 10, limit=20) == "a" * 10 + "b" * 10


def test_a_character_cut_in_two_by_reading_is_whole() -> None:
    assert tail_of(b"gr\xc3", b"\xbc\xc3\x9fe") == "grüße"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("a\x00b\x07c\x7fd\x9fe", "abcde"),
        ("tab\there\n", "tab\there\n"),
        ("10%\r20%\r\ndone", "10%\n20%\ndone"),
        ("\x1b", ""),
    ],
)
def test_control_characters_are_removed(raw: str, shown: str) -> None:
    assert cleaned(raw) == shown


def test_hostile_escape_sequences_are_cleaned_in_reasonable_time() -> None:
    assert "\x1b" not in cleaned("\x1b]" * 32_000)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_a_text_is_found_across_pieces(size: int) -> None:
    finder = Finder("server ready")
    stream = b"starting\nthe server ready now\n"
    for begin in range(0, len(stream), size):
        finder.feed(stream[begin : begin + size])
    assert finder.found


def test_a_text_that_is_broken_by_a_line_end_is_not_found() -> None:
    finder = Finder("server ready")
    finder.feed(b"server\n ready")
    assert not finder.found
