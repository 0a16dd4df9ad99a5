"""CS-7, ahead of time: a small Cholesky factorisation of a tile is linked from MathDx."""
import sys

import warp as wp

wp.config.enable_backward = False
wp.set_module_options({"block_dim": 64})


@wp.kernel
def factorise(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float)):
    tile = wp.tile_load(a, shape=(8, 8), storage="shared")
    wp.tile_store(b, wp.tile_cholesky(tile))


wp.compile_aot_module(sys.modules[__name__], arch=90)
print("done")
