"""How a module came to be: for a source file, by name, for one kernel, by `wp.map` or by `warp.fem`."""

import os
import sys

from . import frames


def made(module):
    """By the functions of Warp above the creation: this, the hook's parts, then who creates it."""
    frame = sys._getframe(4)
    for _ in range(8):
        if frame is None or frames.kind_of(frame.f_code.co_filename) != frames.WARP:
            break
        path = frame.f_code.co_filename
        if frame.f_locals.get("module") == "unique":
            return "unique"
        if os.path.basename(os.path.dirname(path)) == "fem":
            return "fem"
        if frame.f_code.co_name == "map":
            return "map"
        frame = frame.f_back
    return "file" if module.name in sys.modules else "named"
