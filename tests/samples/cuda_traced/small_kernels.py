"""Eleven small kernels and one of some size: what a module costs whatever it holds is most of it."""

import warp as wp


def make(index: int):
    scale = float(index + 1)

    @wp.kernel(module=wp.get_module(__name__), enable_backward=True)
    def small(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.sin(x[i] * wp.static(scale)) + y[i]

    return small


KERNELS = [make(index) for index in range(11)]


@wp.kernel
def last(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    turn = wp.normalize(wp.quat(x[i], 1.0))
    stretched = wp.quat_to_matrix(turn) + wp.outer(x[i], y[i])
    turned = wp.inverse(stretched * wp.transpose(stretched) + wp.identity(3, dtype=float)) * y[i]
    y[i] = wp.normalize(turned) * wp.length(y[i]) + wp.quat_rotate_inv(turn, wp.cross(x[i], turned))
