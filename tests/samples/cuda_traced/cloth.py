"""A membrane and a bending energy of triangles, and an integrator: matrices of different sizes."""

import warp as wp


@wp.kernel
def membrane(
    x: wp.array(dtype=wp.vec3),
    triangles: wp.array(dtype=wp.vec3i),
    rest: wp.array(dtype=wp.mat22),
    force: wp.array(dtype=wp.vec3),
):
    t = wp.tid()
    i = triangles[t]
    a = x[i[1]] - x[i[0]]
    b = x[i[2]] - x[i[0]]
    inverse = rest[t]
    u = a * inverse[0, 0] + b * inverse[1, 0]
    v = a * inverse[0, 1] + b * inverse[1, 1]
    stretch = wp.dot(u, u) - 1.0
    widen = wp.dot(v, v) - 1.0
    shear = wp.dot(u, v)
    p = u * stretch + v * shear
    r = v * widen + u * shear
    f1 = p * inverse[0, 0] + r * inverse[0, 1]
    f2 = p * inverse[1, 0] + r * inverse[1, 1]
    wp.atomic_sub(force, i[1], f1)
    wp.atomic_sub(force, i[2], f2)
    wp.atomic_add(force, i[0], f1 + f2)


@wp.kernel
def bending(
    x: wp.array(dtype=wp.vec3),
    edges: wp.array(dtype=wp.vec4i),
    angle: wp.array(dtype=float),
    force: wp.array(dtype=wp.vec3),
):
    e = wp.tid()
    i = edges[e]
    edge = x[i[3]] - x[i[2]]
    n1 = wp.cross(x[i[2]] - x[i[0]], x[i[3]] - x[i[0]])
    n2 = wp.cross(x[i[3]] - x[i[1]], x[i[2]] - x[i[1]])
    l1 = wp.length(n1)
    l2 = wp.length(n2)
    along = wp.normalize(edge)
    sine = wp.dot(wp.cross(n1 / l1, n2 / l2), along)
    cosine = wp.dot(n1, n2) / (l1 * l2)
    pull = (wp.atan2(sine, cosine) - angle[e]) * wp.length(edge)
    middle = (x[i[0]] + x[i[1]] + x[i[2]] + x[i[3]]) * 0.25
    for k in range(4):
        away = x[i[k]] - middle
        wp.atomic_sub(force, i[k], away * (wp.exp(-wp.length_sq(away)) * wp.sin(pull)))
    d1 = n1 / (l1 * l1)
    d2 = n2 / (l2 * l2)
    wp.atomic_sub(force, i[0], d1 * pull)
    wp.atomic_sub(force, i[1], d2 * pull)
    wp.atomic_add(force, i[2], (d1 + d2) * (0.5 * pull))
    wp.atomic_add(force, i[3], (d1 + d2) * (0.5 * pull))


@wp.kernel
def integrate(
    x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3), dt: float
):
    i = wp.tid()
    v[i] = v[i] + force[i] * dt
    x[i] = x[i] + v[i] * dt
