"""Command lines of ours that documents show, parsed as the program parses them. Holds no test."""

import shlex
from typing import Any

import click

from warp_mcp.cli.program import program


def parsed(line: str) -> dict[str, Any]:
    """What the command of a line takes from it; raises `click.UsageError` for one that would be refused.

    Each command has its group's context. Without one it would make itself another `--help` and keep that,
    and every later test in this process would find it.
    """
    words = shlex.split(line)
    rest = [word for word in words[words.index("warp-mcp") + 1 :] if word != "--help"]
    context, command = click.Context(program, **program.context_settings), program
    while isinstance(command, click.Group) and rest:
        name, *rest = rest
        command = command.commands[name]
        context = command.make_context(name, list(rest), parent=context, resilient_parsing=not rest)
    return context.params
