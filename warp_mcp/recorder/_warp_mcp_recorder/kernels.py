"""Kernels as they stand when their module is hashed: what they are, where they are, what they use.

Nothing here may keep a kernel alive. Which kernels are alive decides the identity of a module, so a
single reference of ours would change what the program builds.
"""

import hashlib
import os
import weakref

from . import _state, hooks
from .looking import peek
from .typenames import type_text

MAX_VALUE = 200
"""Characters kept of a constant's value."""

MAX_DEPTH = 64


class _Known:
    """Numbers given to kernel objects and their states."""

    def __init__(self):
        self.objects = weakref.WeakKeyDictionary()
        self.states = weakref.WeakKeyDictionary()
        self.functions = weakref.WeakKeyDictionary()
        self.next_object = 0
        self.next_state = 0


_known = _Known()


def after_fork():
    """Number and describe everything anew in the child's own record."""
    global _known
    _known = _Known()


def last_name(thing):
    """Last component of a kernel's key: the name its function was written under.

    Warp joins the enclosing scopes with two underscores, so the key alone does not tell where they
    end; a key that was given by hand is a name as it is.
    """
    key = str(thing.key)
    name = getattr(getattr(thing, "func", None), "__name__", "")
    return name if name and key.endswith(name) else key


def live(module):
    """The kernels that make up a module's identity: overloads in place of generic kernels."""
    get = peek(module, "_get_live_kernels")
    found = get() if get is not None else peek(module, "live_kernels")
    if found is None:
        found = list(module.kernels.values())
    kernels = []
    for kernel in found:
        kernels.extend(kernel.overloads.values() if kernel.is_generic else (kernel,))
    return kernels


def snapshot(module, module_number):
    """Ids of the current states of a module's kernels; describes those not yet in the record."""
    return [_state_of(kernel, module_number)[0] for kernel in live(module)]


def content_of(kernel):
    """Digest of a kernel's present state, for a launch. Writes nothing."""
    known = _known.states.get(kernel)
    if known is not None and known[2] == peek(kernel, "hash"):
        return known[1]
    return _digest(_describe(kernel))


def _state_of(kernel, module_number):
    """(id, digest) of a kernel's present state; described in the record when it is new."""
    warp_hash = peek(kernel, "hash")
    known = _known.states.get(kernel)
    if known is not None and known[2] == warp_hash and warp_hash is not None:
        return known[:2]
    if known is not None:
        _known.functions = weakref.WeakKeyDictionary()  # a constant of a callee may have changed
    described = _describe(kernel)
    content = _digest(described)
    if known is None or known[1] != content:
        number, _known.next_state = _known.next_state, _known.next_state + 1
        _write(kernel, module_number, number, described)
    else:
        number = known[0]
    _known.states[kernel] = (number, content, warp_hash)
    return number, content


def _digest(described):
    """Digest of what a kernel computes: places in files left out."""
    source, constants, uses, types = described
    described = source, constants, sorted((name, digest) for name, (digest, _) in uses.items()), types
    return hashlib.sha256(repr(described).encode("utf-8", "replace")).hexdigest()[:16]


def _object_of(kernel):
    number = _known.objects.get(kernel)
    if number is None:
        number, _known.next_object = _known.next_object, _known.next_object + 1
        _known.objects[kernel] = number
    return number


def _write(kernel, module_number, number, described):
    digest, constants, uses, types = described
    _state.record.write(
        {
            "e": "kernel",
            "id": number,
            "object": _object_of(kernel),
            "module": module_number,
            "key": kernel.key,
            "name": last_name(kernel),
            "defined_at": _kernel_place(kernel),
            "generic": peek(kernel, "generic_parent") is not None,
            "signature": str(peek(kernel, "sig") or ""),
            "arg_types": types,
            "digest": digest,
            "constants": constants,
            "uses": {name: digest for name, (digest, _) in uses.items()},
            "uses_at": {name: place for name, (_, place) in uses.items() if place},
            "options": {str(k): str(v) for k, v in dict(kernel.options).items()},
        }
    )


def argument_types(kernel):
    """Texts of a kernel's (or overload's) argument types, in order."""
    return [type_text(kind) for name, kind in kernel.adj.arg_types.items() if name != "return"]


def defined_at(adj):
    """`file:line` of the `def`; the source Warp keeps begins at the first decorator.

    None for what Warp generated, which has no place (`wp.map`).
    """
    try:
        if not adj.fun_lineno or adj.filename.startswith("unknown"):
            return None
        line = adj.fun_lineno + adj.tree.body[0].lineno - 1
        return "%s:%d" % (os.path.abspath(adj.filename), line)
    except (AttributeError, IndexError, TypeError):
        return None


