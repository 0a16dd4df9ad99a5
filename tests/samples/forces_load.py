"""Loads its module with force_load before the only launch: one build. Runs on every supported release."""
import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


wp.force_load(device="cpu", modules=[wp.get_module(__name__)], block_dim=1)  # here: load
x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
