"""LTO objects (MathDx) of a build, those of the forward pass and of the adjoint apart."""

import sys

from . import hooks, phases

_EARLIER = ("fun_", "lto_symbol", "lto_forward", "lto_code")
"""How the builtins of Warp name what they asked for before. Each asks for its forward object first, so
whoever holds one already asks for the adjoint's."""


def _asked(args, kwargs):
    """Frames above: `_timed`, the hook, then the builtin that needs the object."""
    held = sys._getframe(3).f_locals
    side = "adjoint" if any(name.startswith(_EARLIER) for name in held) else "forward"
    return (*phases.clocks(args, kwargs), side)


def _built(token, result, error, _args, _kwargs):
    build = phases.current()
    if build is None or token is None or error is not None:
        return
    objects, wall = build.lto_parts.get(token[4], (set(), 0))
    objects.add(str(result[0]) if isinstance(result, tuple) and result else "")
    build.lto_parts[token[4]] = (objects, wall + phases.elapsed(token)[0])


def parts(build):
    """{side: [distinct objects, wall in ns]} of a build; an object that both sides use counts as forward."""
    forward = build.lto_parts.get("forward", (set(), 0))[0]
    return {
        side: [len(objects - (forward if side == "adjoint" else set())), wall]
        for side, (objects, wall) in build.lto_parts.items()
    }


def install(build_module):
    """Put the hooks in. Up to 1.4 or without MathDx there is nothing to hook."""
    for name in ("build_lto_dot", "build_lto_solver", "build_lto_fft"):
        hooks.install(build_module, name, before=_asked, after=_built, required=False)
