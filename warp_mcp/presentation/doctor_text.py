"""A check-up for a terminal: the answer, the checks, and configuration that can be pasted."""

from collections.abc import Sequence
from shlex import join, quote, split

from rich.text import Text

from warp_mcp.models.diagnosis import Check, ClientConfiguration, Diagnosis, ServeOption
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import Page, clean

MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


def doctor_text(diagnosis: Diagnosis, look: Look = PLAIN) -> str:
    """The whole check-up. Lines of configuration are never wrapped."""
    page = Page(look)
    page.paragraph(_answer(diagnosis.checks), "bold")
    page.gap()
    for check in diagnosis.checks:
        _check(page, check)
    for configuration in diagnosis.configurations:
        _configuration(page, configuration)
    if diagnosis.configurations:
        _limits(page, diagnosis.serve_options)
    page.gap()
    page.paragraph("Next")
    page.step(_next(diagnosis), indent=2)
    return str(page)


def _answer(checks: Sequence[Check]) -> str:
    problems = sum(check.status == "problem" for check in checks)
    warnings = sum(check.status == "warning" for check in checks)
    told = [plural(problems, "problem")] if problems else ["No problem"]
    if warnings:
        told.append(plural(warnings, "warning"))
    return f"{' and '.join(told)} in {plural(len(checks), 'check')}."


def _check(page: Page, check: Check) -> None:
    mark, style = MARKS[check.status]
    page.item(mark, f"{check.title}: {check.message}", mark_style=style)
    if check.next:
        page.step(f"→ {check.next}", indent=4)


def _configuration(page: Page, configuration: ClientConfiguration) -> None:
    page.gap()
    page.rule(f"{configuration.title}: {configuration.place}")
    if configuration.language == "sh":
        page.command([quote(word) for word in split(configuration.text)], indent=0)
        return
    for line in configuration.text.splitlines():
        page.verbatim(Text(clean(line)))


def _limits(page: Page, options: Sequence[ServeOption]) -> None:
    page.heading('What a server may do can be limited, by words after "serve":')
    for option in options:
        page.item("·", f"{option.option}: {option.meaning}.")
    page.paragraph("As in:", indent=2)
    page.command(["warp-mcp", "serve", *map(quote, options[0].example)], indent=4)


def _next(diagnosis: Diagnosis) -> str:
    first = next((check for check in diagnosis.checks if check.status == "problem"), None)
    if first is not None:
        return f"See to the first problem, then ask again: {join([*diagnosis.command, 'doctor'])}"
    return f"Measure a program: {join(diagnosis.command)} measure -- python your_program.py"
