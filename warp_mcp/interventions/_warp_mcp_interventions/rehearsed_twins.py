"""Functions of Warp's library on device memory, done by their twins for host memory.

The library has nearly every such function twice. The two differ in the context, which comes first for the
device, and sometimes in what they return.
"""

import ctypes

SAH, LBVH = 0, 2
"""Builders of trees, by Warp's numbers."""
AT_ONCE = ("_create_", "_from_", "_get_", "_reserve_", "_bsr_")
"""In names of functions whose result the caller needs now: no graph can hold those."""


class Trees:
    """Functions whose twin takes other arguments: the host has no parallel builder of trees."""

    def __init__(self, real, graphs, say):
        self.real = real
        self.graphs = graphs
        self.say = say

    def wp_bvh_create_device(self, context, lowers, uppers, count, constructor, *rest):
        return self.real.wp_bvh_create_host(lowers, uppers, count, for_host(constructor), *rest)

    def wp_bvh_rebuild_device(self, tree):
        def rebuild():
            self.real.wp_bvh_rebuild_host(tree, SAH)
            return True

        return self.graphs.now_or_later(None, rebuild)

    def wp_mesh_create_device(
        self, context, points, velocities, indices, count, faces, winding, constructor, *rest
    ):
        return self.real.wp_mesh_create_host(
            points, velocities, indices, count, faces, winding, for_host(constructor), *rest
        )

    def wp_memcpy_batch(self, context, targets, sources, sizes, count, stream=None):
        self.say("copies between Warp and JAX", "they need a CUDA device")
        return False


def for_host(constructor):
    """The builder of a tree on the host."""
    return SAH if int(constructor) == LBVH else constructor


def on_host(real, name, graphs):
    """The function of the host that does what the one of the device does; None when there is none."""
    twin = _twin(real, name)
    if twin is None:
        return None
    device = getattr(real, name)
    ends = name.endswith("_destroy_device")
    at_once = any(part in name for part in AT_ONCE)
    returns = "_create_" in name or "_from_" in name

    def function(*args):
        if ends and (graphs.any() or not graphs.may_free(args[0])):
            return True  # a graph may use the object: it stays
        extra = len(device.argtypes or ()) - len(twin.argtypes or ())
        call = args[1:] if extra == 1 else args

        def step():
            result = twin(*call)
            # Where only the device's function tells of success, the host's returns nothing of meaning.
            return result if returns or twin.restype is ctypes.c_bool else True

        return step() if at_once else graphs.now_or_later(None, step)

    return function


def _twin(real, name):
    if not name.endswith("_device") or "texture" in name or "surface" in name:
        return None
    return getattr(real, name[: -len("_device")] + "_host", None)
