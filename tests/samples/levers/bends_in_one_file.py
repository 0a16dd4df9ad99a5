"""A header made for one small module, and backward code that nobody uses: findings point to both."""
import warp as wp

N = 16


@wp.func
def frame(at: wp.vec3, angle: float):
    axis = wp.normalize(at + wp.vec3(0.1, 0.2, 0.3))
    return wp.quat_to_matrix(wp.quat_from_axis_angle(axis, angle))


@wp.func
def settle(at: wp.vec3, angle: float):
    step = wp.transform(at, wp.quat_rpy(angle, 0.5 * angle, 0.1))
    return wp.transform_point(wp.transform_inverse(step), wp.inverse(frame(at, angle)) * at)


@wp.kernel
def bend(x: wp.array(dtype=wp.vec3), angle: float):
    i = wp.tid()
    turned = frame(x[i], angle) * x[i]
    for k in range(4):
        turned = settle(turned, angle + float(k)) + 0.1 * wp.cross(turned, x[i])
    x[i] = turned


with wp.ScopedDevice("cpu"):
    x = wp.array([(0.1 * i, 1.0, 0.3) for i in range(N)], dtype=wp.vec3)
    for _ in range(3):
        wp.launch(bend, N, inputs=[x, 0.2])
    print("last", x.numpy()[-1])
