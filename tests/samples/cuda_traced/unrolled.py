"""Elimination in a 8 by 8 system, in unrolled loops: one kernel holds nearly all of the code."""

import warp as wp

mat88 = wp.types.matrix(shape=(8, 8), dtype=float)
vec8 = wp.types.vector(length=8, dtype=float)


@wp.kernel
def factorise(a: wp.array(dtype=mat88), b: wp.array(dtype=vec8), x: wp.array(dtype=vec8)):
    i = wp.tid()
    m = a[i]
    r = b[i]
    for k in range(7):
        for row in range(k + 1, 8):
            f = m[row, k] / m[k, k]
            for column in range(8):
                m[row, column] = m[row, column] - f * m[k, column]
            r[row] = r[row] - f * r[k]
    x[i] = r


@wp.kernel
def residual(
    a: wp.array(dtype=mat88), x: wp.array(dtype=vec8), b: wp.array(dtype=vec8), e: wp.array(dtype=float)
):
    i = wp.tid()
    d = a[i] * x[i] - b[i]
    wp.atomic_add(e, 0, wp.dot(d, d))
