"""Clears the kernel cache whenever it starts, so that the warm run builds again. Runs on every supported release."""
import warp as wp

wp.init()
wp.clear_kernel_cache()  # here: clear


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
