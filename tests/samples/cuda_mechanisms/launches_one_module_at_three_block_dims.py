"""CS-5 on CUDA: three kernels of one module, each launched at a block dimension of its own: three builds of all."""
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("this program needs a CUDA device")
wp.set_device("cuda:0")
wp.set_module_options({"enable_backward": False})


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
    u, s, v = wp.svd3(m + wp.identity(n=3, dtype=float) * 10.0)
    n = wp.curlnoise(wp.rand_init(1, i), wp.vec4(a, b, 0.5, 0.25))
    x[i] = wp.dot(u * s, v * r) + wp.dot(n, e) + wp.determinant(m)


@wp.kernel
def stretch(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    b = wp.atan2(a, 1.0 + a * a)
    d = wp.vec4(a, b, wp.pow(1.0 + a * a, 0.3) + wp.sin(b), a * b)
    m = wp.outer(d, d) + wp.identity(n=4, dtype=float) * 10.0
    n = wp.inverse(m) * d
    p = wp.transpose(m) * n + wp.cw_mul(n, d)
    v, e = wp.eig3(wp.outer(wp.vec3(a, b, d[2]), wp.vec3(a, b, d[2])))
    r = v * wp.vec3(p[0], p[1], p[2])
    x[i] = wp.dot(p, n) + wp.determinant(m) + wp.dot(r, e)


@wp.kernel
def add_up(x: wp.array(dtype=float), total: wp.array(dtype=float)):
    tile = wp.tile_load(x, shape=256)
    wp.tile_store(total, wp.tile_sum(tile))


x, total = wp.ones(256, dtype=float), wp.zeros(1, dtype=float)
wp.launch(bend, dim=256, inputs=[x])  # here: 256
wp.launch(stretch, dim=256, inputs=[x], block_dim=128)  # here: 128
wp.launch_tiled(add_up, dim=1, inputs=[x, total], block_dim=64)  # here: 64
print("total", total.numpy()[0])
