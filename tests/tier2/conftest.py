"""Shows the tables of the tests after them, also when these ran in workers of xdist."""

import pytest

HEAD = """
| program | cold wall (s) | modules | builds | launches | distinct | in hooks (%) | report (kB) |
|---|---|---|---|---|---|---|---|"""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the rows that tests recorded with `record_property("row", ...)`."""
    reports = [report for name in ("passed", "failed") for report in terminalreporter.stats.get(name, [])]
    recorded = [entry for report in reports for entry in report.user_properties]
    rows = [str(value) for kind, value in recorded if kind == "row"]
    if rows:
        terminalreporter.write_line("\n".join([HEAD, *rows]))
