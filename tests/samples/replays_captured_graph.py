"""Captures three launches into a graph on the CPU and replays it four times: twelve launches, and one before."""
import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def double(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 2.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
with wp.ScopedCapture(device="cpu") as capture:
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    wp.launch(double, dim=8, inputs=[x], device="cpu")
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
for _ in range(4):
    wp.capture_launch(capture.graph)
print("x0", x.numpy()[0])
