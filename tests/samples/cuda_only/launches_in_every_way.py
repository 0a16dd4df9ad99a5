"""Launches on a CUDA device in every way, each result checked. Does not start without one."""

import numpy as np
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")


@wp.kernel
def scale(x: wp.array(dtype=float), factor: float, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * factor


@wp.kernel
def total(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    tile = wp.tile_load(x, shape=64)
    wp.tile_atomic_add(y, wp.tile_sum(tile))


device = wp.get_device("cuda:0")
assert device.is_cuda and wp.get_preferred_device() == device and wp.get_cuda_devices() == [device]
print(device.arch, device.max_shared_memory_per_block, device.free_memory <= device.total_memory)

with wp.ScopedDevice("cuda"):
    x = wp.array(np.arange(100, dtype=np.float32), requires_grad=True)
    y = wp.zeros_like(x)
    assert x.device.is_cuda
    wp.launch(scale, 100, inputs=[x, 2.0], outputs=[y])
    assert y.numpy().tolist() == [2.0 * i for i in range(100)]

    command = wp.launch(scale, 100, inputs=[x, 3.0], outputs=[y], record_cmd=True)
    command.launch()
    assert y.numpy()[99] == 297.0
    command.set_param_by_name("factor", 4.0)
    command.launch()
    assert y.numpy()[99] == 396.0

    wp.launch(scale, 100, inputs=[x, 5.0], outputs=[y], max_blocks=1)
    assert y.numpy()[99] == 495.0

    tape = wp.Tape()
    with tape:
        wp.launch(scale, 100, inputs=[x, 7.0], outputs=[y])
    y.grad.fill_(1.0)
    tape.backward()
    assert (x.grad.numpy() == 7.0).all()

    ones, sums = wp.ones(64, dtype=float, requires_grad=True), wp.zeros(1, dtype=float, requires_grad=True)
    tape = wp.Tape()
    with tape:
        wp.launch_tiled(total, dim=[3], inputs=[ones], outputs=[sums], block_dim=64)
    assert sums.numpy()[0] == 3 * 64
    sums.grad.fill_(1.0)
    tape.backward()
    assert (ones.grad.numpy() == 3.0).all()
    recorded = wp.launch_tiled(total, dim=[2], inputs=[ones], outputs=[sums], block_dim=64, record_cmd=True)
    sums.zero_()
    recorded.launch()
    assert sums.numpy()[0] == 2 * 64
