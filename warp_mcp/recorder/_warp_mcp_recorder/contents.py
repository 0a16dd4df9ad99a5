"""What a kernel computes: its source, its constants, and the functions and structs it reaches.

Two kernels with the same content are the same work, whatever they are called and wherever they stand.
"""

import hashlib
import re
import weakref

from . import frames, hooks
from .looking import peek
from .typenames import type_text, without_addresses

MAX_VALUE = 200
"""Characters kept of a constant's value; a digest stands for the rest."""

SNIPPETS = ("native_snippet", "adj_native_snippet", "replay_snippet")

STRING_OR_COMMENT = re.compile(
    r"""('{3}(?:\\.|[^\\])*?'{3}|"{3}(?:\\.|[^\\])*?"{3}|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\#[^\n]*""",
    re.DOTALL,
)
"""A string, which is kept, or a comment. Parsing anew would take longer than all else here."""

MAX_DEPTH = 64
"""Levels of calls that are followed."""

_functions = weakref.WeakKeyDictionary()
"""Function to its (uses, constants): described once, until `forget`."""


def forget():
    """Describe functions anew: a constant that one of them refers to may have changed."""
    global _functions
    _functions = weakref.WeakKeyDictionary()


def describe(kernel):
    """(digest of the source, {constant: value}, {function or struct: (digest, place)}, argument types)."""
    types = [type_text(kind) for name, kind in kernel.adj.arg_types.items() if name != "return"]
    constants, uses = references(kernel.adj)
    return digest_of([body_of(kernel.adj)]), constants, uses, types


def digest_of(parts):
    """Short digest of texts."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def place_of(kernel):
    """Where a kernel is defined. Of an overload Warp keeps no line: the generic kernel has it."""
    parent = peek(kernel, "generic_parent")
    return defined_at(kernel.adj) or (defined_at(parent.adj) if parent is not None else None)


def defined_at(adj):
    """`file:line` of the `def`; the source Warp keeps begins at the first decorator.

    None for what Warp generated, which has no place (`wp.map`).
    """
    try:
        if not adj.fun_lineno or adj.filename.startswith("unknown"):
            return None
        return "%s:%d" % (frames.absolute(adj.filename), adj.fun_lineno + adj.tree.body[0].lineno - 1)
    except (AttributeError, IndexError, TypeError):
        return None


def body_of(adj):
    """Source of a function without decorators, name, annotations and comments: argument names, then the body.

    Annotations are left out because one type has several spellings; the resolved types are kept
    beside it. Comments and what documents the function compute nothing.
    """
    definition = adj.tree.body[0]
    lines = adj.source.splitlines()
    first = _after_documentation(definition.body).lineno
    names = ",".join(argument.arg for argument in definition.args.args)
    if first == definition.lineno:
        return names + "\n" + _uncommented(lines[first - 1].split(":", 1)[-1]).strip()
    body = [line.rstrip() for line in _uncommented("\n".join(lines[first - 1 :])).splitlines()]
    indents = [len(line) - len(line.lstrip()) for line in body if line.strip()]
    least = min(indents) if indents else 0
    return names + "\n" + "\n".join(line[least:] for line in body if line)


def _after_documentation(body):
    """The first statement that does something. By names, since importing `ast` takes longer than all else."""
    value = getattr(body[0], "value", None) if type(body[0]).__name__ == "Expr" else None
    documented = type(value).__name__ == "Constant" and isinstance(getattr(value, "value", None), str)
    return body[1] if documented and len(body) > 1 else body[0]


def _uncommented(text):
    return STRING_OR_COMMENT.sub(lambda found: found[1] or "", text) if "#" in text else text


def references(adj, depth=0):
    """({constant: value}, {function or struct: (digest, place)}) that a function reaches.

    Constants of callees are told as "callee.NAME", so that a change of one is seen as what it is.
    """
    constants, uses = {}, {}
    try:
        values, types, functions = adj.get_references()
    except Exception:
        hooks.failed("get_references")
        return constants, uses
    named = _names_of(adj.tree.body[0]) if values else ()
    for name, value in values.items():
        # Warp also tells what the decorator names, and what is in the value of a static expression.
        if str(name).partition(".")[0] in named:
            constants[str(name)] = value_text(value)
    for name, value in _static_expressions(adj):
        if _is_function(value):
            functions = {**functions, value: None}
        else:
            # One expression has several values where a loop was unrolled over it.
            known = constants.get(f"static({name})")
            constants[f"static({name})"] = f"{known}, {value_text(value)}" if known else value_text(value)
    for kind in list(types) + [getattr(one, "dtype", one) for one in adj.arg_types.values()]:
        if _is_struct(kind):
            uses[str(kind.key)] = (_struct_digest(kind), None)
    for function in functions:
        if not _is_builtin(function):
            below, values = _reached(function, depth)
            uses.update(below)
            constants.update(values)
    return constants, uses


def _names_of(definition):
    """Names that a function uses in its body and its defaults, but for those within calls of `static`."""
    names, nodes = set(), [definition.body, definition.args.defaults]
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes.extend(node)
            continue
        function = getattr(node, "func", None)
        if getattr(function, "attr", getattr(function, "id", "")) == "static":
            continue
        if type(node).__name__ == "Name":
            names.add(node.id)
        nodes.extend(getattr(node, field, None) for field in getattr(node, "_fields", ()))
    return names


def _static_expressions(adj):
    for attribute in ("resolved_static_expressions", "static_expressions", "deferred_static_expressions"):
        found = peek(adj, attribute)
        yield from list(found.items() if isinstance(found, dict) else found or ())


def value_text(value):
    """Text of a constant: equal for equal values, within MAX_VALUE characters."""
    try:
        text = repr(value)
        if " at 0x" in text:
            text = without_addresses(_text_of(value))
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}… ({digest_of([text])})"


def _text_of(value):
    """A value whose `repr` has an address in it: what a container holds, one by one."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join(f"{value_text(key)}: {value_text(value[key])}" for key in value)
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(value_text, value))})"
    return _text_of_native(value)


