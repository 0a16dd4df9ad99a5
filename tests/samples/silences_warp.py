"""Silences Warp before anything is built: nothing of the build is printed."""
import warp as wp

wp.config.log_level = wp.LOG_ERROR


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
