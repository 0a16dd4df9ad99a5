"""Launches small kernels that write arrays of every kind. The first argument names what is different."""

import sys

import numpy as np
import warp as wp

mode = sys.argv[1] if len(sys.argv) > 1 else "plain"
N = 100


@wp.struct
class State:
    q: wp.array(dtype=wp.vec3)
    k: float


@wp.struct
class Pair:
    a: wp.int8
    b: wp.vec3


if mode == "emptied":

    @wp.kernel
    def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
elif mode == "tiny":

    @wp.kernel
    def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = x[i] * 2.000001
elif mode == "broken_gradient":

    @wp.func
    def twice(v: float):
        return v * 2.0

    @wp.func_grad(twice)
    def adj_twice(v: float, adj_ret: float):
        wp.adjoint[v] += adj_ret * 0.0

    @wp.kernel
    def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = twice(x[i])
elif mode == "moved":

    @wp.kernel(module="unique")
    def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = x[i] * 2.0
elif mode == "rewritten":

    @wp.kernel
    def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = x[i] + x[i]
else:

    @wp.kernel
    def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = x[i] * 2.0


@wp.kernel
def add(y: wp.array(dtype=float), total: wp.array(dtype=float)):
    wp.atomic_add(total, 0, y[wp.tid()])


@wp.kernel
def fill(
    state: State,
    pairs: wp.array(dtype=Pair),
    counts: wp.array(dtype=int),
    some: wp.indexedarray(dtype=float),
    column: wp.array2d(dtype=wp.float16),
    none: wp.array(dtype=float),
):
    i = wp.tid()
    state.q[i] = wp.vec3(float(i), 1.0, state.k)
    pairs[i].b = wp.vec3(1.0, 2.0, float(i))
    counts[i] = counts[i] + i
    if i < 3:
        some[i] = 5.0
    if i < 4:
        column[i, 1] = wp.float16(3.0)


with wp.ScopedDevice("cpu"):
    start = np.random.default_rng(None if mode == "random" else 1).random(N)
    x = wp.array(start, dtype=float, requires_grad=True)
    y = wp.zeros(N, dtype=float, requires_grad=True)
    total = wp.zeros(1, dtype=float, requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(scale, N, inputs=[x], outputs=[y])
        wp.launch(add, N, inputs=[y], outputs=[total])
    tape.backward(total)

    state = State()
    state.q = wp.zeros(N, dtype=wp.vec3)
    state.k = 3.0
    pairs = wp.zeros(N, dtype=Pair)
    counts = wp.zeros(N, dtype=int)
    some = wp.indexedarray(wp.zeros(10, dtype=float), [wp.array([1, 3, 5], dtype=int)])
    column = wp.zeros((4, 6), dtype=wp.float16)[:, ::2]
    for _ in range(7):
        wp.launch(fill, N, inputs=[state, pairs, counts, some, column, None])
print(float(total.numpy()[0]) > 0.0)