def _text_of_native(value):
    """Scalars, vectors, matrices and structs of Warp whose `repr` tells no more than that they are one."""
    native = peek(value, "_ctype")
    if native is not None:
        return f"{type(value).__name__}({digest_of([bytes(native).hex()])})"
    inner = peek(value, "value")
    return f"{type_text(type(value))}({str(value) if inner is None else inner})"


def _is_function(value) -> bool:
    return peek(value, "user_overloads") is not None and peek(value, "native_func") is not None


def _is_builtin(function):
    check = peek(function, "is_builtin")
    return bool(check()) if check is not None else False


def _is_struct(kind):
    return hasattr(kind, "vars") and hasattr(kind, "key")


def _struct_digest(struct, depth=0):
    """Digest of the fields, and of the fields of structs among them."""
    fields = []
    for name, var in struct.vars.items():
        inner = getattr(var.type, "dtype", var.type)
        within = _struct_digest(inner, depth + 1) if _is_struct(inner) and depth < MAX_DEPTH else ""
        fields.append(f"{name}:{type_text(var.type)}{within}")
    return digest_of(fields)


def _reached(function, depth):
    """({name: (digest, place)}, {constant: value}) of a function and of what it reaches in turn."""
    known = _functions.get(function)
    if known is not None:
        return known
    name, place = str(function.key), defined_at(function.adj)
    uses, constants = {name: ("", place)}, {}
    if depth >= MAX_DEPTH:
        return uses, constants
    _functions[function] = uses, constants  # ends a recursion
    for key, overloads in _written(function, name).items():
        parts = [str(peek(function, a, "")) for a in SNIPPETS] if key == name else []
        for adj in overloads:
            values, below = references(adj, depth + 1)
            uses.update({other: found for other, found in below.items() if other != name})
            constants.update({other if "." in other else f"{name}.{other}": v for other, v in values.items()})
            parts += [body_of(adj), repr([type_text(kind) for kind in adj.arg_types.values()])]
        uses[key] = (digest_of(parts), defined_at(overloads[-1]))
    return uses, constants


def _written(function, name):
    """What a function consists of as it was written: its overloads, its own gradients and replays."""
    found = {**dict(function.user_overloads), **dict(function.user_templates)}
    overloads = [one for _, one in sorted(found.items()) if peek(one, "generic_parent") is None]
    written = {name: [one.adj for one in overloads or [function]]}
    for attribute, what in (("custom_grad_func", "gradient"), ("custom_replay_func", "replay")):
        custom = [peek(one, attribute) for one in overloads or [function]]
        adjoints = [one.adj for one in custom if one is not None]
        if adjoints:
            written[f"{what} of {name}"] = adjoints
    return written
