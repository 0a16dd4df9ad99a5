"""Two modules are loaded by two threads at the same time."""
import warp as wp


def make(name, count):
    @wp.kernel(module=name)
    def smooth(x: wp.array(dtype=float)):
        i = wp.tid()
        for _k in range(wp.static(count)):
            x[i] = wp.sin(x[i]) * wp.exp(-x[i])

    return smooth


kernels = [make("left", 8), make("right", 9)]
wp.force_load(device="cpu", modules=[kernel.module for kernel in kernels], max_workers=2)
x = wp.zeros(8, dtype=float, device="cpu")
for kernel in kernels:
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
