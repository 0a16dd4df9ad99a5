"""Texts for pipes and for terminals."""

import re

from warp_mcp.presentation.look import Look
from warp_mcp.presentation.page import Page

ESCAPE = "\x1b"


def test_a_pipe_gets_plain_text_that_keeps_its_backticks() -> None:
    page = Page(Look(color=False))
    page.paragraph("run `warp-mcp list` now", "bold red")

    assert str(page) == "run `warp-mcp list` now\n"


def test_a_terminal_gets_colour_and_code_without_backticks() -> None:
    page = Page(Look(color=True))
    page.paragraph("run `warp-mcp list` now")

    assert ESCAPE in str(page)
    assert "`" not in str(page)


def test_a_name_cannot_drive_the_readers_terminal() -> None:
    page = Page(Look(color=False))
    page.paragraph("module \x1b[2J\x07evil")
    page.block(["\x1b]0;title\x07 output"])

    assert ESCAPE not in str(page) and "\x07" not in str(page)
    assert "evil" in str(page) and "output" in str(page)


def test_square_brackets_of_a_program_are_text_and_not_markup() -> None:
    page = Page(Look(color=True))
    page.paragraph("[red]array[float][/red]")

    assert "[red]array[float][/red]" in re.sub(r"\x1b\[[0-9;]*m", "", str(page))


def test_no_line_is_wider_than_asked_and_none_ends_in_blanks() -> None:
    page = Page(Look(width=60))
    page.paragraph("word " * 60)
    page.item("1.", "word " * 60)
    page.block(["x" * 300])
    page.table(("name", "ms"), [("a.very.long.module.name." * 6, "12")], right=(1,))
    page.listing(("id", "command"), [("r-1", "python " * 40)])
    page.bars([("part", 3.0, "words " * 20), ("other", 0.0, "none")], strong="part")
    lines = str(page).splitlines()

    assert max(map(len, lines)) <= 60
    assert all(line == line.rstrip() for line in lines)


def test_a_sentence_is_wrapped_between_words_so_that_a_path_in_it_stays_whole() -> None:
    page = Page(Look(width=60))
    page.sentence("The report is kept in /a/path/" + "that/is/long/" * 10 + " for you.")

    assert str(page).splitlines() == [
        "The report is kept in",
        "/a/path/" + "that/is/long/" * 10,
        "for you.",
    ]


def test_the_longest_bar_is_full_and_nothing_has_none() -> None:
    page = Page(Look())
    page.bars([("much", 10.0, ""), ("half", 5.0, ""), ("none", 0.0, "")], strong="much")
    much, half, none = str(page).splitlines()

    assert much.count("█") == 2 * half.count("█") > 0
    assert none.count("█") == 0
