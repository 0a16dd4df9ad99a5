"""The nearest point of a mesh and a ray into it: builtins with much code of their own."""

import warp as wp


@wp.kernel
def push_out(
    mesh: wp.uint64, x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)
):
    i = wp.tid()
    found = wp.mesh_query_point_sign_normal(mesh, x[i], 1.5)
    if found.result:
        near = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
        speed = wp.mesh_eval_velocity(mesh, found.face, found.u, found.v)
        away = (x[i] - near) * found.sign
        if wp.length(away) < 0.1:
            out[i] = wp.normalize(away) * (0.1 - wp.length(away)) + speed - v[i]


@wp.kernel
def look(
    mesh: wp.uint64,
    origin: wp.array(dtype=wp.vec3),
    toward: wp.array(dtype=wp.vec3),
    colour: wp.array(dtype=wp.vec3),
):
    i = wp.tid()
    hit = wp.mesh_query_ray(mesh, origin[i], toward[i], 100.0)
    if hit.result:
        shade = wp.dot(hit.normal, toward[i])
        colour[i] = hit.normal * shade + wp.vec3(0.1, 0.2, 0.3) * wp.exp(-hit.t)
