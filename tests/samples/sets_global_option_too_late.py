"""Sets `enable_backward` for all modules after its own was created: it comes too late for this one, without a word.

Runs on every supported release.
"""
import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


wp.config.enable_backward = False  # here: assignment
x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
