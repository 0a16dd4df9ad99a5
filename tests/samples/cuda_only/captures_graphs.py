"""Graphs of every kind, their memory among it, each replay checked. Does not start without a CUDA device."""

import numpy as np
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")
wp.set_module_options({"enable_backward": False})


@wp.kernel
def add(x: wp.array(dtype=int), by: int):
    x[wp.tid()] += by


@wp.kernel
def count_down(left: wp.array(dtype=int)):
    left[0] -= 1


def equals(array, value):
    assert (array.numpy() == value).all(), (array.numpy(), value)


def body():
    wp.launch(add, 8, inputs=[x, 2])
    wp.launch(count_down, 1, inputs=[left])


wp.set_device("cuda:0")
x, left = wp.zeros(8, dtype=int), wp.array([3], dtype=int)

with wp.ScopedCapture() as loop:
    wp.capture_while(left, body)
equals(x, 0)  # nothing runs while it is captured
wp.capture_launch(loop.graph)
equals(x, 6)
left.assign([2])
wp.capture_launch(loop.graph)
equals(x, 10)

x.zero_()
flag = wp.array([1], dtype=int)
with wp.ScopedCapture() as branch:
    wp.capture_if(
        flag,
        on_true=lambda: wp.launch(add, 8, inputs=[x, 1]),
        on_false=lambda: wp.launch(add, 8, inputs=[x, 100]),
    )
wp.capture_launch(branch.graph)
flag.zero_()
wp.capture_launch(branch.graph)
equals(x, 101)

with wp.ScopedCapture() as child:
    within = wp.zeros(8, dtype=int)
    wp.launch(add, 8, inputs=[within, 5])
    wp.copy(x, within)
    del within
flag.fill_(1)
with wp.ScopedCapture() as parent:
    wp.capture_if(flag, on_true=child.graph)
others = [wp.full(8, 7, dtype=int) for _ in range(50)]
wp.capture_launch(parent.graph)
wp.capture_launch(parent.graph)
equals(x, 5)

gone = wp.zeros(8, dtype=int)
with wp.ScopedCapture() as uses_gone:
    wp.launch(add, 8, inputs=[gone, 1])
del gone
others += [wp.full(8, 7, dtype=int) for _ in range(50)]
for _ in range(5):
    wp.capture_launch(uses_gone.graph)
for other in others:
    equals(other, 7)

x.zero_()
side = wp.Stream()
wp.capture_begin()
side.wait_stream(wp.get_stream())
wp.launch(add, 8, inputs=[x, 3], stream=side)
wp.get_stream().wait_stream(side)
wp.launch(add, 8, inputs=[x, 4])
two_streams = wp.capture_end()
equals(x, 0)
wp.capture_launch(two_streams)
equals(x, 7)

pinned = wp.array(np.arange(8), dtype=int, device="cpu", pinned=True)
with wp.ScopedCapture() as copies:
    wp.copy(x, pinned)
pinned.numpy()[:] = 50
wp.capture_launch(copies.graph)
equals(x, 50)

x.zero_()
with wp.ScopedCapture() as outer:
    wp.capture_launch(uses_gone.graph)
    wp.launch(add, 8, inputs=[x, 9])
wp.capture_launch(outer.graph)
equals(x, 9)
