"""A Fourier transform of a tile on CUDA: `tile_fft.py [mathdx on|off] [backward on|module|kernel]`."""

import sys

import warp as wp

MATHDX, BACKWARD = (sys.argv[1:] + ["on", "on"])[:2]
SIZE = 16

wp.set_module_options({"enable_mathdx_fft": MATHDX == "on", "enable_backward": BACKWARD != "module"})


@wp.kernel(enable_backward=False if BACKWARD == "kernel" else None)
def transform(x: wp.array2d(dtype=wp.vec2), y: wp.array2d(dtype=wp.vec2)):
    i = wp.tid()
    tile = wp.tile_load(x, shape=(1, SIZE), offset=(i, 0))
    wp.tile_fft(tile)
    wp.tile_store(y, tile, offset=(i, 0))


if __name__ == "__main__":
    if not wp.is_cuda_available():
        raise SystemExit("this program needs a CUDA device")
    with wp.ScopedDevice("cuda:0"):
        x, y = (wp.ones((1, SIZE), dtype=wp.vec2) for _ in range(2))
        wp.launch_tiled(transform, dim=1, inputs=[x, y], block_dim=4)
        assert y.numpy()[0, 0][0] == SIZE
