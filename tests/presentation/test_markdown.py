"""What programs and users wrote stays text in Markdown."""

import pytest

from warp_mcp.presentation.markdown import LONGEST, block, bounded, code, section, table, words


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("max_unroll of fluid.app", "max_unroll of fluid.app"),
        ("__main__", "\\_\\_main\\_\\_"),
        ("a * b ** c", "a \\* b \\*\\* c"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("[here](http://x.y)", "\\[here\\](http\\://x.y)"),
        ("www.x.y", "www\\.x.y"),
        ("# no heading", "\\# no heading"),
        ("1. no list", "1\\. no list"),
        ("- no list", "\\- no list"),
        ("| no | table", "\\| no | table"),
        ("one\n\n# two", "one # two"),
        ("a ` b", "a \\` b"),
        ("set `fast_math*` at once", "set `fast_math*` at once"),
        ("\x1b[31mred\x07", "\\[31mred"),
        ("a\\*b", "a\\\\\\*b"),
    ],
)
def test_a_sentence_makes_no_markup_but_code(text: str, written: str) -> None:
    assert words(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [("a|b", "`a|b`"), ("a`b", "``a`b``"), ("`a``b`", "``` `a``b` ```"), ("a\nb", "`a b`"), ("", "")],
)
def test_code_is_one_line_that_nothing_in_it_can_end(text: str, written: str) -> None:
    assert code(text) == written


def test_a_block_is_closed_by_its_own_fence_alone() -> None:
    assert block(["a", "````", "b"], "sh") == ["`````sh", "a", "````", "b", "`````", ""]


def test_a_cell_cannot_end_itself() -> None:
    assert table(("name", "n"), [(code("a|b"), "1")], right=(1,)) == [
        "| name | n |",
        "| --- | ---: |",
        "| `a\\|b` | 1 |",
        "",
    ]


def test_long_sentences_and_lists_are_cut_and_the_rest_is_counted() -> None:
    assert len(words("x" * 100_000)) == LONGEST
    assert bounded(["a", "b", "c"], 2, "the report") == ["a", "b", "… and 1 more, in the report"]
    assert bounded(["a", "b"], 2, "the report") == ["a", "b"]


def test_a_section_without_content_has_no_heading() -> None:
    assert section("Nothing", [], []) == []
    assert section("Something", ["a"]) == ["## Something", "", "a"]
