"""`warp-mcp ledger append --from-lever` as a user meets it."""

import json
from collections.abc import Callable

import pytest

from tests.lever_made import a_lever, priced
from warp_mcp import storage
from warp_mcp.cli import main

Run = Callable[..., tuple[int, str, str]]
WHY = ("--why", "A notebook differentiates it")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The append in this process: exit code, stdout, stderr. A report with two levers is kept."""
    storage.save_report(priced(a_lever(), a_lever("max_unroll=4", verdict="inconclusive")))

    def run_here(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["ledger", "append", *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), " ".join(out.split()), err

    return run_here


def test_one_lever_needs_only_the_reason(run: Run) -> None:
    code, out, err = run("--from-lever", "before", "enable_backward=false", *WHY)

    assert (code, err) == (0, "") and out.startswith("Recorded as entry 1.")
    assert "4.00 s ± 0.01 (3) → 2.00 s ± 0.01 (3), −2.00 s (−50 %)" in out
    assert "its unchanged runs, and those with enable_backward=false" in out
    assert "Entry 1 says this already" in run("--from-lever", "before", "enable_backward=false", *WHY)[1]


def test_all_levers_at_once_and_once_only(run: Run) -> None:
    assert run("--from-levers", "latest", *WHY)[1].startswith("Recorded 2 levers of report r-")

    code, out, _ = run("--from-levers", "latest", *WHY)
    assert code == 0 and out.startswith("Recorded 0 levers") and "Entry 2 has it already." in out


def test_the_json_has_each_entry_and_what_was_left_out(run: Run) -> None:
    run("--from-lever", "before", "max_unroll=4", *WHY)

    value = json.loads(run("--from-levers", "before", *WHY, "--status", "deferred", "--json")[1])

    assert value["schema"] == "warp-mcp/ledger-levers/1"
    assert [one["entry"]["status"] for one in value["appended"]] == ["deferred"]
    assert [one["lever"] for one in value["left"]] == ["max_unroll=4"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--from-lever", "before", "max_unrol=4", *WHY), "has no lever"),
        (("--from-lever", "before", "max_unroll=4"), "missing: why"),
        (("--from-lever", "before", "max_unroll=4", *WHY, "--estimate", "2 s"), "--estimate cannot go with"),
        (("--from-levers", "before", *WHY, "--what", "x", "--how-to-take", "y"), "--what, --how-to-take"),
        (("--from-levers", "before", "--from-lever", "before", "x", *WHY), "exclude each other"),
        (("--from-levers", "nothing", *WHY), "“nothing”"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_recorded(
    run: Run, arguments: tuple[str, ...], says: str
) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "") and says in " ".join(err.split()) and "Next: " in err
    assert not list(storage.report_path("r").parent.parent.glob("ledger*/*.jsonl"))
