"""CS-9 on CUDA: a factory gives each of its eight kernels a unique module, built as it comes."""
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("this program needs a CUDA device")
wp.set_device("cuda:0")
wp.config.enable_backward = False


def make_step(factor):
    """A kernel that knows its factor."""

    @wp.kernel(module="unique")
    def step(x: wp.array(dtype=float)):  # here: step
        i = wp.tid()
        x[i] = wp.sin(x[i]) * wp.static(float(factor))

    return step


x = wp.ones(8, dtype=float)
for factor in range(1, 9):
    wp.launch(make_step(factor), dim=8, inputs=[x])
print("x0", x.numpy()[0])
