"""Launches one kernel in every calling style. Runs on every supported release.

Fourteen launches run: eight of [8], one of [4x2], one of [2x2x2], one of [2x2x2x1], three of [5]. The launch of dim 0,
the one that raises and the one that is only recorded do not run.
"""
import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=float), factor: float, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * factor


@wp.kernel
def fill2(y: wp.array(dtype=float)):
    i, j = wp.tid()
    y[i + j] = 1.0


@wp.kernel
def fill3(y: wp.array(dtype=float)):
    i, j, k = wp.tid()
    y[i + j + k] = 1.0


@wp.kernel
def fill4(y: wp.array(dtype=float)):
    i, j, k, l = wp.tid()
    y[i + j + k + l] = 1.0


wp.init()
x = wp.ones(8, dtype=float, device="cpu")
y = wp.zeros(8, dtype=float, device="cpu")
wp.launch(scale, 8, [x, 2.0, y], device="cpu")
wp.launch(scale, 8, [x, 2.0], [y], device="cpu")
wp.launch(scale, (8,), [x, 2.0], [y], [], [], "cpu")
wp.launch(kernel=scale, dim=8, inputs=[x, 2.0], outputs=[y], device="cpu")
wp.launch(kernel=scale, dim=[8], inputs=(x, 2.0, y), device=wp.get_device("cpu"))
wp.launch(scale, dim=(8,), inputs=[x, wp.float32(2.0)], outputs=(y,), device="cpu", block_dim=256)
with wp.ScopedDevice("cpu"):
    wp.launch(scale, dim=8, inputs=[x, 2.0], outputs=[y])
    wp.launch(scale, dim=x.shape, inputs=[x, 2.0], outputs=[y], record_tape=False, max_blocks=0)
wp.launch(fill2, (4, 2), [y], device="cpu")
wp.launch(fill3, [2, 2, 2], [y], device="cpu")
wp.launch(fill4, dim=(2, 2, 2, 1), outputs=[y], device="cpu")
for _ in range(3):
    wp.launch(scale, dim=5, inputs=[x, 2.0, y], device="cpu")

wp.launch(scale, dim=0, inputs=[x, 2.0, y], device="cpu")
wp.launch(scale, dim=8, inputs=[x, 2.0, y], device="cpu", record_cmd=True)
try:
    wp.launch(scale, dim=8, inputs=[x], device="cpu")
except Exception as error:
    print("raised", type(error).__name__)
print("y0", y.numpy()[0])
