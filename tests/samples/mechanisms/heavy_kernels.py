"""Kernels that take NVRTC some tenths of a second, in as many named modules as are asked for."""
import warp as wp


def make(name):
    """Three kernels in the module `name`."""

    @wp.kernel(module=name)
    def bend(x: wp.array(dtype=float)):
        i = wp.tid()
        a = x[i]
        b = wp.sin(a) * wp.cos(a)
        c = wp.exp(-b * b) + wp.tanh(a * b)
        d = wp.vec3(a, b, c)
        e = wp.cross(d, wp.vec3(c, a, b))
        q = wp.quat_from_axis_angle(wp.normalize(d), a)
        r = wp.quat_rotate(q, e) + wp.quat_rotate_inv(q, d)
        m = wp.outer(r, e) + wp.quat_to_matrix(q)
        s = wp.inverse(m + wp.identity(n=3, dtype=float) * 10.0) * r
        x[i] = wp.dot(s, r) + wp.length(e) + wp.determinant(m)

    @wp.kernel(module=name)
    def twist(x: wp.array(dtype=float)):
        i = wp.tid()
        a = x[i]
        b = wp.cos(a) + a * a
        c = wp.log(1.0 + b * b) * wp.sqrt(1.0 + a * a)
        d = wp.vec3(b, c, a)
        e = wp.normalize(wp.cross(d, wp.vec3(a, c, b)))
        q = wp.quat_from_axis_angle(e, b)
        t = wp.transform(d, q)
        r = wp.transform_point(t, e) + wp.transform_vector(t, d)
        m = wp.outer(e, r) * wp.quat_to_matrix(q)
        x[i] = wp.trace(m) + wp.dot(r, d) + wp.determinant(m)

    @wp.kernel(module=name)
    def stretch(x: wp.array(dtype=float)):
        i = wp.tid()
        a = x[i]
        b = wp.atan2(a, 1.0 + a * a)
        c = wp.pow(1.0 + a * a, 0.3) + wp.sin(b)
        d = wp.vec4(a, b, c, a * b)
        m = wp.outer(d, d) + wp.identity(n=4, dtype=float) * 10.0
        n = wp.inverse(m) * d
        p = wp.transpose(m) * n + wp.cw_mul(n, d)
        q = wp.quat_from_axis_angle(wp.normalize(wp.vec3(a, b, c)), c)
        r = wp.quat_rotate(q, wp.vec3(p[0], p[1], p[2]))
        x[i] = wp.dot(p, n) + wp.determinant(m) + wp.length(r)

    return bend.module
