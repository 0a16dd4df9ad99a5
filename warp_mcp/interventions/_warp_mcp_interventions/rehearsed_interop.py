"""Other libraries: that are handed a CUDA pointer, for there is none to hand over, or asked for a device.

Both are said. The program goes on as it would: the other library refuses, and its error is the program's
own; or it finds no device, and the program goes the way that it goes without one.
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
HANDLES = {
    "warp._src.types": ("array.ipc_handle", "from_ipc_handle"),
    "warp._src.context": ("Event.ipc_handle", "event_from_ipc_handle"),
}
WHY_NO_HANDLE = "there is no device memory and no event that another process could open"
PROPERTY = "__cuda_array_interface__"
NO_DEVICE = "only Warp is told that there is a device: the program goes the way that it goes without one"
QUESTIONS = {"torch.cuda": ("is_available", "device_count"), "cupy.cuda.runtime": ("getDeviceCount",)}
"""Functions that ask another library for devices, by its module."""


def start():
    """Wait for the modules that hand arrays over."""
    waiting.when_imported(tuple(FUNCTIONS), _watch_functions)
    waiting.when_imported(("warp._src.types",), _watch_arrays)
    waiting.when_imported(tuple(QUESTIONS), _watch_questions)
    waiting.when_imported(tuple(HANDLES), _watch_handles)


def _watch_functions(module):
    for name in FUNCTIONS[module.__name__]:
        original = vars(module).get(name)
        if original is not None:
            setattr(module, name, _saying(original, name))


def _saying(original, name):
    def hand_over(*args, **kwargs):
        try:
            if args and _on_cuda(args[0]) and not _within_warp(sys._getframe(1)):
                say("wp." + name, WHY)
        except Exception:
            pass
        return original(*args, **kwargs)

    return waiting.unseen(hand_over, original)


def _within_warp(frame):
    """Whether Warp asks itself: `wp.from_dlpack` of an array of Warp calls the array's `__dlpack__`."""
    if frame.f_code.co_name == "__dlpack__" and frame.f_back is not None:
        return _of(frame.f_back, "warp")
    return False


def _of(frame, package):
    name = frame.f_globals.get("__name__", "")
    return name == package or name.startswith(package + ".")


def _watch_handles(module):
    for path in HANDLES[module.__name__]:
        owner, _, name = path.rpartition(".")
        holder = vars(module).get(owner) if owner else module
        original = vars(holder).get(name) if holder is not None else None
        if callable(original):
            setattr(holder, name, _refused(original, path if owner else "wp." + name, bool(owner)))


def _refused(original, what, of_thing):
    """`of_thing`: a method, of an array or an event; else another process's handle is opened."""

    def handle(*args, **kwargs):
        try:
            if not of_thing or _on_cuda(args[0]):
                say(what, WHY_NO_HANDLE)
        except Exception:
            pass
        return original(*args, **kwargs)

    return waiting.unseen(handle, original)


def _watch_questions(module):
    for name in QUESTIONS[module.__name__]:
        original = vars(module).get(name)
        if callable(original):
            setattr(module, name, _asking(original, module.__name__, name))


def _asking(original, module, name):
    def ask(*args, **kwargs):
        try:
            if not _of(sys._getframe(1), module.partition(".")[0]):
                say(module + "." + name, NO_DEVICE)
        except Exception:
            pass
        return original(*args, **kwargs)

    return waiting.unseen(ask, original)


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
