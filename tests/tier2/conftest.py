"""Shows the tables of the tests after them, also when these ran in workers of xdist."""

import pytest

HEADS = {
    "row": """
| program | cold wall (s) | modules | builds | launches | distinct | in hooks (%) | report (kB) |
|---|---|---|---|---|---|---|---|""",
    "lever_row": """
| program and lever | lever, wall | edit, wall | lever, CPU | edit, CPU | lever | edit | band |
|---|---|---|---|---|---|---|---|""",
}
"""The head of each table, by the property that its rows are recorded with."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the rows that tests recorded with `record_property("row", ...)`."""
    reports = [report for name in ("passed", "failed") for report in terminalreporter.stats.get(name, [])]
    recorded = [entry for report in reports for entry in report.user_properties]
    for name, head in HEADS.items():
        rows = [str(value) for kind, value in recorded if kind == name]
        if rows:
            terminalreporter.write_line("\n".join([head, *rows]))
