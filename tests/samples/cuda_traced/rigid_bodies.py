"""Bodies as structs: an integrator and a contact between boxes and spheres, with functions for each shape."""

import warp as wp


@wp.struct
class Body:
    pose: wp.transform
    twist: wp.spatial_vector
    inertia: wp.mat33
    mass: float
    kind: int
    size: wp.vec3


@wp.func
def box_distance(p: wp.vec3, size: wp.vec3):
    q = wp.vec3(wp.abs(p[0]), wp.abs(p[1]), wp.abs(p[2])) - size
    out = wp.length(wp.max(q, wp.vec3()))
    return out + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)


@wp.func
def capsule_distance(p: wp.vec3, size: wp.vec3):
    y = wp.clamp(p[1], -size[1], size[1])
    return wp.length(p - wp.vec3(0.0, y, 0.0)) - size[0]


@wp.func
def distance(kind: int, p: wp.vec3, size: wp.vec3):
    if kind == 0:
        return wp.length(p) - size[0]
    if kind == 1:
        return box_distance(p, size)
    return capsule_distance(p, size)


@wp.func
def slope(kind: int, p: wp.vec3, size: wp.vec3):
    e = 1.0e-3
    x = distance(kind, p + wp.vec3(e, 0.0, 0.0), size) - distance(kind, p - wp.vec3(e, 0.0, 0.0), size)
    y = distance(kind, p + wp.vec3(0.0, e, 0.0), size) - distance(kind, p - wp.vec3(0.0, e, 0.0), size)
    z = distance(kind, p + wp.vec3(0.0, 0.0, e), size) - distance(kind, p - wp.vec3(0.0, 0.0, e), size)
    return wp.normalize(wp.vec3(x, y, z))


@wp.kernel
def move(bodies: wp.array(dtype=Body), force: wp.array(dtype=wp.spatial_vector), dt: float):
    i = wp.tid()
    b = bodies[i]
    r = wp.transform_get_rotation(b.pose)
    w = wp.spatial_top(b.twist)
    v = wp.spatial_bottom(b.twist) + wp.spatial_bottom(force[i]) * (dt / b.mass)
    turn = wp.quat_rotate_inv(r, w)
    torque = wp.quat_rotate_inv(r, wp.spatial_top(force[i])) - wp.cross(turn, b.inertia * turn)
    w = wp.quat_rotate(r, turn + wp.inverse(b.inertia) * torque * dt)
    r = wp.normalize(r + wp.quat(w, 0.0) * r * (0.5 * dt))
    bodies[i].pose = wp.transform(wp.transform_get_translation(b.pose) + v * dt, r)
    bodies[i].twist = wp.spatial_vector(w, v)


@wp.kernel
def collide(
    bodies: wp.array(dtype=Body), pairs: wp.array(dtype=wp.vec2i), force: wp.array(dtype=wp.spatial_vector)
):
    i = wp.tid()
    a = bodies[pairs[i][0]]
    b = bodies[pairs[i][1]]
    p = wp.transform_point(wp.transform_inverse(b.pose), wp.transform_get_translation(a.pose))
    depth = distance(b.kind, p, b.size) - a.size[0]
    if depth < 0.0:
        n = wp.transform_vector(b.pose, slope(b.kind, p, b.size))
        push = n * (-1.0e4 * depth)
        arm = wp.transform_get_translation(a.pose) - wp.transform_get_translation(b.pose)
        wp.atomic_add(force, pairs[i][0], wp.spatial_vector(wp.vec3(), push))
        wp.atomic_sub(force, pairs[i][1], wp.spatial_vector(wp.cross(arm, push), push))
