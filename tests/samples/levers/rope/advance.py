"""A step in time."""
import warp as wp


@wp.kernel
def advance(
    x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3), dt: float
):
    i = wp.tid()
    if i > 0:
        v[i] = v[i] + force[i] * dt
        x[i] = x[i] + v[i] * dt
