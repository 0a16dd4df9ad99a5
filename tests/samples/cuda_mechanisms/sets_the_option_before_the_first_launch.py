"""CS-3 repaired: the option is set before the module is built."""
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("this program needs a CUDA device")
wp.set_device("cuda:0")
wp.set_module_options({"enable_backward": False})
wp.set_module_options({"fuse_fp": False})  # here: option


@wp.kernel
def bend(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    b = wp.sin(a) * wp.cos(a)
    d = wp.vec3(a, b, wp.exp(-b * b) + wp.tanh(a * b))
    e = wp.cross(d, wp.vec3(d[2], a, b))
    q = wp.quat_from_axis_angle(wp.normalize(d), a)
    r = wp.quat_rotate(q, e) + wp.quat_rotate_inv(q, d)
    m = wp.outer(r, e) + wp.quat_to_matrix(q)
    s = wp.inverse(m + wp.identity(n=3, dtype=float) * 10.0) * r
    x[i] = wp.dot(s, r) + wp.length(e) + wp.determinant(m)


@wp.kernel
def stretch(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    b = wp.atan2(a, 1.0 + a * a)
    d = wp.vec4(a, b, wp.pow(1.0 + a * a, 0.3) + wp.sin(b), a * b)
    m = wp.outer(d, d) + wp.identity(n=4, dtype=float) * 10.0
    n = wp.inverse(m) * d
    p = wp.transpose(m) * n + wp.cw_mul(n, d)
    q = wp.quat_from_axis_angle(wp.normalize(wp.vec3(a, b, d[2])), d[2])
    r = wp.quat_rotate(q, wp.vec3(p[0], p[1], p[2]))
    x[i] = wp.dot(p, n) + wp.determinant(m) + wp.length(r)


x = wp.ones(256, dtype=float)
wp.launch(bend, dim=256, inputs=[x])
wp.launch(stretch, dim=256, inputs=[x])
print("x0", x.numpy()[0])