def _kernel_place(kernel):
    """Of an overload Warp keeps the source but not the line: the generic kernel has it."""
    parent = peek(kernel, "generic_parent")
    return defined_at(kernel.adj) or (defined_at(parent.adj) if parent is not None else None)


def _describe(kernel):
    """(digest of the source, constants, callees and structs, argument types)."""
    types = argument_types(kernel)
    constants, uses = references(kernel.adj)
    return _source_digest(kernel.adj), constants, uses, types


def _source_digest(adj):
    return hashlib.sha256(body_of(adj).encode("utf-8", "replace")).hexdigest()[:16]


def body_of(adj):
    """Source of a function without decorators, name and annotations: argument names, then the body.

    Annotations are left out because one type has several spellings; the resolved types are kept
    beside it.
    """
    definition = adj.tree.body[0]
    lines = adj.source.splitlines()
    first = definition.body[0].lineno
    names = ",".join(argument.arg for argument in definition.args.args)
    if first == definition.lineno:
        return names + "\n" + lines[first - 1].split(":", 1)[-1].strip()
    body = [line.rstrip() for line in lines[first - 1 :]]
    indents = [len(line) - len(line.lstrip()) for line in body if line.strip()]
    least = min(indents) if indents else 0
    return names + "\n" + "\n".join(line[least:] for line in body if line)


def references(adj, depth=0):
    """({constant: value}, {function or struct: (digest, where defined)}) that a function refers to."""
    constants, uses = {}, {}
    try:
        values, types, functions = adj.get_references()
    except Exception:
        hooks.failed("get_references")
        return constants, uses
    for name, value in values.items():
        constants[str(name)] = _value_text(value)
    for name, value in _static_expressions(adj):
        if _is_function(value):
            functions = {**functions, value: None}
        else:
            # One expression has several values where a loop was unrolled over it.
            known = constants.get(f"static({name})")
            constants[f"static({name})"] = f"{known}, {_value_text(value)}" if known else _value_text(value)
    for kind in list(types) + [getattr(one, "dtype", one) for one in adj.arg_types.values()]:
        if hasattr(kind, "vars") and hasattr(kind, "key"):
            uses[str(kind.key)] = (_struct_digest(kind), None)
    for function in functions:
        if not _is_builtin(function):
            uses.update(_function_uses(function, depth))
    return constants, uses


def _static_expressions(adj):
    for attribute in ("resolved_static_expressions", "static_expressions", "deferred_static_expressions"):
        found = peek(adj, attribute)
        yield from list(found.items() if isinstance(found, dict) else found or ())


def _value_text(value):
    try:
        text = repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
    if " object at 0x" in text:
        text = f"<{type(value).__name__}>"
    return text[:MAX_VALUE]


def _is_function(value) -> bool:
    return peek(value, "user_overloads") is not None and peek(value, "native_func") is not None


def _is_builtin(function):
    check = peek(function, "is_builtin")
    return bool(check()) if check is not None else False


def _struct_digest(struct):
    fields = [f"{name}:{type_text(var.type)}" for name, var in struct.vars.items()]
    return hashlib.sha256(";".join(fields).encode("utf-8", "replace")).hexdigest()[:16]


def _function_uses(function, depth):
    """{name: (digest, where defined)} of a function and of what it reaches; described once."""
    known = _known.functions.get(function)
    if known is not None:
        return known
    name = str(function.key)
    uses = {name: ("", defined_at(function.adj))}
    if depth >= MAX_DEPTH:
        return uses
    _known.functions[function] = uses  # ends recursion
    parts = [str(peek(function, a, "")) for a in ("native_snippet", "adj_native_snippet", "replay_snippet")]
    for overload in _overloads(function):
        types = [type_text(kind) for kind in overload.adj.arg_types.values()]
        constants, below = references(overload.adj, depth + 1)
        uses.update({key: value for key, value in below.items() if key != name})
        parts += [body_of(overload.adj), repr(types), repr(sorted(constants.items()))]
    custom = [peek(function, a) for a in ("custom_grad_func", "custom_replay_func")]
    parts += [body_of(one.adj) for one in custom if one is not None]
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
    uses[name] = (digest, uses[name][1])
    return uses


def _overloads(function):
    found = {**dict(function.user_overloads), **dict(function.user_templates)}
    return [one for _, one in sorted(found.items()) if peek(one, "generic_parent") is None]
