"""Launches with launch_tiled, where the CPU makes every block one thread. Runs on every supported release."""
import warp as wp


@wp.kernel
def add_tile(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=4, offset=i * 4)
    wp.tile_store(y, t + t, offset=i * 4)


wp.init()
x = wp.ones(16, dtype=float, device="cpu")
y = wp.zeros(16, dtype=float, device="cpu")
for _ in range(3):
    wp.launch_tiled(add_tile, dim=4, inputs=[x], outputs=[y], block_dim=32, device="cpu")
wp.launch_tiled(add_tile, dim=[4], inputs=[x, y], block_dim=64, device="cpu")
print("y0", y.numpy()[0])
