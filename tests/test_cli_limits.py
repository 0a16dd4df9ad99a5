"""Numbers of seconds on the command line that no run can be given."""

import pytest

from warp_mcp.cli import main


@pytest.mark.parametrize("option", ["--timeout", "--stop-when-quiet"])
@pytest.mark.parametrize("seconds", ["inf", "-inf", "nan", "1e308", "604801", "0", "-1"])
def test_seconds_that_nobody_can_wait_are_refused_with_the_most_there_is(
    capsys: pytest.CaptureFixture[str], option: str, seconds: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["measure", f"{option}={seconds}", "--", "true"])

    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert "604800 (7 days) at most" in " ".join(err.split())
