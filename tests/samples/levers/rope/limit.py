"""A floor, and a speed that no point exceeds."""
import warp as wp


@wp.kernel
def limit(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    speed = wp.length(v[i])
    if speed > 20.0:
        v[i] = v[i] * (20.0 / speed)
    if x[i][1] < -3.0:
        x[i] = wp.vec3(x[i][0], -3.0, x[i][2])
        v[i] = wp.cw_mul(v[i], wp.vec3(0.9, -0.5, 0.9))
