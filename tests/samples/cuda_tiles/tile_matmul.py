"""A product of tiles on CUDA: `tile_matmul.py [mathdx on|off] [backward on|module|kernel]`."""

import sys

import warp as wp

MATHDX, BACKWARD = (sys.argv[1:] + ["on", "on"])[:2]
SIZE = 8

wp.set_module_options({"enable_mathdx_gemm": MATHDX == "on", "enable_backward": BACKWARD != "module"})


@wp.kernel(enable_backward=False if BACKWARD == "kernel" else None)
def multiply(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    left = wp.tile_load(a, shape=(SIZE, SIZE), offset=(i * SIZE, 0))
    right = wp.tile_load(b, shape=(SIZE, SIZE), offset=(0, j * SIZE))
    total = wp.tile_zeros(shape=(SIZE, SIZE), dtype=float)
    wp.tile_matmul(left, right, total)
    wp.tile_store(c, total, offset=(i * SIZE, j * SIZE))


if __name__ == "__main__":
    if not wp.is_cuda_available():
        raise SystemExit("this program needs a CUDA device")
    with wp.ScopedDevice("cuda:0"):
        a, b, c = (wp.ones((SIZE, SIZE), dtype=float) for _ in range(3))
        wp.launch_tiled(multiply, dim=(1, 1), inputs=[a, b, c], block_dim=32)
        assert c.numpy()[0, 0] == SIZE
