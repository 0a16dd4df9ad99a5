"""Sets an option back and forth around launches: two builds, then the module goes from one identity to the other.

Runs on every supported release.
"""
import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for step in range(6):
    wp.set_module_options({"fast_math": step % 2 == 1})  # here: option
    wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
