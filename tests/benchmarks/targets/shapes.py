"""Builds modules of one kernel each, from empty to large: DEVICE (cpu | cuda), HEADER and SIDES (see below).

The first module, `first`, pays what a process pays once, and no figure is taken from it.
CUDA modules are compiled ahead of time, for which no GPU is needed.
"""

import sys

import warp as wp

DEVICE, HEADER, SIDES = sys.argv[1:4]
wp.config.use_precompiled_headers = HEADER == "header"
wp.config.enable_backward = SIDES == "backward"


def make_empty(name):
    @wp.kernel(module=name)
    def empty():
        wp.tid()

    return empty


@wp.kernel(module="waves")
def waves(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    b = wp.sin(a) * wp.cos(a) + wp.atan2(a, 1.0 + a * a)
    c = wp.exp(-b * b) + wp.tanh(a * b) + wp.log(1.0 + b * b)
    x[i] = wp.sqrt(c * c + a * a) + wp.pow(1.0 + b * b, 0.3) * c - b


@wp.kernel(module="turns")
def turns(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    d = wp.vec3(a, a * a, 1.0 - a)
    q = wp.quat_from_axis_angle(wp.normalize(d), a)
    t = wp.transform(d, q)
    e = wp.transform_point(t, d) + wp.transform_vector(t, wp.cross(d, wp.vec3(a, 1.0, a)))
    x[i] = wp.dot(wp.quat_rotate(q, e), wp.quat_rotate_inv(q, d)) + wp.length(e)


@wp.kernel(module="matrices")
def matrices(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    d = wp.vec4(a, a + 1.0, a * a, 2.0)
    m = wp.outer(d, d) + wp.identity(n=4, dtype=float) * 10.0
    p = wp.transpose(m) * (wp.inverse(m) * d)
    x[i] = wp.dot(p, d) + wp.determinant(m) + wp.trace(m)


@wp.kernel(module="branches")
def branches(x: wp.array(dtype=float), y: wp.array(dtype=float), n: int):
    i = wp.tid()
    total = float(0.0)  # noqa: UP018
    for j in range(n):
        a = x[(i + j) % n]
        if a > 0.5:
            total += a * y[j]
        elif a > 0.25:
            total -= a / (1.0 + y[j] * y[j])
        else:
            total += wp.min(a, y[j])
    wp.atomic_add(y, i, total)


@wp.kernel(module="steps")
def steps(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), f: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    a = x[i]
    b = v[i]
    for _ in range(6):
        g = f[i] - a * 2.0 - b * 0.1
        b = b + g * 0.01
        a = a + b * 0.01
    x[i] = a
    v[i] = b


empties = [make_empty(name) for name in ("first", "empty_1", "empty_2", "empty_3")]
shaped = [] if HEADER == "no-header" else [waves, turns, matrices, branches, steps]
for kernel in [*empties, *shaped]:
    if DEVICE == "cuda":
        wp.compile_aot_module(kernel.module, arch=90)
    else:
        wp.load_module(kernel.module, device="cpu")
