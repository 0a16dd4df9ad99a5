"""Where a constant that changed can have got its new value: the one line of the program that assigns it.

Python does not tell who assigned a global. So this looks, only after a constant of a kernel was seen
to change, for statements that assign the name, and tells a line only where no other can have done it.
"""

import os
import sys

from . import frames

MOST_BYTES = 1_000_000
"""Of one file; a larger one is generated."""

MOST_FILES = 200


def assigned_at(name, home, value):
    """`file:line` of the assignment that gave `name` its present `value`; None where that is not certain.

    `home` is the file of the kernel or function that refers to it.
    """
    last = name.rpartition(".")[2]
    if not last.isidentifier():  # a static expression
        return None
    later = [one for path in _files(home) for one in _later_assignments(path, last)]
    # Of a value that is no literal nobody knows what it was: it may have been this one.
    found = [one for one in later if one[2] is None or _same(one[2], value)]
    return "%s:%d" % found[0][:2] if len(found) == 1 else None


def _later_assignments(path, name):
    """(path, line, literal) of the assignments of a file but the first at its top, which defines the name."""
    found, defined = [], False
    for line, literal, at_top in _assignments(path, name):
        if not at_top or defined:
            found.append((path, line, literal))
        defined = defined or at_top
    return found


def _files(home):
    """Source files of the program and its libraries that are loaded, the home of the name first."""
    found = [home]
    for module in list(sys.modules.values()):
        path = getattr(module, "__dict__", {}).get("__file__")
        if not isinstance(path, str) or not path.endswith(".py"):
            continue
        path = frames.absolute(path)
        if path not in found and frames.kind_of(path) == frames.PROGRAM:
            found.append(path)
    return found[:MOST_FILES]


def _assignments(path, name):
    """(line, literal as text or None, whether by name at the top) of each assignment of a global `name`."""
    import ast

    try:
        if os.path.getsize(path) > MOST_BYTES:
            return
        with open(path, "rb") as source:
            text = source.read()
        if name.encode() not in text:
            return
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    names = _globals_of(path)
    for node, declared in _statements(ast, tree, None):
        top = declared is None
        written = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in _flat(ast, written):
            by_name = isinstance(target, ast.Name) and target.id == name and (top or name in declared)
            by_attribute = isinstance(target, ast.Attribute) and _sets_global(ast, target, name, names)
            if by_name or by_attribute:
                literal = _literal(ast, node) if target in written else None  # a part of a tuple
                yield node.lineno, literal, by_name and top


def _flat(ast, targets):
    """Targets without the tuples and lists around them."""
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from _flat(ast, target.elts)
        else:
            yield target


def _globals_of(path):
    """The globals of the loaded module that a file is, and of the program's own file."""
    for module in list(sys.modules.values()):
        found = getattr(module, "__dict__", {})
        if isinstance(found.get("__file__"), str) and frames.absolute(found["__file__"]) == path:
            return found
    return {}


def _sets_global(ast, target, name, names):
    """Whether `X.name` is a global of a module: X has to be one, by that name in the same file."""
    if target.attr != name or not isinstance(target.value, ast.Name):
        return False
    module = names.get(target.value.id)
    return isinstance(module, type(sys)) and name in vars(module)


def _statements(ast, node, declared):
    """(assignment, names declared global in its function); the latter is None outside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            yield child, declared
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            names = {name for one in ast.walk(child) if isinstance(one, ast.Global) for name in one.names}
            yield from _statements(ast, child, names)
        else:
            yield from _statements(ast, child, declared)


def _literal(ast, node):
    """Text of the value when it is a literal, or `wp.constant(…)` or a scalar type around one; else None."""
    value = node.value
    if isinstance(node, ast.AugAssign) or value is None:
        return None
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        value = value.args[0]
    try:
        return repr(ast.literal_eval(value))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _same(literal, value):
    return literal == value or literal in value.split("(")[-1].rstrip(")").split(", ")
