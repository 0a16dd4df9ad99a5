"""Terrain of several octaves of noise and a wind from its curl: few lines that become much code."""

import warp as wp


@wp.kernel
def terrain(seed: int, x: wp.array(dtype=wp.vec3), height: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    p = x[i]
    height[i] = wp.noise(state, p) + 0.5 * wp.noise(state, 2.0 * p) + wp.pnoise(state, p, 4, 4, 4)


@wp.kernel
def wind(seed: int, x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    state = wp.rand_init(seed)
    v[i] = wp.curlnoise(state, x[i], wp.uint32(3), 2.0, 0.5)


@wp.kernel
def fade(v: wp.array(dtype=wp.vec3), by: float):
    i = wp.tid()
    v[i] = v[i] * by
