"""Start the interventions this run asks for, then run the user's own `sitecustomize`.

Found through PYTHONPATH after the recorder's file of the same name, which hands over to this one in the way
this one hands over to the user's. Keeps to syntax that Python 2 can parse: any interpreter must get past
here. Errors of an intervention end here, in silence; those of the user's `sitecustomize` do not.
"""

import os
import sys


def _here():
    return os.path.dirname(os.path.abspath(__file__))


def _start(name):
    """Import the named module by its place, without leaving a trace of it on `sys.path`."""
    place = os.path.dirname(_here())
    sys.path.insert(0, place)
    try:
        module = __import__("_warp_mcp_interventions." + name, fromlist=["start"])
    finally:
        sys.path.remove(place)
    module.start()


def _start_interventions():
    """Start each that is named, in order; what one raises keeps none of the others from starting."""
    if sys.version_info < (3, 8):
        return
    for name in os.environ.get("WARP_MCP_INTERVENTION", "").split(","):
        try:
            if name:
                _start(name)
        except Exception:
            pass


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


_start_interventions()
_run_next_sitecustomize()
