"""Kernels as they stand when their module is hashed: numbers for objects and states, lines of the record.

Nothing here may keep a kernel alive. Which kernels are alive decides the identity of a module, so a
single reference of ours would change what the program builds.
"""

import hashlib
import re
import weakref

from . import _state, assignments, contents, frames
from .looking import peek
from .typenames import type_text


class _Known:
    """Numbers given to kernel objects and their states."""

    def __init__(self):
        self.objects = weakref.WeakKeyDictionary()
        self.states = weakref.WeakKeyDictionary()
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
    # Warp drops what C++ does not take in a name; a user looks for it as it was written.
    return name if name and key.endswith(re.sub("[^0-9a-zA-Z_]", "", name)) else key


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


def snapshot(module, module_number, fresh=False):
    """Ids of the current states of a module's kernels; describes those not yet in the record.

    `fresh` reads the constants of functions again: before a build they may have changed.
    """
    if fresh:
        contents.forget()
    return [_state_of(kernel, module_number)[0] for kernel in live(module)]


def content_of(kernel):
    """Digest of a kernel's present state, for a launch. Writes nothing."""
    known = _known.states.get(kernel)
    if known is not None and known[2] == peek(kernel, "hash"):
        return known[1]
    return _digest(contents.describe(kernel))


def _state_of(kernel, module_number):
    """(id, digest) of a kernel's present state; described in the record when it is new."""
    warp_hash = peek(kernel, "hash")
    known = _known.states.get(kernel)
    if known is not None and known[2] == warp_hash and warp_hash is not None:
        return known[:2]
    described = contents.describe(kernel)
    content = _digest(described)
    if known is None or known[1] != content:
        number, _known.next_state = _known.next_state, _known.next_state + 1
        _write(kernel, module_number, number, described, known[3] if known is not None else None)
    else:
        number = known[0]
    _known.states[kernel] = (number, content, warp_hash, described[1])
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


def _assigned(kernel, constants, former):
    """Where constants got their new values, of those that changed since the kernel was last described."""
    if former is None:
        return {}
    home = frames.absolute(kernel.adj.filename)
    changed = [name for name in constants if name in former and former[name] != constants[name]]
    places = {name: assignments.assigned_at(name, home, constants[name]) for name in changed}
    return {name: place for name, place in places.items() if place}


def _write(kernel, module_number, number, described, former):
    digest, constants, uses, types = described
    _state.record.write(
        {
            "e": "kernel",
            "id": number,
            "object": _object_of(kernel),
            "module": module_number,
            "key": kernel.key,
            "name": last_name(kernel),
            "defined_at": contents.place_of(kernel),
            "generic": peek(kernel, "generic_parent") is not None,
            "signature": str(peek(kernel, "sig") or ""),
            "arg_types": types,
            "digest": digest,
            "constants": constants,
            "uses": {name: digest for name, (digest, _) in uses.items()},
            "uses_at": {name: place for name, (_, place) in uses.items() if place},
            "constants_at": _assigned(kernel, constants, former),
            "options": {str(k): str(v) for k, v in dict(kernel.options).items()},
        }
    )


def argument_types(kernel):
    """Texts of a kernel's (or overload's) argument types, in order."""
    return [type_text(kind) for name, kind in kernel.adj.arg_types.items() if name != "return"]
