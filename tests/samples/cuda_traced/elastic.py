"""Tetrahedra with a singular value decomposition, and an energy in two precisions: a generic kernel."""

from typing import Any

import warp as wp


@wp.kernel
def corotated(f: wp.array(dtype=wp.mat33), p: wp.array(dtype=wp.mat33), mu: float, lam: float):
    i = wp.tid()
    u = wp.mat33()
    s = wp.vec3()
    v = wp.mat33()
    wp.svd3(f[i], u, s, v)
    r = u * wp.transpose(v)
    p[i] = 2.0 * mu * (f[i] - r) + lam * wp.trace(wp.transpose(r) * f[i] - wp.identity(3, dtype=float)) * r


@wp.kernel
def energy(f: wp.array(dtype=Any), e: wp.array(dtype=Any)):
    i = wp.tid()
    c = wp.transpose(f[i]) * f[i]
    e[i] = wp.trace(c) + wp.determinant(f[i]) * wp.trace(wp.inverse(c))


wp.overload(energy, [wp.array(dtype=wp.mat33), wp.array(dtype=float)])
wp.overload(energy, [wp.array(dtype=wp.mat33d), wp.array(dtype=wp.float64)])
