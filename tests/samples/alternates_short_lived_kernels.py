"""Makes one of two kernels, uses it and lets it die, in turn: three builds, then back and forth between two identities."""
import warp as wp


@wp.kernel
def base(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


def halve_once(x):
    @wp.kernel
    def halve(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * 0.5

    wp.launch(halve, dim=8, inputs=[x], device="cpu")


def negate_once(x):
    @wp.kernel
    def negate(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = -x[i]

    wp.launch(negate, dim=8, inputs=[x], device="cpu")


x = wp.ones(8, dtype=float, device="cpu")
wp.launch(base, dim=8, inputs=[x], device="cpu")
for _ in range(3):
    halve_once(x)
    negate_once(x)
print("x0", x.numpy()[0])
