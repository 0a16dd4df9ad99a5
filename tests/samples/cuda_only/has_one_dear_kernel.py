"""One kernel takes most of its module's compilation, beside small ones and a small module. Needs a CUDA device."""

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")


@wp.kernel
def deform(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    turn = wp.normalize(wp.quat(x[i], 1.0))
    stretched = wp.quat_to_matrix(turn) + wp.outer(x[i], y[i])
    u, stretch, v = wp.svd3(stretched)
    turned = wp.inverse(u * wp.diag(stretch) * wp.transpose(v) + wp.identity(3, dtype=float)) * y[i]
    y[i] = wp.normalize(turned) * wp.length(y[i]) + wp.quat_rotate_inv(turn, wp.cross(x[i], turned))


@wp.kernel
def shift(x: wp.array(dtype=wp.vec3), by: float):
    i = wp.tid()
    x[i] = x[i] + wp.vec3(by, 0.0, 0.0)


@wp.kernel(module="unique", enable_backward=False)
def clear(x: wp.array(dtype=wp.vec3)):
    x[wp.tid()] = wp.vec3()


x = wp.full(8, wp.vec3(1.0, 2.0, 3.0), device="cuda:0")
y = wp.full(8, wp.vec3(3.0, 2.0, 1.0), device="cuda:0")
wp.launch(shift, dim=8, inputs=[x, 0.5], device="cuda:0")
wp.launch(deform, dim=8, inputs=[x, y], device="cuda:0")
wp.launch(clear, dim=8, inputs=[x], device="cuda:0")
print(y.numpy().sum())
