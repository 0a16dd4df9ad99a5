"""Start the recorder in this interpreter, then run the user's own `sitecustomize`.

Found through PYTHONPATH, so it reaches every Python process that inherits the environment. It holds
nothing but the start: any interpreter old enough to fail on the recorder must still get past here,
so this file keeps to syntax that Python 2 can parse. Errors of the recorder end here, in silence;
errors of the user's `sitecustomize` do not, because without us they would show as well.
"""

import os
import sys


def _here():
    return os.path.dirname(os.path.abspath(__file__))


def _start_recorder():
    """Import the recorder by its place, without leaving a trace of it on `sys.path`."""
    if sys.version_info < (3, 8) or not os.environ.get("WARP_MCP_RECORD_DIR"):
        return
    place = os.path.dirname(_here())
    sys.path.insert(0, place)
    try:
        import _warp_mcp_recorder
    finally:
        sys.path.remove(place)
    _warp_mcp_recorder.start()


def _run_next_sitecustomize():
    """Give the next `sitecustomize` on the path the start it would have had without this one."""
    here = _here()
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != here]
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        # The import system expects an entry under this name when it returns to us.
        if ours is not None:
            sys.modules.setdefault("sitecustomize", ours)


try:
    _start_recorder()
except Exception:
    pass
_run_next_sitecustomize()
