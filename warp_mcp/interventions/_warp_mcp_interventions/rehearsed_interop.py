"""Other libraries that are handed a CUDA pointer: said, for there is none to hand over.

The program goes on as it would: the other library refuses, and its error is the program's own.
"""

import sys

from . import waiting
from .rehearsed_saying import say

WHY = "device memory is the host's in a rehearsal, and no other library can use it"
FUNCTIONS = {
    "warp._src.torch": ("to_torch", "device_to_torch", "stream_to_torch"),
    "warp._src.jax": ("to_jax", "device_to_jax"),
    "warp._src.paddle": ("to_paddle", "device_to_paddle"),
    "warp._src.dlpack": ("to_dlpack",),
}
PROPERTY = "__cuda_array_interface__"


def start():
    """Wait for the modules that hand arrays over."""
    waiting.when_imported(tuple(FUNCTIONS), _watch_functions)
    waiting.when_imported(("warp._src.types",), _watch_arrays)


def _watch_functions(module):
    for name in FUNCTIONS[module.__name__]:
        original = vars(module).get(name)
        if original is not None:
            setattr(module, name, _saying(original, name))


def _saying(original, name):
    def hand_over(*args, **kwargs):
        try:
            if args and _on_cuda(args[0]):
                say("wp." + name, WHY)
        except Exception:
            pass
        return original(*args, **kwargs)

    return waiting.unseen(hand_over, original)


def _on_cuda(thing):
    """Whether an array, a stream, a device, or a device's name means the CUDA device."""
    return "cuda" in str(getattr(thing, "device", thing))


def _watch_arrays(types):
    array = vars(types).get("array")
    original = vars(array).get(PROPERTY) if array is not None else None
    if not isinstance(original, property) or original.fget is None:
        return
    asked = original.fget

    def __cuda_array_interface__(self):
        if not sys._getframe(1).f_globals.get("__name__", "").startswith("warp._src"):
            say("array." + PROPERTY, WHY)
        return asked(self)

    waiting.unseen(__cuda_array_interface__, asked)
    setattr(array, PROPERTY, property(__cuda_array_interface__, doc=original.__doc__))
