"""Generic kernels and closures beside one of CUDA code, in one module. Does not start without a device."""

from typing import Any

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")
wp.set_module_options({"enable_backward": False})


@wp.func_native("out[i] = threadIdx.x + 1;")
def cuda_only(out: wp.array(dtype=int), i: int): ...


@wp.kernel
def native(out: wp.array(dtype=int)):
    cuda_only(out, wp.tid())


@wp.kernel
def fill(x: wp.array(dtype=Any), value: Any):
    x[wp.tid()] = value


def make(number):
    @wp.kernel
    def closure(x: wp.array(dtype=int)):
        x[wp.tid()] = number

    return closure


wp.set_device("cuda:0")
whole, real = wp.zeros(4, dtype=int), wp.zeros(4, dtype=float)
fill_whole = wp.overload(fill, [wp.array(dtype=int), int])
fill_real = wp.overload(fill, [wp.array(dtype=float), float])
kernel = make(5)
wp.launch(kernel, 4, inputs=[whole])
assert whole.numpy().tolist() == [5] * 4
wp.launch(fill_whole, 4, inputs=[whole, 3])
assert whole.numpy().tolist() == [3] * 4
wp.launch(fill_real, 4, inputs=[real, 2.5])
assert real.numpy().tolist() == [2.5] * 4
equal = make(5)
wp.launch(equal, 4, inputs=[whole])
assert whole.numpy().tolist() == [5] * 4
