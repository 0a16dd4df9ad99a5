"""Density and forces of a fluid over a hash grid, and a boundary: three kernels of about the same size."""

import warp as wp


@wp.func
def spike(r: wp.vec3, h: float):
    d = wp.length(r)
    if d > 0.0 and d < h:
        return r * (-45.0 / (3.14159 * wp.pow(h, 6.0)) * (h - d) * (h - d) / d)
    return wp.vec3()


@wp.kernel
def density(grid: wp.uint64, x: wp.array(dtype=wp.vec3), rho: wp.array(dtype=float), h: float):
    i = wp.tid()
    p = x[i]
    total = float(0.0)
    near = wp.hash_grid_query(grid, p, h)
    j = int(0)
    while wp.hash_grid_query_next(near, j):
        d2 = wp.length_sq(p - x[j])
        if d2 < h * h:
            total += wp.pow(h * h - d2, 3.0)
    rho[i] = total * 1.5666814710608448 / wp.pow(h, 9.0)


@wp.kernel
def forces(
    grid: wp.uint64,
    x: wp.array(dtype=wp.vec3),
    v: wp.array(dtype=wp.vec3),
    rho: wp.array(dtype=float),
    f: wp.array(dtype=wp.vec3),
    h: float,
):
    i = wp.tid()
    p = x[i]
    total = wp.vec3()
    for j in wp.hash_grid_query(grid, p, h):
        if j != i:
            r = p - x[j]
            pressure = (rho[i] + rho[j] - 2000.0) / (2.0 * rho[j])
            total -= spike(r, h) * pressure
            total += (v[j] - v[i]) * (wp.max(h - wp.length(r), 0.0) / rho[j])
            spin = wp.cross(v[j] - v[i], spike(r, h))
            total += wp.cross(spin, wp.normalize(r)) * wp.exp(-wp.length_sq(r) / (h * h))
            total -= wp.normalize(spike(r, 2.0 * h) + spin) * wp.pow(rho[j] / rho[i], 7.0)
    f[i] = total


@wp.kernel
def boundary(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), size: wp.vec3):
    i = wp.tid()
    p = x[i]
    u = v[i]
    for k in range(3):
        if p[k] < 0.0:
            p[k] = 0.0
            u[k] = -0.5 * u[k]
        if p[k] > size[k]:
            p[k] = size[k]
            u[k] = -0.5 * u[k]
    x[i] = p
    v[i] = u
