"""Forces that neighbours exert on a point."""
import warp as wp


@wp.func
def towards(a: wp.vec3, b: wp.vec3, rest: float):
    along = b - a
    length = wp.length(along) + 1.0e-6
    return along * ((length - rest) / length)


@wp.kernel
def pull(x: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3), rest: float):
    i = wp.tid()
    total = wp.vec3(0.0, -9.81, 0.0)
    if i > 0:
        total += 40.0 * towards(x[i], x[i - 1], rest)
    if i < x.shape[0] - 1:
        total += 40.0 * towards(x[i], x[i + 1], rest)
    force[i] = total
