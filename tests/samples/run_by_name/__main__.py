"""Launches the package's kernel and one of its own: two modules."""
import warp as wp

from run_by_name.kernels import add_one


@wp.kernel
def halve(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 0.5


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
wp.launch(halve, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
