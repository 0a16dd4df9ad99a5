"""A factorisation and a solution on tiles on CUDA.

`tile_cholesky.py [mathdx on|off] [backward on|module|kernel]`
"""

import sys

import numpy as np
import warp as wp

MATHDX, BACKWARD = (sys.argv[1:] + ["on", "on"])[:2]
SIZE = 8

wp.set_module_options({"enable_mathdx_solver": MATHDX == "on", "enable_backward": BACKWARD != "module"})


@wp.kernel(enable_backward=False if BACKWARD == "kernel" else None)
def solve(a: wp.array2d(dtype=float), b: wp.array1d(dtype=float), x: wp.array1d(dtype=float)):
    matrix = wp.tile_load(a, shape=(SIZE, SIZE))
    right = wp.tile_load(b, shape=SIZE)
    wp.tile_store(x, wp.tile_cholesky_solve(wp.tile_cholesky(matrix), right))


if __name__ == "__main__":
    if not wp.is_cuda_available():
        raise SystemExit("this program needs a CUDA device")
    with wp.ScopedDevice("cuda:0"):
        a = wp.array(4.0 * np.eye(SIZE), dtype=float)
        b, x = wp.ones(SIZE, dtype=float), wp.zeros(SIZE, dtype=float)
        wp.launch_tiled(solve, dim=1, inputs=[a, b, x], block_dim=32)
        assert x.numpy()[0] == 0.25
