"""Launches one kernel at three block_dim with blocks on the CPU enabled: three builds of one module."""
import warp as wp

wp.config.enable_cpu_blocks = True


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(64, dtype=float, device="cpu")
wp.launch(add_one, dim=64, inputs=[x], device="cpu")
wp.launch(add_one, dim=64, inputs=[x], device="cpu", block_dim=32)  # here: block32
wp.launch(add_one, dim=64, inputs=[x], device="cpu", block_dim=64)
wp.launch(add_one, dim=64, inputs=[x], device="cpu", block_dim=32)
print("x0", x.numpy()[0])
