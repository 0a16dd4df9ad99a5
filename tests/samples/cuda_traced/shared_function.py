"""One long function that two kernels use: its adjoint stays as long as one of them has backward code."""

import warp as wp


@wp.func
def flow(x: wp.vec3, t: float):
    p = x
    for i in range(3):
        turn = wp.quat_from_axis_angle(wp.normalize(p + wp.vec3(1.0, 2.0, 3.0)), t * float(i))
        p = wp.quat_rotate(turn, p) + wp.vec3(wp.sin(p[1]), wp.cos(p[2]), wp.exp(-p[0] * p[0]))
    return p


@wp.kernel
def advect(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3), t: float):
    i = wp.tid()
    y[i] = flow(x[i], t)


@wp.kernel
def advect_twice(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3), t: float):
    i = wp.tid()
    y[i] = flow(flow(x[i], t), 0.5 * t)
