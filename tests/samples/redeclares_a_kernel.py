"""Declares the same kernel again before each of thirty launches: one build, much parsing and hashing."""
import warp as wp


def step(x):
    @wp.kernel
    def add_one(x: wp.array(dtype=float)):  # here: add_one
        i = wp.tid()
        x[i] = x[i] + 1.0

    wp.launch(add_one, dim=8, inputs=[x], device="cpu")


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(30):
    step(x)
print("x0", x.numpy()[0])
