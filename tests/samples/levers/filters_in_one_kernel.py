"""One heavy kernel: nested loops of constant length, unrolled, with backward code that nobody uses."""
import warp as wp

N = 64
TAPS = wp.constant(6)


@wp.kernel
def smooth(samples: wp.array(dtype=float), out: wp.array(dtype=float), width: float):
    i = wp.tid()
    total = float(0.0)
    weight = float(0.0)
    for row in range(TAPS):
        for column in range(TAPS):
            at = wp.min(wp.max(i + row * column - 12, 0), samples.shape[0] - 1)
            nearness = wp.exp(-float(row * row + column * column) / width)
            total += nearness * wp.sin(samples[at])
            weight += nearness
    out[i] = total / weight


with wp.ScopedDevice("cpu"):
    samples = wp.array([0.03 * i * i % 2.0 for i in range(N)], dtype=float)
    out = wp.zeros(N, dtype=float)
    for _ in range(4):
        wp.launch(smooth, N, inputs=[samples, out, 90.0])
        wp.launch(smooth, N, inputs=[out, samples, 90.0])
    print("middle", float(samples.numpy()[N // 2]))
