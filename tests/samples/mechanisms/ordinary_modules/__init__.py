"""Six files of three kernels each, so that the precompiled header pays off and no boundary is too fine."""
import warp as wp

from . import damping, filters, forces, motion, sources, springs


def launch_all():
    """Launch every kernel once."""
    x = wp.ones(8, dtype=float, device="cpu")
    for part in (damping, filters, forces, motion, sources, springs):
        for kernel in part.KERNELS:
            wp.launch(kernel, dim=8, inputs=[x], device="cpu")
